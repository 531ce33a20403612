//! Changed updates.

use std::collections::BTreeSet;

use crate::change::{
    AlteredUpdate, Blame, ComparedChannelId, Comparison, Fate, Seen, SeenId, UpdateGroup, VersionId,
};
use crate::domain::{ArchSet, Named};
use crate::report::change::ChangeReport;
use crate::text::words::{counted, grouped, listed};

use super::ChangeItem;

/// The updates that changed declarations change. `moves` gets those that change because releases
/// move.
pub(in crate::surfaces::report::change) fn updates(
    report: &ChangeReport<'_>,
    groups: &[UpdateGroup<'_>],
) -> Vec<ChangeItem> {
    let declared = groups.iter().filter(|group| matches!(group.blame, Blame::Declared { .. }));
    declared.map(|group| item(report, group)).collect()
}

fn item(report: &ChangeReport<'_>, group: &UpdateGroup<'_>) -> ChangeItem {
    let comparison = report.comparison();
    let count = pairs(group.changes.iter().copied()).len();
    let (sign, fate) = fate(comparison, group, count > 1);
    let summary = format!("{} {fate}", counted(count, "update"));
    ChangeItem { sign, summary, details: details(comparison, &group.changes) }
}

/// What happens to the updates of a group, and its sign.
fn fate(comparison: &Comparison, group: &UpdateGroup<'_>, several: bool) -> (char, String) {
    let (added, dropped) = match &group.blame {
        Blame::Declared { added, dropped } => (names(added), names(dropped)),
        Blame::Moved(_) => (String::new(), String::new()),
    };
    let (are, have) = if several { ("are", "have") } else { ("is", "has") };
    let are_blocked = |seen: &dyn Fn(&AlteredUpdate) -> SeenId| {
        group.changes.iter().all(|change| comparison.seen[seen(change)] == Seen::Blocked)
    };
    match group.fate {
        Fate::Lost => {
            let fate = if are_blocked(&|change| change.after) { "blocked" } else { "gone" };
            let risks = if dropped.is_empty() {
                String::new()
            } else {
                format!(", with the risk {dropped} before")
            };
            ('-', format!("{are} {fate}{risks}"))
        }
        Fate::Gained => {
            let were_blocked = are_blocked(&|change| change.before);
            let fate = if were_blocked { "no longer blocked" } else { "new" };
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
    }
}

/// The origins, targets, and channels of changed updates.
fn details(comparison: &Comparison, changes: &[&AlteredUpdate]) -> Vec<String> {
    let ends = |end: &dyn Fn(&AlteredUpdate) -> VersionId| {
        let found: BTreeSet<VersionId> = changes.iter().map(|change| end(change)).collect();
        comparison.in_ranges(&found)
    };
    let channels: BTreeSet<ComparedChannelId> =
        changes.iter().flat_map(|change| change.channels.iter().copied()).collect();
    let channels: Vec<&str> =
        channels.into_iter().map(|id| comparison.channels[id].as_str()).collect();
    let mut details = vec![
        format!("from {} to {}", ends(&|change| change.from), ends(&|change| change.to)),
        format!("in {}", listed(&channels, "and")),
    ];
    let architectures: ArchSet =
        changes.iter().flat_map(|change| change.architectures.iter()).collect();
    if architectures.len() < comparison.architectures.len() {
        let some: Vec<&str> = architectures.iter().map(Named::name).collect();
        details.push(format!("for {} only", listed(&some, "and")));
    }
    let uncertain = pairs(changes.iter().copied().filter(|change| !change.is_certain));
    if !uncertain.is_empty() {
        details.push(format!("{} of them uncertain", grouped(uncertain.len())));
    }
    details
}

/// The distinct origins and targets.
fn pairs<'c>(changes: impl Iterator<Item = &'c AlteredUpdate>) -> BTreeSet<(VersionId, VersionId)> {
    changes.map(|change| (change.from, change.to)).collect()
}

fn names(list: &[String]) -> String {
    listed(&list.iter().map(String::as_str).collect::<Vec<_>>(), "and")
}
