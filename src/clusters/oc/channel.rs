//! `oc adm upgrade channel`: sets or clears the channel.

use super::command_line::{Command, Flags};
use super::console::{Console, OcError};
use super::texts::NO_CLUSTER_VERSION_LOWER;
use super::{Situation, patch};
use crate::cluster::object::ClusterVersion;
use crate::go::quoted;

pub(super) fn run(
    flags: &Flags,
    situation: &Situation<'_>,
    console: &mut Console,
) -> Result<(), OcError> {
    let wanted = match flags.arguments.as_slice() {
        [] => "",
        [only] => only,
        _ => {
            let words = "multiple positional arguments given";
            return Err(OcError::usage(Command::Channel.path(), words));
        }
    };
    let cluster = console.read(situation, NO_CLUSTER_VERSION_LOWER)?;
    let current = &cluster.spec.channel;
    if wanted == current {
        console.say(if current.is_empty() {
            "info: Cluster channel is already clear (no change)\n".to_owned()
        } else {
            format!("info: Cluster is already in {current} (no change)\n")
        });
        return Ok(());
    }
    let is_explicit = flags.is_on("allow-explicit-channel");
    if wanted.is_empty() {
        clear(cluster, is_explicit, console)?;
    } else {
        set(cluster, wanted, is_explicit, console)?;
    }
    console.send(patch::channel(wanted));
    Ok(())
}

/// Clears the channel. If the current channel is one of the available channels, this needs a flag.
fn clear(
    cluster: &ClusterVersion,
    is_explicit: bool,
    console: &mut Console,
) -> Result<(), OcError> {
    let current = &cluster.spec.channel;
    let name = quoted(current);
    if cluster.status.desired.channels.contains(current) && !is_explicit {
        return Err(OcError::new(format!(
            "You are requesting to clear the update channel. The current channel {name} is one of \
             the available channels, you must pass --allow-explicit-channel to continue\n"
        )));
    }
    console.warn(format!(
        "warning: Clearing channel {name}; cluster will no longer request available update \
         recommendations.\n"
    ));
    Ok(())
}

/// Sets the channel. If it is not one of the available channels, this needs a flag.
fn set(
    cluster: &ClusterVersion,
    wanted: &str,
    is_explicit: bool,
    console: &mut Console,
) -> Result<(), OcError> {
    let known = &cluster.status.desired.channels;
    let name = quoted(wanted);
    if known.is_empty() {
        let version = quoted(&cluster.status.desired.version);
        console.warn(format!(
            "warning: No channels known to be compatible with the current version {version}; \
             unable to validate {name}. Setting the update channel to {name} anyway.\n"
        ));
    } else if !known.iter().any(|channel| channel == wanted) {
        let known = known.join(", ");
        if !is_explicit {
            return Err(OcError::new(format!(
                "the requested channel {name} is not one of the available channels ({known}), you \
                 must pass --allow-explicit-channel to continue\n"
            )));
        }
        console.warn(format!(
            "warning: The requested channel {name} is not one of the available channels ({known}). \
             You have used --allow-explicit-channel to proceed anyway. Setting the update channel \
             to {name}.\n"
        ));
    }
    Ok(())
}
