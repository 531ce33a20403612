//! What the operator checks before it accepts a requested update.

mod recommended;
mod upgradeable;

use super::super::Level;
use super::super::object::{ClusterVersion, Release, parse_version};
use crate::domain::{Minor, Version, version};
use crate::go::quoted;

/// Whether the operator accepts a requested update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// Whether it accepts the update.
    pub is_accepted: bool,
    /// What the checks report: why the operator does not accept the update, or what it records in
    /// the history as accepted risks. Empty if there is nothing to report.
    pub message: String,
}

struct FailedPrecondition {
    check: &'static str,
    reason: String,
    message: String,
    is_blocking: bool,
}

impl Acceptance {
    /// Checks the update of a cluster to a release.
    pub fn of(cluster: &ClusterVersion, target: &Release, is_forced: bool, level: Level) -> Self {
        let running = parse_version(&cluster.status.desired.version);
        let wanted = parse_version(&target.version);
        let mut failures = Vec::new();
        if let (Ok(running), Ok(wanted)) = (&running, &wanted) {
            let (running, wanted) =
                (version::without_build(running), version::without_build(wanted));
            failures.extend(rollback(cluster, &running, &wanted));
            failures.extend(giant_hop(&running, &wanted));
            failures.extend(upgradeable::failure(cluster, &running, &wanted, level));
        }
        failures.extend(recommended::failure(cluster, target));
        let is_blocked = failures.iter().any(|failure| failure.is_blocking);
        let mut message = summary(&failures);
        if is_blocked && is_forced {
            message = format!("Forced through blocking failures: {message}");
        }
        Self { is_accepted: !is_blocked || is_forced, message }
    }
}

fn summary(failures: &[FailedPrecondition]) -> String {
    let lines: Vec<String> = failures
        .iter()
        .map(|FailedPrecondition { check, reason, message, .. }| {
            let (check, reason) = (quoted(check), quoted(reason));
            format!("Precondition {check} failed because of {reason}: {message}")
        })
        .collect();
    match lines.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        several => format!("Multiple precondition checks failed:\n* {}", several.join("\n* ")),
    }
}

/// Fails for updates to older versions. The only exception is the previous version of the cluster,
/// if it has the same minor version.
fn rollback(
    cluster: &ClusterVersion,
    running: &Version,
    wanted: &Version,
) -> Option<FailedPrecondition> {
    if wanted >= running {
        return None;
    }
    let before = cluster.status.history.iter().map(|entry| &entry.version);
    let before = before.filter_map(|text| parse_version(text).ok()).find(|old| old != running);
    let is_before = before.as_ref().is_some_and(|before| version::without_build(before) == *wanted);
    if is_before && Minor::of(wanted) == Minor::of(running) {
        return None;
    }
    let message = match before {
        Some(before) => format!(
            "{wanted} is less than the current target {running}, and the only supported rollback \
             is to the cluster's previous version {before} within the same minor version"
        ),
        None => format!(
            "{wanted} is less than the current target {running}, and the cluster has no previous \
             Semantic Version"
        ),
    };
    let (check, reason) = ("ClusterVersionRollback", "LowDesiredVersion".to_owned());
    Some(FailedPrecondition { check, reason, message, is_blocking: true })
}

/// Fails for updates by more than one minor version. Updates to the first minor version of the next
/// major version are allowed.
fn giant_hop(running: &Version, wanted: &Version) -> Option<FailedPrecondition> {
    let (reason, message) = if wanted.major > running.major {
        if wanted.major == running.major + 1 && wanted.minor == 0 {
            return None;
        }
        let message = format!(
            "{wanted} has a larger major version than the current target {running} ({} > {}), and \
             only updates within the current major version are supported.",
            wanted.major, running.major
        );
        ("MajorVersionUpdate", message)
    } else if wanted.major == running.major && wanted.minor > running.minor + 1 {
        let message = format!(
            "{wanted} is more than one minor version beyond the current target {running} ({}.{} > \
             {}.({}+1)), and only updates within the current minor version or to the next minor \
             version are supported.",
            wanted.major, wanted.minor, running.major, running.minor
        );
        ("MultipleMinorVersionsUpdate", message)
    } else {
        return None;
    };
    let check = "ClusterVersionGiantHop";
    Some(FailedPrecondition { check, reason: reason.into(), message, is_blocking: true })
}
