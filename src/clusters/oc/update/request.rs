//! `--to`, `--to-image`, and `--to-latest`: requests an update.

use super::super::command_line::Flags;
use super::super::console::{Console, OcError};
use super::super::patch;
use super::super::texts::{reason_and_message, stated};
use super::target::{self, Candidate};
use super::{FORCE, guards};
use crate::cluster::object::{ClusterVersion, DesiredUpdate};

pub(super) fn run(
    flags: &Flags,
    cluster: &ClusterVersion,
    console: &mut Console,
) -> Result<(), OcError> {
    let (to, image) = (flags.text("to"), flags.text("to-image"));
    let current = &cluster.status.desired;
    if !to.is_empty() && to == current.version {
        console.say(format!("info: Cluster is already at version {to}\n"));
        return Ok(());
    }
    if !image.is_empty() && image == current.image {
        console.say(format!("info: Cluster is already at {image}\n"));
        return Ok(());
    }
    let (found, candidates) = target::find(flags, cluster, console)?;
    let Some(mut update) = found else {
        return nothing_found(flags, cluster, &candidates, console);
    };
    if flags.is_on("force") {
        update.force = true;
        console.warn(FORCE);
    }
    guards::check(flags, cluster, console)?;
    if let Some(DesiredUpdate { accept_risks, .. }) = &cluster.spec.desired_update {
        update.accept_risks.clone_from(accept_risks);
    }
    console.send(patch::desired_update(Some(&update)));
    console.say(if update.version.is_empty() {
        format!("Requested update to release image {}\n", update.image)
    } else {
        format!("Requested update to {}\n", update.version)
    });
    Ok(())
}

fn nothing_found(
    flags: &Flags,
    cluster: &ClusterVersion,
    candidates: &[Candidate<'_>],
    console: &mut Console,
) -> Result<(), OcError> {
    let is_latest = flags.is_on("to-latest");
    let has_image = !flags.text("to-image").is_empty();
    let hint = if has_image { "--allow-explicit-upgrade" } else { "--to-image" };
    let hint = format!("{hint} to continue with {} update", if is_latest { "an" } else { "the" });
    if let Some(failed) = stated(cluster, "RetrievedUpdates", |status| status != "True") {
        let why = reason_and_message(failed);
        let words = format!("cannot refresh available updates:\n{why}\n\nspecify {hint}.");
        return Err(OcError::new(words));
    }
    if !candidates.is_empty() {
        let versions: Vec<&str> =
            candidates.iter().map(|one| one.release.version.as_str()).collect();
        let versions = versions.join(", ");
        return Err(OcError::new(format!(
            "the update is not one of the possible targets: {versions}. specify {hint}."
        )));
    }
    let looks_at_all = flags.is_on("allow-not-recommended");
    if is_latest && !looks_at_all {
        let version = &cluster.status.desired.version;
        console
            .say(format!("info: Cluster is already at the latest available version {version}\n"));
        return Ok(());
    }
    let kinds = if looks_at_all { "recommended or conditional" } else { "recommended" };
    Err(OcError::new(format!(
        "no {kinds} updates, specify {hint} or wait for new updates to be available."
    )))
}
