//! The alert `CannotEvaluateConditionalUpdates`: a cluster could not tell for an hour whether the
//! risks of an update apply.

use super::object::condition;
use super::operator::Stored;
use crate::domain::time::parse_time;

/// How long a cluster cannot tell before the alert fires, in milliseconds.
pub(super) const ALERT_AFTER: i64 = 3_600_000;

/// When the alert fires, in milliseconds since 1970, unless the cluster can tell before that. None
/// if the alert does not fire.
pub(crate) fn fires_at(stored: &Stored) -> Option<i64> {
    let verdicts = stored.conditional_updates.iter();
    let verdicts = verdicts.filter_map(|update| condition(&update.conditions, "Recommended"));
    let unknown = verdicts.filter(|verdict| verdict.status == "Unknown");
    let since = unknown.filter_map(|verdict| parse_time(&verdict.last_transition_time)).min();
    since.map(|since| since + ALERT_AFTER)
}
