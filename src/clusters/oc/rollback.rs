//! `oc adm upgrade rollback`: requests the release that the cluster ran before.

use super::command_line::{Command, Flags};
use super::console::{Console, OcError};
use super::texts::{NO_CLUSTER_VERSION_LOWER, no_arguments};
use super::{Situation, patch};
use crate::cluster::object::{
    ClusterVersion, Condition, DesiredUpdate, HistoryEntry, condition, newest_first, parse_version,
};
use crate::go::quoted;

pub(super) fn run(
    flags: &Flags,
    situation: &Situation<'_>,
    console: &mut Console,
) -> Result<(), OcError> {
    no_arguments(Command::Rollback, flags)?;
    let cluster = console.read(situation, NO_CLUSTER_VERSION_LOWER)?;
    let previous = previous(cluster)?;
    check_progress(cluster)?;
    let (version, image) = (previous.version.clone(), previous.image.clone());
    let update = DesiredUpdate { version, image, ..DesiredUpdate::default() };
    console.send(patch::desired_update(Some(&update)));
    let current = &cluster.status.desired.version;
    console.say(format!("Requested rollback from {current} to {}\n", update.version));
    Ok(())
}

/// The newest entry of the history with another release. It must be an older patch release of the
/// same minor version.
fn previous(cluster: &ClusterVersion) -> Result<&HistoryEntry, OcError> {
    let current = &cluster.status.desired;
    let parsed = parse_version(&current.version).map_err(|fault| {
        OcError::new(format!("invalid ClusterVersion status.desired.version: {fault}"))
    })?;
    let (version, image) = (&current.version, &current.image);
    let is_other = |entry: &&HistoryEntry| entry.version != *version || entry.image != *image;
    let Some(entry) = cluster.status.history.iter().find(is_other) else {
        return Err(OcError::new(format!(
            "no previous version found in ClusterVersion's status.history besides the current \
             {version} ({image})."
        )));
    };
    let previous = &entry.version;
    let previous_parsed = parse_version(previous).map_err(|fault| {
        OcError::new(format!("previous version {} invalid SemVer: {fault}", quoted(previous)))
    })?;
    if newest_first(previous, version).is_le() {
        return Err(OcError::new(format!(
            "previous version {previous} ({}) is greater than or equal to current version \
             {version} ({image}).  Use 'oc adm upgrade ...' to update, and not this rollback \
             command.",
            entry.image
        )));
    }
    if (previous_parsed.major, previous_parsed.minor) != (parsed.major, parsed.minor) {
        return Err(OcError::new(format!(
            "{previous} is less than the current target {version} and matches the cluster's \
             previous version, but rollbacks that change major or minor versions are not \
             recommended."
        )));
    }
    Ok(entry)
}

fn check_progress(cluster: &ClusterVersion) -> Result<(), OcError> {
    match condition(&cluster.status.conditions, "Progressing") {
        None => Err(OcError::new(
            "no current Progressing info, see `oc describe clusterversion` for more details.\n",
        )),
        Some(Condition { status, .. }) if status == "False" => Ok(()),
        Some(Condition { kind, status, reason, message, .. }) => Err(OcError::new(format!(
            "unable to rollback while an update is {kind}={status}: {reason}: {message}."
        ))),
    }
}
