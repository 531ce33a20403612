//! `--to-multi-arch`: requests the current version for several architectures.

use super::super::command_line::Flags;
use super::super::console::{Console, OcError};
use super::super::patch;
use super::{FORCE, guards};
use crate::cluster::object::{ClusterVersion, DesiredUpdate};

const MULTI: &str = "Multi";

pub(super) fn run(
    flags: &Flags,
    cluster: &ClusterVersion,
    console: &mut Console,
) -> Result<(), OcError> {
    let requested = cluster.spec.desired_update.as_ref();
    if requested.is_some_and(|requested| requested.architecture == MULTI) {
        return Err(OcError::new(
            "info: Update to multi cluster architecture has already been requested",
        ));
    }
    guards::check(flags, cluster, console)?;
    let force = flags.is_on("force");
    if force {
        console.warn(FORCE);
    }
    let update = DesiredUpdate {
        architecture: MULTI.into(),
        version: cluster.status.desired.version.clone(),
        force,
        accept_risks: requested.map(|requested| requested.accept_risks.clone()).unwrap_or_default(),
        ..DesiredUpdate::default()
    };
    console.send(patch::desired_update(Some(&update)));
    console.say("Requested update to multi cluster architecture\n");
    Ok(())
}
