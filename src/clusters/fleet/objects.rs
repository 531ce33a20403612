//! Clusters as objects of Kubernetes: ClusterVersions, and ManagedClusters of ACM.

use serde_json::Value as Json;

use crate::domain::{Arch, Named};
use crate::objects::text_at;
use crate::text::Failure;

use super::class::{ClusterRow, MinorRefusal};
use super::columns::{Column, Defaults, Draft};
use super::platform::Platform;

/// The clusters of some objects, each with its name for messages. A platform comes from the
/// Infrastructure, if the objects are of one cluster.
pub(crate) fn rows_of_objects(
    objects: &[Json],
    defaults: &Defaults,
) -> Result<Vec<Result<ClusterRow, Failure>>, Failure> {
    let of_kind = |kind: &'static str| objects.iter().filter(move |one| one["kind"] == kind);
    let versions: Vec<&Json> = of_kind("ClusterVersion").collect();
    let managed: Vec<&Json> = of_kind("ManagedCluster").collect();
    if versions.is_empty() && managed.is_empty() {
        return Err(Failure::new("it has neither a ClusterVersion nor a ManagedCluster"));
    }
    let platform = match versions.as_slice() {
        [_] => of_kind("Infrastructure").next().map_or("", |one| text_at(one, PLATFORM)),
        _ => "",
    };
    let versions = versions.into_iter().map(|one| of_cluster_version(one, platform, defaults));
    let managed = managed.into_iter().map(|one| of_managed_cluster(one, defaults));
    Ok(versions.chain(managed).collect())
}

const PLATFORM: &str = "/status/platformStatus/type";

fn of_cluster_version(
    object: &Json,
    platform: &str,
    defaults: &Defaults,
) -> Result<ClusterRow, Failure> {
    let is_multi = text_at(object, "/status/desired/architecture") == "Multi";
    let arch = if is_multi { Arch::Multi } else { defaults.arch };
    let has_answer = object["status"]["conditions"].as_array().is_some_and(|conditions| {
        conditions.iter().any(|one| one["type"] == "RetrievedUpdates" && one["status"] == "True")
    });
    let available = object["status"]["availableUpdates"].as_array().map_or(0, Vec::len).to_string();
    row(
        refusal(object),
        &[
            (Column::Name, text_at(object, "/spec/clusterID")),
            (Column::Version, text_at(object, "/status/desired/version")),
            (Column::Channel, text_at(object, "/spec/channel")),
            (Column::Arch, arch.name()),
            (Column::Platform, known(platform)),
            // Without an answer of the service, there is nothing to compare.
            (Column::AvailableUpdates, if has_answer { available.as_str() } else { "" }),
        ],
        defaults,
    )
}

fn of_managed_cluster(object: &Json, defaults: &Defaults) -> Result<ClusterRow, Failure> {
    let claim = |name: &str| {
        let claims = object["status"]["clusterClaims"].as_array().into_iter().flatten();
        let claim = claims.into_iter().find(|one| one["name"] == name);
        claim.map_or("", |one| text_at(one, "/value"))
    };
    let label = object["metadata"]["labels"]["openshiftVersion"].as_str().unwrap_or_default();
    let version = Some(claim("version.openshift.io")).filter(|text| !text.is_empty());
    row(
        None,
        &[
            (Column::Name, text_at(object, "/metadata/name")),
            (Column::Version, version.unwrap_or(label)),
            (Column::Platform, known(claim("platform.open-cluster-management.io"))),
        ],
        defaults,
    )
}

/// The platform, if fleet knows it: ACM has others, such as `Other`.
fn known(platform: &str) -> &str {
    if Platform::named(platform).is_some() { platform } else { "" }
}

/// Whether the operator refuses updates to another minor version.
fn refusal(object: &Json) -> Option<MinorRefusal> {
    let mut conditions = object["status"]["conditions"].as_array()?.iter();
    let found = conditions.find(|one| one["type"] == "Upgradeable" && one["status"] == "False")?;
    let said = [text_at(found, "/reason"), text_at(found, "/message")];
    let said: Vec<&str> = said.into_iter().filter(|text| !text.is_empty()).collect();
    Some(MinorRefusal { why: (!said.is_empty()).then(|| said.join(": ")) })
}

fn row(
    refusal: Option<MinorRefusal>,
    cells: &[(Column, &str)],
    defaults: &Defaults,
) -> Result<ClusterRow, Failure> {
    let mut draft = Draft::default();
    draft.refusal = refusal;
    for (column, text) in cells {
        draft.take(column, text)?;
    }
    draft.row(defaults)
}
