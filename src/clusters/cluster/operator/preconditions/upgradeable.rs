//! Updates to another minor version, and the condition `Upgradeable`.

use super::super::super::Level;
use super::super::super::in_cluster::is_overridden;
use super::super::super::object::{ClusterVersion, ObjectStatus, condition, parse_version};
use super::FailedPrecondition;
use crate::domain::{Minor, Version};

pub(super) fn failure(
    cluster: &ClusterVersion,
    running: &Version,
    wanted: &Version,
    level: Level,
) -> Option<FailedPrecondition> {
    let check = "ClusterVersionUpgradeable";
    let found = condition(&cluster.status.conditions, "Upgradeable")?;
    if found.status != "False" {
        return None;
    }
    let is_patch = Minor::of(wanted) == Minor::of(running);
    if wanted > running && !is_patch {
        let (reason, message) = (found.reason.clone(), found.message.clone());
        return Some(FailedPrecondition { check, reason, message, is_blocking: true });
    }
    if is_overridden(cluster) {
        let (message, is_blocking) = overridden(running, wanted, level);
        let reason = OVERRIDES.to_owned();
        return Some(FailedPrecondition { check, reason, message, is_blocking });
    }
    let (from, what) = larger_update(&cluster.status, running).filter(|_| is_patch)?;
    let message = format!(
        "Retarget to {wanted} while a {} version update from {from} to {running} is in progress",
        what.to_lowercase()
    );
    let reason = format!("{what}VersionClusterUpdateInProgress");
    Some(FailedPrecondition { check, reason, message, is_blocking: false })
}

const OVERRIDES: &str = "ClusterVersionOverridesSet";

/// What the operator says about a patch update if some objects are unmanaged, and whether it
/// refuses the update.
fn overridden(running: &Version, wanted: &Version, level: Level) -> (String, bool) {
    if !level.takes_patches_with_overrides() {
        let message = "Disabling ownership via cluster version overrides prevents upgrades. Please \
                       remove overrides before continuing.";
        return (message.to_owned(), true);
    }
    let message = format!(
        "Retarget from {running} to {wanted} is not blocked by {OVERRIDES}. But the \
         cluster-version operator is not managing these resources; they are currently the \
         responsibility of the agent that set the overrides: Disabling ownership via cluster \
         version overrides prevents upgrades between minor or major versions. Please remove \
         overrides before requesting a minor or major version update."
    );
    (message, false)
}

/// If the cluster has not completed an update to another minor version, the version before that
/// update, and whether the major version changes.
fn larger_update<'s>(
    status: &'s ObjectStatus,
    running: &Version,
) -> Option<(&'s str, &'static str)> {
    let is_progressing =
        condition(&status.conditions, "Progressing").is_some_and(|one| one.status == "True");
    let completed = status.history.iter().find(|entry| entry.state == "Completed");
    let before = completed.or(status.history.last()).filter(|_| is_progressing)?;
    let minor = Minor::of(&parse_version(&before.version).ok()?);
    let now = Minor::of(running);
    if minor.major < now.major {
        Some((&before.version, "Major"))
    } else if minor < now {
        Some((&before.version, "Minor"))
    } else {
        None
    }
}
