//! What happens to updates, releases, and risks, in sentences for the human and Markdown formats.

mod moves;
mod risks;
mod updates;

pub(super) use moves::moves;
pub(super) use risks::risks;
pub(super) use updates::updates;

use std::collections::BTreeSet;

use crate::analysis::Simulation;
use crate::change::{
    Blame, Comparison, ExitEntry, Fate, Move, UpdateGroup, UpkeepChange, VersionId,
};
use crate::text::words::{counted, grouped};

use super::ChangeReport;

/// One effect of a change.
pub(in crate::surfaces::report::change) struct ChangeItem {
    /// The sign: `+`, `-`, or `~`.
    pub(in crate::surfaces::report::change) sign: char,
    pub(in crate::surfaces::report::change) summary: String,
    pub(in crate::surfaces::report::change) details: Vec<String>,
}

/// The summary, in one line.
pub(in crate::surfaces::report) fn verdict(report: &ChangeReport<'_>) -> String {
    let (comparison, exits) = (report.comparison(), &report.change.exits);
    if report.is_idle() && report.broken.is_empty() {
        return "no change for clusters".to_owned();
    }
    let mut parts = Vec::new();
    match report.change.unloaded.as_slice() {
        [] => {}
        [only] => parts.push(only.clone()),
        [first, others @ ..] => {
            parts.push(format!("{first} (and {} like it)", counted(others.len(), "more file")));
        }
    }
    let broken = report.broken.len();
    if broken > 0 {
        parts.push(counted(broken, "broken expectation"));
    }
    let stranded = ChangeReport::count_releases(&exits.stranded, &exits.after);
    let unblocked = ChangeReport::count_releases(&exits.unblocked, &exits.before);
    let clusters = |entries: &[ExitEntry], simulation: &Simulation<'_>| {
        let clusters = report.clusters_on(entries, simulation)?;
        let clusters = usize::try_from(clusters).unwrap_or(usize::MAX);
        Some(format!(" with {}", counted(clusters, "cluster")))
    };
    if stranded > 0 {
        let clusters = clusters(&exits.stranded, &exits.after).unwrap_or_default();
        parts.push(format!("{}{clusters} newly stranded", counted(stranded, "release")));
    }
    if unblocked > 0 {
        let clusters = clusters(&exits.unblocked, &exits.before).unwrap_or_default();
        parts.push(format!("{}{clusters} unblocked", counted(unblocked, "release")));
    }
    let groups = comparison.groups();
    for fate in Fate::ALL {
        let is_declared = |group: &&UpdateGroup<'_>| {
            group.fate == fate && matches!(group.blame, Blame::Declared { .. })
        };
        let altered = groups.iter().filter(is_declared).flat_map(|group| &group.changes);
        let pairs: BTreeSet<(VersionId, VersionId)> =
            altered.map(|one| (one.from, one.to)).collect();
        let done = match fate {
            Fate::Lost => "lost",
            Fate::MadeConditional => "made conditional",
            Fate::RisksChanged => "with other risks",
            Fate::MadeUnconditional => "made unconditional",
            Fate::Gained => "gained",
        };
        if !pairs.is_empty() {
            parts.push(format!("{} {done}", counted(pairs.len(), "update")));
        }
    }
    match comparison.moves.as_slice() {
        [] => {}
        [only] => parts.push(moves::one_move(comparison, only, &[]).summary),
        several => {
            let does = |how: fn(&Move) -> bool| several.iter().all(how);
            let done = match (does(|one| one.leaves.is_empty()), does(|one| one.joins.is_empty())) {
                (true, _) => "joined",
                (_, true) => "left",
                _ => "joined or left",
            };
            parts.push(format!("{} {done} channels", counted(several.len(), "release")));
        }
    }
    match report.change.upkeep.as_slice() {
        [] => {}
        [only] => parts.push(only.summary.clone()),
        several => {
            parts.push(format!("{} of promotions and builds", counted(several.len(), "change")));
        }
    }
    if parts.is_empty() {
        return without_updates(comparison);
    }
    parts.join(", ")
}

/// What changed declarations do if they change no existing update.
fn without_updates(comparison: &Comparison) -> String {
    let mut awaited = comparison.risks.iter().flat_map(|change| {
        change.awaited.iter().map(move |one| risks::awaited(comparison, change, one))
    });
    if let Some(first) = awaited.next() {
        return match awaited.count() {
            0 => first,
            more => format!("{first}; and {} more", grouped(more)),
        };
    }
    match comparison.risks.as_slice() {
        [only] => format!("no updates changed; {}", risks::risk(comparison, only).summary),
        several => format!("no updates changed; {} changed", counted(several.len(), "risk")),
    }
}

/// What happens to promotions and builds.
pub(super) fn upkeep(report: &ChangeReport<'_>) -> Vec<ChangeItem> {
    let item = |change: &UpkeepChange| ChangeItem {
        sign: change.sign,
        summary: change.summary.clone(),
        details: change.details.clone(),
    };
    report.change.upkeep.iter().map(item).collect()
}

/// What the service no longer loads.
pub(super) fn unloaded(report: &ChangeReport<'_>) -> Vec<ChangeItem> {
    let item = |text: &String| ChangeItem { sign: '-', summary: text.clone(), details: Vec::new() };
    report.change.unloaded.iter().map(item).collect()
}
