//! `--clear`: cancels the request for an update, and keeps the accepted risks.

use super::super::console::Console;
use super::super::patch;
use crate::cluster::object::{ClusterVersion, DesiredUpdate, Release};

pub(super) fn run(cluster: &ClusterVersion, console: &mut Console) {
    let Some(requested) = &cluster.spec.desired_update else {
        console.say("info: No update in progress\n");
        return;
    };
    let accept_risks = requested.accept_risks.clone();
    let rest = DesiredUpdate { accept_risks, ..DesiredUpdate::default() };
    console.send(patch::desired_update(Some(&rest).filter(|rest| !rest.accept_risks.is_empty())));
    let current = &cluster.status.desired;
    console.say(if is_at(current, requested) {
        let name = name(&current.version, &current.image);
        format!("Cleared the update field, still at {name}\n")
    } else {
        let name = name(&requested.version, &requested.image);
        format!("Cancelled requested upgrade to {name}\n")
    });
}

/// Whether the requested release is the one that the cluster runs. Images decide if both are known.
fn is_at(current: &Release, requested: &DesiredUpdate) -> bool {
    if !requested.image.is_empty() && !current.image.is_empty() {
        return requested.image == current.image;
    }
    !requested.version.is_empty() && requested.version == current.version
}

fn name<'a>(version: &'a str, image: &'a str) -> &'a str {
    [version, image].into_iter().find(|name| !name.is_empty()).unwrap_or("<unknown>")
}
