//! Which manifests of a payload a cluster applies.

use std::collections::BTreeSet;

use crate::yaml::{Document, NodeId};

/// A kind of cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    pub profile: String,
    /// The feature set, or `Default`.
    pub feature_set: String,
}

impl Default for Scope {
    fn default() -> Self {
        Self {
            profile: "self-managed-high-availability".to_owned(),
            feature_set: "Default".to_owned(),
        }
    }
}

pub(super) const INCLUDE: &str = "include.release.openshift.io/";
const EXCLUDE: &str = "exclude.release.openshift.io/";
const FEATURE_SET: &str = "release.openshift.io/feature-set";
const FEATURE_GATE: &str = "release.openshift.io/feature-gate";
const MAJOR_VERSION: &str = "release.openshift.io/major-version";
const DELETE: &str = "release.openshift.io/delete";

/// The annotations of a manifest.
pub(super) struct Annotations<'d> {
    pairs: Vec<(&'d str, &'d str)>,
}

impl<'d> Annotations<'d> {
    pub(super) fn of(document: &'d Document, metadata: Option<NodeId>) -> Self {
        let annotations = metadata.and_then(|id| document.get(id, "annotations"));
        let entries = annotations.map(|id| document.entries(id)).unwrap_or_default();
        let pairs = entries
            .iter()
            .filter_map(|entry| Some((document.text(entry.key)?, document.text(entry.value)?)));
        Self { pairs: pairs.collect() }
    }

    fn get(&self, key: &str) -> Option<&'d str> {
        self.pairs.iter().rev().find(|(own, _)| *own == key).map(|(_, value)| *value)
    }

    /// The profiles for which the manifest is meant.
    pub(super) fn profiles(&self) -> impl Iterator<Item = &'d str> {
        let included = self.pairs.iter().filter(|(_, value)| *value == "true");
        included.filter_map(|(key, _)| key.strip_prefix(INCLUDE))
    }

    /// Whether a cluster applies the manifest. `major` is the major version of the payload.
    pub(super) fn is_in(&self, scope: &Scope, major: Option<&str>) -> bool {
        let has_feature_set = self
            .get(FEATURE_SET)
            .is_none_or(|sets| sets.split(',').any(|set| set == scope.feature_set));
        let has_major = self
            .get(MAJOR_VERSION)
            .zip(major)
            .is_none_or(|(majors, major)| majors.split(',').any(|own| own.trim() == major));
        has_feature_set
            && has_major
            && self.profiles().any(|profile| profile == scope.profile)
            && self.get(&format!("{EXCLUDE}{}", scope.profile)) != Some("true")
    }

    pub(super) fn gates(&self) -> BTreeSet<String> {
        let gates = self.get(FEATURE_GATE).unwrap_or_default().split(',');
        gates.filter(|gate| !gate.is_empty()).map(str::to_owned).collect()
    }

    /// Whether the operator deletes the object.
    pub(super) fn deletes(&self) -> bool {
        self.get(DELETE) == Some("true")
    }
}
