//! What happens to updates, releases and risks, in sentences that people and Markdown share.

mod moves;
mod risks;
mod updates;

pub(super) use moves::moves;
pub(super) use risks::risks;
pub(super) use updates::updates;

use std::collections::BTreeSet;

use crate::change::{Blame, Fate, UpdateGroup, VersionId};
use crate::text::words::counted;

use super::ChangeReport;

/// One thing that a change does.
pub(in crate::report::change) struct Told {
    /// How it strikes the eye: `+`, `-` or `~`.
    pub(in crate::report::change) sign: char,
    /// The thing in one sentence.
    pub(in crate::report::change) what: String,
    /// Where, for whom, and what else there is to it.
    pub(in crate::report::change) more: Vec<String>,
}

/// The whole in one line.
pub(in crate::report) fn verdict(report: &ChangeReport<'_>) -> String {
    let (comparison, exits) = (report.comparison(), &report.change.exits);
    if report.is_idle() && report.broken().is_empty() {
        return "no change for clusters".to_owned();
    }
    let mut parts = Vec::new();
    let broken = report.broken().len();
    if broken > 0 {
        parts.push(counted(broken, "broken expectation"));
    }
    let stranded = ChangeReport::count(&exits.stranded, &exits.after);
    let unblocked = ChangeReport::count(&exits.unblocked, &exits.before);
    if stranded > 0 {
        parts.push(format!("{} newly stranded", counted(stranded, "release")));
    }
    if unblocked > 0 {
        parts.push(format!("{} unblocked", counted(unblocked, "release")));
    }
    let groups = comparison.groups();
    for fate in Fate::ALL {
        let is_declared = |group: &&UpdateGroup| {
            group.fate == fate && matches!(group.blame, Blame::Declared { .. })
        };
        let places = groups.iter().filter(is_declared).flat_map(|group| &group.changes);
        let altered = places.map(|at| &comparison.altered[*at]);
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
        [only] => parts.push(moves::one_move(comparison, only, &[]).what),
        several => {
            parts.push(format!("{} join or leave channels", counted(several.len(), "release")));
        }
    }
    match (parts.as_slice(), comparison.risks.as_slice()) {
        ([], [only]) => format!("no update changes; {}", risks::risk(comparison, only).what),
        ([], several) => {
            format!("no update changes; {} changed", counted(several.len(), "risk"))
        }
        _ => parts.join(", "),
    }
}
