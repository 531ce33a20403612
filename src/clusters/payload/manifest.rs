//! A manifest of a payload.

use std::collections::BTreeSet;

use crate::domain::ids;
use crate::text::Span;

ids! {
    /// A manifest, in the order of the payload.
    ManifestId;
}

/// A manifest of a payload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The name of its file.
    pub file: String,
    pub group: String,
    pub kind: String,
    pub namespace: String,
    pub name: String,
    /// The names and versions that a ClusterOperator declares to reach.
    pub versions: Vec<(String, String)>,
    /// The kind that the manifest defines, and its API group.
    pub defines: Option<(String, String)>,
    /// The feature gates that must be on, or off if the name begins with `-`.
    pub gates: BTreeSet<String>,
    /// Whether the operator deletes the object.
    pub is_deleted: bool,
    /// The place of its name.
    pub place: Option<Span>,
    /// A hash of its content. Equal manifests have equal hashes.
    pub hash: u64,
}

impl Manifest {
    /// Whether the manifest is a job. Nothing else is applied in parallel with a job.
    pub fn is_job(&self) -> bool {
        self.group == "batch" && self.kind == "Job"
    }

    pub fn is_cluster_operator(&self) -> bool {
        self.group == "config.openshift.io" && self.kind == "ClusterOperator"
    }

    /// Whether the next step waits for the object.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.is_cluster_operator() && !self.is_deleted
    }

    /// The kind and the name, in the operator's words.
    pub fn title(&self) -> String {
        let kind = self.kind.to_lowercase();
        match self.namespace.as_str() {
            "" => format!("{kind} \"{}\"", self.name),
            namespace => format!("{kind} \"{namespace}/{}\"", self.name),
        }
    }

    /// The identity of its object: group, kind, namespace, and name.
    pub(crate) fn object(&self) -> [&str; 4] {
        [&self.group, &self.kind, &self.namespace, &self.name]
    }

    /// Whether no cluster applies both, because of feature gates.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        let is_off = |gates: &BTreeSet<String>, other: &BTreeSet<String>| {
            let mut off = gates.iter().filter_map(|gate| gate.strip_prefix('-'));
            off.any(|gate| other.contains(gate))
        };
        is_off(&self.gates, &other.gates) || is_off(&other.gates, &self.gates)
    }
}
