//! The objects of a cluster, for its update.

use std::path::PathBuf;

use crate::cli::cluster_objects::{ClusterObjects, Wanted};
use crate::rollout::Objects;
use crate::text::Failure;

pub(super) fn objects(files: &[PathBuf]) -> Result<Objects, Failure> {
    let found = ClusterObjects::read(files, Wanted::Usual)?;
    Objects::of(&found.objects).map_err(|failure| {
        failure.hint("write them with `oc get clusterversion,clusteroperators,mcp,nodes -o yaml`")
    })
}
