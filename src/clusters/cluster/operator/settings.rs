//! The settings with which an operator was started.

use std::collections::BTreeSet;

use super::super::Level;
use super::super::object::ClusterVersion;

/// The settings with which an operator was started.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag or a gate of the operator")]
pub struct Settings {
    /// Its version.
    pub level: Level,
    /// Whether it supports accepted risks and the cluster's own risks (the feature gate
    /// `ClusterUpdateAcceptRisks`).
    pub accepts_risks: bool,
    /// Whether it stores the architecture of releases (the feature gate `ImageStreamImportMode`).
    pub shows_architecture: bool,
    /// Whether its cluster's control plane is hosted by another cluster.
    pub is_hosted: bool,
    /// Whether it writes the cluster's id into queries.
    pub injects_cluster_id: bool,
    /// Whether it limits how often it asks Prometheus. If not, all queries are asked at once, which
    /// gives the state that a cluster reaches after some time.
    pub is_throttled: bool,
    /// The least time between two queries, in milliseconds.
    pub between_queries: i64,
    /// The update service of the flag `--update-service`.
    pub update_service: Option<String>,
    /// Whether its build has a default update service for clusters that set none.
    pub has_default_service: bool,
    /// The time between two retrievals, in milliseconds.
    pub check_interval: i64,
    /// The architecture that it is built for, by the update service's name.
    pub architecture: &'static str,
}

impl Settings {
    /// The settings of an operator of this version without flags.
    pub fn of(level: Level) -> Self {
        Self {
            level,
            accepts_risks: false,
            shows_architecture: false,
            is_hosted: false,
            injects_cluster_id: false,
            is_throttled: false,
            between_queries: 1_000,
            update_service: None,
            has_default_service: true,
            check_interval: 180_000,
            architecture: "amd64",
        }
    }

    /// Whether it supports accepted risks and the cluster's own risks.
    pub(super) fn has_own_risks(&self) -> bool {
        self.accepts_risks && !self.is_hosted
    }

    /// The names of the risks that the administrator accepts.
    pub(super) fn accepted(&self, cluster: &ClusterVersion) -> BTreeSet<String> {
        if !self.has_own_risks() {
            return BTreeSet::new();
        }
        let update = cluster.spec.desired_update.iter();
        update.flat_map(|update| &update.accept_risks).map(|risk| risk.name.clone()).collect()
    }
}
