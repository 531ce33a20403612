//! The object `ClusterVersion`: what a cluster runs, what its administrator wants, and what its
//! operator stores about updates.
//!
//! The keys are those of Kubernetes. Like the programs that read the object, the reader ignores
//! unknown keys, and reads a null list as an empty one.

mod alert;
mod condition;
mod conditional_update;
mod read;
mod release;
mod version;

pub use alert::Alert;
pub use condition::{Condition, condition};
pub use conditional_update::{ConditionalUpdate, ObjectRisk, ObjectRule, PromQlRule};
pub use read::read_alerts;
pub(crate) use read::{alerts, cluster_version};
pub use release::{Release, digest};
pub use version::{newest_first, parse_version};

use serde::{Deserialize, Deserializer, Serialize};

/// The object `ClusterVersion`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterVersion {
    /// What the administrator wants.
    #[serde(default)]
    pub spec: Spec,
    /// What the operator says.
    #[serde(default)]
    pub status: ObjectStatus,
}

/// What the administrator wants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spec {
    /// The id that the operator sends to the update service.
    #[serde(default, rename = "clusterID", deserialize_with = "or_default")]
    pub cluster_id: String,
    /// The channel. Empty if there is none.
    #[serde(default, deserialize_with = "or_default")]
    pub channel: String,
    /// The address of the update service. Empty for the default service.
    #[serde(default, deserialize_with = "or_default")]
    pub upstream: String,
    /// The update that was requested.
    #[serde(default)]
    pub desired_update: Option<DesiredUpdate>,
    /// Objects that the operator may have been told not to manage.
    #[serde(default, deserialize_with = "or_default")]
    pub overrides: Vec<Override>,
}

/// The update that was requested.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DesiredUpdate {
    /// `Multi`, or empty.
    #[serde(default, deserialize_with = "or_default")]
    pub architecture: String,
    /// The version. Empty if only the image is given.
    #[serde(default, deserialize_with = "or_default")]
    pub version: String,
    /// The image. Empty if only the version is given.
    #[serde(default, deserialize_with = "or_default")]
    pub image: String,
    /// Whether the operator skips its checks.
    #[serde(default, deserialize_with = "or_default")]
    pub force: bool,
    /// The risks that the administrator accepts.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub accept_risks: Vec<AcceptedRisk>,
}

/// A risk that the administrator accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedRisk {
    /// Its name.
    pub name: String,
}

/// An object, and whether the operator manages it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Override {
    /// Whether the operator does not manage it.
    #[serde(default, deserialize_with = "or_default")]
    pub unmanaged: bool,
}

/// What the operator says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectStatus {
    /// The release that it reconciles.
    #[serde(default)]
    pub desired: Release,
    /// The releases that it reconciled, newest first.
    #[serde(default, deserialize_with = "or_default")]
    pub history: Vec<HistoryEntry>,
    /// The updates that are recommended, newest first.
    #[serde(default, deserialize_with = "or_default")]
    pub available_updates: Vec<Release>,
    /// The updates with risks, newest first.
    #[serde(default, deserialize_with = "or_default")]
    pub conditional_updates: Vec<ConditionalUpdate>,
    /// The risks of all these updates. Only operators that support accepted risks fill this list.
    #[serde(default, deserialize_with = "or_default")]
    pub conditional_update_risks: Vec<ObjectRisk>,
    /// Its conditions.
    #[serde(default, deserialize_with = "or_default")]
    pub conditions: Vec<Condition>,
}

/// A release that the operator reconciled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// `Completed` or `Partial`.
    #[serde(default, deserialize_with = "or_default")]
    pub state: String,
    /// Its version.
    #[serde(default, deserialize_with = "or_default")]
    pub version: String,
    /// Its image.
    #[serde(default, deserialize_with = "or_default")]
    pub image: String,
    /// Which risks and failed checks the administrator accepted for the update.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "String::is_empty")]
    pub accepted_risks: String,
}

/// Reads null as if the key were missing.
fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}
