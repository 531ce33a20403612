//! ClusterServiceVersions.

use serde_json::Value as Json;

use super::text_at;

/// The annotation in which OLM keeps the properties of the bundle.
pub(crate) const PROPERTIES: &str = "operatorframework.io/properties";

pub(super) const NAMESPACE: &str = "olm.operatorNamespace";
pub(super) const COPIED_FROM: &str = "olm.copiedFrom";

/// Whether a CSV is a copy. OLM copies the CSVs of global operators to all namespaces, and looks
/// only at the originals.
pub(super) fn is_copied(
    namespace: Option<&str>,
    operator_namespace: Option<&str>,
    has_label: bool,
    reason: Option<&str>,
) -> bool {
    let is_elsewhere = operator_namespace.is_some_and(|own| namespace != Some(own));
    has_label || is_elsewhere || reason == Some("Copied")
}

/// Whether a CSV is a copy that OLM made.
pub(crate) fn is_copied_csv(csv: &Json) -> bool {
    let metadata = &csv["metadata"];
    is_copied(
        metadata["namespace"].as_str(),
        metadata["annotations"][NAMESPACE].as_str(),
        !metadata["labels"][COPIED_FROM].is_null(),
        Some(text_at(csv, "/status/reason")),
    )
}
