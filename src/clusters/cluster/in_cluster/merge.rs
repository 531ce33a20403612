//! Adds the cluster's own risks to the updates that the service offers.

use super::super::object::{ClusterVersion, ConditionalUpdate, Release, parse_version};
use super::super::{Level, Log};
use super::alerts;
use super::upgradeable::Blockers;
use super::{FoundRisk, InCluster};
use crate::domain::{Minor, Version};
use crate::go::quoted;

/// The combined name of all sources, as the operator writes it.
const SOURCES: &str = "Aggregate(Alert, Aggregate(ClusterVersionUpdating, \
                       ClusterVersionOverrides, ResourceDeletionInProgress, AdminAck, \
                       ClusterOperatorUpgradeable))";

/// The updates of a cluster.
pub(in super::super) struct Targets<'a> {
    pub(in super::super) updates: &'a mut Vec<Release>,
    pub(in super::super) conditional_updates: &'a mut Vec<ConditionalUpdate>,
}

/// Adds the cluster's own risks to its updates. An update that gets a risk becomes conditional.
pub(in super::super) fn merge(
    cluster: &ClusterVersion,
    running: &str,
    inside: &InCluster,
    level: Level,
    targets: Targets<'_>,
    log: &mut Log,
) {
    let Targets { updates, conditional_updates } = targets;
    let mut found = alerts::risks(&inside.alerts);
    if level.has_risks_of_upgradeable() {
        found.extend(Blockers::of(cluster, running, inside).into_risks());
    }
    found.sort_by(|a, b| a.risk.name.cmp(&b.risk.name));
    let mut faults = Vec::new();
    let running = parse_version(running).ok();
    for found in &found {
        let name = &found.risk.name;
        if !is_name(name) {
            faults.push(format!(
                "invalid risk name {} does not match {}",
                quoted(name),
                quoted("^[A-Z][A-Za-z0-9.-]*$")
            ));
            continue;
        }
        let affects = |version: &str| found.affects(running.as_ref(), version);
        let mut diverges = false;
        for update in conditional_updates.iter_mut() {
            if !affects(&update.release.version) {
                continue;
            }
            let risks = update.risks.get_or_insert_default();
            match risks.iter().find(|risk| risk.name == *name) {
                None => risks.push(found.risk.clone()),
                Some(known) => {
                    diverges |= (&known.url, &known.message, &known.matching_rules)
                        != (&found.risk.url, &found.risk.message, &found.risk.matching_rules);
                }
            }
        }
        if diverges {
            faults.push(format!("divergent definitions of risk {}", quoted(name)));
        }
        let (moved, kept) =
            std::mem::take(updates).into_iter().partition(|release| affects(&release.version));
        *updates = kept;
        let moved: Vec<Release> = moved;
        conditional_updates.extend(moved.into_iter().map(|release| ConditionalUpdate {
            release,
            risks: Some(vec![found.risk.clone()]),
            ..ConditionalUpdate::default()
        }));
    }
    if !faults.is_empty() {
        log.error(format!(
            "merging risks from {SOURCES} failed, which might impact risk evaluation: {}",
            faults.join("\n")
        ));
    }
}

impl FoundRisk {
    /// Whether it affects an update to a version. A text that is not a version counts as another
    /// minor version.
    fn affects(&self, running: Option<&Version>, target: &str) -> bool {
        let minor = parse_version(target).ok().map(|version| Minor::of(&version));
        let (Some(running), Some(minor)) = (running.map(Minor::of), minor) else { return true };
        self.affects_patches || minor > running
    }
}

/// Whether a risk can have this name.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-')
}
