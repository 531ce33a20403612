//! The platforms of clusters: those of sample clusters, and those that only have a name.

use crate::domain::Named;
use crate::metrics::SampleCluster;

/// What `status.platformStatus.type` of an Infrastructure can be without a sample cluster.
const OTHERS: &[&str] = &[
    "AlibabaCloud",
    "EquinixMetal",
    "External",
    "IBMCloud",
    "KubeVirt",
    "Libvirt",
    "Nutanix",
    "PowerVS",
    "oVirt",
];

/// A platform, by the name of its sample cluster, or else as Kubernetes spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Platform(&'static str);

impl Platform {
    /// Letter case and hyphens do not matter: Kubernetes writes `BareMetal`.
    pub(super) fn named(text: &str) -> Option<Self> {
        let letters = |name: &str| name.replace('-', "").to_lowercase();
        let mut known = SampleCluster::names().chain(OTHERS.iter().copied());
        known.find(|name| letters(name) == letters(text)).map(Self)
    }

    pub(super) fn names() -> Vec<&'static str> {
        SampleCluster::names().chain(OTHERS.iter().copied()).collect()
    }

    pub(crate) fn name(self) -> &'static str {
        self.0
    }

    /// What is known of its series. Of a platform without a sample cluster, that is its name.
    pub(super) fn series(self) -> String {
        SampleCluster::named(self.0).map_or_else(
            || format!("cluster_infrastructure_provider{{type=\"{}\"}} 1", self.0),
            |sample| sample.text.to_owned(),
        )
    }
}
