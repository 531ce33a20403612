//! Changed updates.

use std::collections::BTreeSet;

use crate::change::{
    AlteredUpdate, Blame, ComparedChannelId, Fate, Seen, SeenId, UpdateGroup, VersionId,
};
use crate::domain::{ArchSet, Named};
use crate::report::change::ChangeReport;
use crate::text::words::{counted, grouped, listed, releases};

use super::ChangeItem;

/// The updates that changed declarations change. `moves` has those of moved releases.
pub(in crate::report::change) fn updates(
    report: &ChangeReport<'_>,
    groups: &[UpdateGroup],
) -> Vec<ChangeItem> {
    let declared = groups.iter().filter(|group| matches!(group.blame, Blame::Declared { .. }));
    declared.map(|group| item(report, group)).collect()
}

fn item(report: &ChangeReport<'_>, group: &UpdateGroup) -> ChangeItem {
    let comparison = report.comparison();
    let changes = || group.changes.iter().map(|at| &comparison.altered[*at]);
    let ends = |end: &dyn Fn(&AlteredUpdate) -> VersionId| {
        let found: BTreeSet<VersionId> = changes().map(end).collect();
        let names: Vec<&str> =
            found.into_iter().map(|at| comparison.versions[at].as_str()).collect();
        releases(&names)
    };
    let pairs: BTreeSet<(VersionId, VersionId)> =
        changes().map(|change| (change.from, change.to)).collect();
    let several = pairs.len() > 1;
    let is_blocked = |place: SeenId| comparison.seen[place] == Seen::Blocked;
    let (added, dropped) = match &group.blame {
        Blame::Declared { added, dropped } => (names(added), names(dropped)),
        Blame::Moved(_) => (String::new(), String::new()),
    };
    let (are, have) = if several { ("are", "have") } else { ("is", "has") };
    let (sign, fate) = match group.fate {
        Fate::Lost => {
            let is_now_blocked = changes().all(|change| is_blocked(change.after));
            let fate = if is_now_blocked { "blocked" } else { "gone" };
            let risks = if dropped.is_empty() {
                String::new()
            } else {
                format!(", with the risk {dropped} before")
            };
            ('-', format!("{are} {fate}{risks}"))
        }
        Fate::Gained => {
            let was_blocked = changes().all(|change| is_blocked(change.before));
            let fate = if was_blocked { "no longer blocked" } else { "new" };
            let risks =
                if added.is_empty() { String::new() } else { format!(", conditional: {added}") };
            ('+', format!("{are} {fate}{risks}"))
        }
        Fate::MadeConditional => ('~', format!("{are} now conditional: {added}")),
        Fate::MadeUnconditional => ('~', format!("{are} now unconditional: without {dropped}")),
        Fate::RisksChanged => match (added.as_str(), dropped.as_str()) {
            (added, "") => ('~', format!("{have} added risks: {added}")),
            ("", dropped) => ('~', format!("{have} removed risks: {dropped}")),
            (added, dropped) => {
                ('~', format!("{have} added risks: {added}, and removed risks: {dropped}"))
            }
        },
    };
    let summary = format!("{} {fate}", counted(pairs.len(), "update"));
    let channels: BTreeSet<ComparedChannelId> =
        changes().flat_map(|change| change.channels.clone()).collect();
    let channels: Vec<&str> =
        channels.into_iter().map(|at| comparison.channels[at].as_str()).collect();
    let architectures: ArchSet = changes().flat_map(|change| change.architectures.iter()).collect();
    let mut details = vec![
        format!("from {} to {}", ends(&|change| change.from), ends(&|change| change.to)),
        format!("in {}", listed(&channels, "and")),
    ];
    if architectures.len() < comparison.architectures.len() {
        let some: Vec<&str> = architectures.iter().map(Named::name).collect();
        details.push(format!("for {} only", listed(&some, "and")));
    }
    let uncertain: BTreeSet<(VersionId, VersionId)> = changes()
        .filter(|change| !change.is_certain)
        .map(|change| (change.from, change.to))
        .collect();
    if !uncertain.is_empty() {
        details.push(format!("{} of them uncertain", grouped(uncertain.len())));
    }
    ChangeItem { sign, summary, details }
}

fn names(list: &[String]) -> String {
    listed(&list.iter().map(String::as_str).collect::<Vec<_>>(), "and")
}
