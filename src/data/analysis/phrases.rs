//! Phrases about stranded releases. Findings and all reports use them.

use crate::promql::Conflict;
use crate::text::words::listed;

use super::stranded::Goal;

/// What releases cannot reach, as the predicate of a sentence. `minor` is the minor version of the
/// goal `minor`.
pub(crate) fn problem(goal: Goal, minor: Option<&str>, several: bool) -> String {
    let have = if several { "have" } else { "has" };
    predicate(goal, minor, several, have, "cannot")
}

/// What releases could not reach before a change.
pub(crate) fn former_problem(goal: Goal, minor: Option<&str>, several: bool) -> String {
    predicate(goal, minor, several, "had", "could not")
}

fn predicate(goal: Goal, minor: Option<&str>, several: bool, have: &str, cannot: &str) -> String {
    let their = if several { "their" } else { "its" };
    match goal {
        Goal::Any => format!("{have} no exit path"),
        Goal::Patch => format!("{cannot} reach the newest patch of {their} minor"),
        Goal::Minor => format!("{cannot} reach {}", minor.unwrap_or("the channel's minor")),
    }
}

/// Which risks to remove. Each one alone is enough to unblock the releases.
pub(crate) fn help<T: AsRef<str>>(unblocked_by: &[T]) -> String {
    match unblocked_by {
        [] => "removing any one risk is not enough".to_owned(),
        some => format!("removing {} opens an exit path", listed(some, "or")),
    }
}

/// Why two risks never affect the same cluster.
pub(crate) fn conflict(Conflict { one, other, metric }: &Conflict) -> String {
    format!("no cluster has both {one} and {other} in {metric}")
}

/// A note that follows a statement. Empty if it `is_certain`.
pub(crate) fn doubt(is_certain: bool) -> &'static str {
    if is_certain { "" } else { " (depends on uncertain updates)" }
}
