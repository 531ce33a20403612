//! Reads what `oc get clusterversion,clusteroperators,mcp,nodes -o yaml` prints, or any part of it.

mod kinds;

use std::collections::BTreeMap;

use kinds::{list, machine_config_node, node, operator, pool};
use serde_json::Value as Json;

use crate::cluster::object::{ClusterVersion, cluster_version};
use crate::domain::time::parse_time;
use crate::objects::text_at as text;
use crate::pools::{Cluster, MachineConfigNode, Topology};
use crate::text::Failure;

use super::gate::OperatorState;

/// The objects of a cluster that matter for an update.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    pub cluster_version: Option<ClusterVersion>,
    pub operators: BTreeMap<String, OperatorState>,
    pub cluster: Cluster,
    /// When each pool was created, in seconds since 1970.
    created: BTreeMap<String, i64>,
    /// The newest time in the objects, in seconds since 1970.
    now: Option<i64>,
    /// Whether nodes were among the objects.
    pub has_nodes: bool,
    machine_config_nodes: BTreeMap<String, MachineConfigNode>,
}

/// The most pools. No real cluster has as many, and each node is compared with each pool.
const MOST_POOLS: usize = 100;

impl Objects {
    /// Reads the objects. The error has no period at its end.
    pub(crate) fn of(objects: &[Json]) -> Result<Self, Failure> {
        let mut found = Self::default();
        objects.iter().try_for_each(|object| found.add(object))?;
        found.finish()
    }

    /// Checks all objects together.
    fn finish(mut self) -> Result<Self, Failure> {
        for node in &mut self.cluster.nodes {
            node.machine_config_node = self.machine_config_nodes.remove(&node.name);
        }
        self.has_nodes = !self.cluster.nodes.is_empty();
        if self.cluster.pools.len() > MOST_POOLS {
            return Err(Failure::new(format!(
                "there are more than {MOST_POOLS} MachineConfigPools"
            )));
        }
        let has_any = self.cluster_version.is_some()
            || !self.operators.is_empty()
            || !self.cluster.pools.is_empty();
        if has_any {
            return Ok(self);
        }
        Err(match self.cluster.nodes.len() {
            0 => "there is no ClusterVersion, ClusterOperator, MachineConfigPool, or Node".into(),
            _ => "there are nodes, but no MachineConfigPool that says what they should get".into(),
        })
    }

    /// The missing kinds of objects that would show more of the progress.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let kinds = [
            (self.cluster_version.is_some(), "ClusterVersion"),
            (!self.operators.is_empty(), "ClusterOperator"),
            (!self.cluster.pools.is_empty(), "MachineConfigPool"),
            (self.has_nodes, "Node"),
        ];
        kinds.into_iter().filter(|(is_there, _)| !is_there).map(|(_, kind)| kind).collect()
    }

    /// The age of a pool in seconds, relative to the newest time in the objects.
    pub(crate) fn age(&self, pool: &str) -> u64 {
        let created = self.created.get(pool).copied();
        let age = created.zip(self.now).map_or(0, |(created, now)| now.saturating_sub(created));
        u64::try_from(age).unwrap_or(0)
    }

    /// Whether the control plane has an arbiter.
    pub(crate) fn has_arbiter(&self) -> bool {
        self.cluster.topology == Topology::Arbiter
    }

    fn add(&mut self, object: &Json) -> Result<(), Failure> {
        let (kind, name) = (text(object, "/kind"), text(object, "/metadata/name"));
        let is_operator = || text(object, "/metadata/labels/k8s-app") == "machine-config-operator";
        if !KINDS.contains(&kind) || kind == "Pod" && !is_operator() {
            return Ok(());
        }
        if name.is_empty() {
            return Err(Failure::new(format!("a {kind} has no name")));
        }
        self.note_times(object);
        match kind {
            "ClusterVersion" => {
                self.cluster_version = Some(cluster_version(object)?);
            }
            "ClusterOperator" => {
                self.operators.insert(name.to_owned(), operator(name, object));
            }
            "MachineConfigPool" => {
                let created = parse_time(text(object, "/metadata/creationTimestamp"));
                self.created.extend(created.map(|time| (name.to_owned(), time / 1000)));
                self.cluster.pools.push(pool(name, object)?);
            }
            "Node" => self.cluster.nodes.push(node(name, object)),
            "MachineConfigNode" => {
                self.machine_config_nodes.insert(name.to_owned(), machine_config_node(object));
            }
            "Infrastructure" => {
                let topology = text(object, "/status/controlPlaneTopology");
                let is_arbiter = topology == "HighlyAvailableArbiter";
                self.cluster.topology =
                    if is_arbiter { Topology::Arbiter } else { Topology::Other };
            }
            "Pod" => {
                let node = text(object, "/spec/nodeName");
                self.cluster.operator_node = Some(node.to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    /// Updates the current time, which is the newest time in any object.
    fn note_times(&mut self, object: &Json) {
        let conditions = list(object, "/status/conditions").iter();
        let times = conditions.flat_map(|condition| {
            [text(condition, "/lastTransitionTime"), text(condition, "/lastHeartbeatTime")]
        });
        let times = times.chain([text(object, "/metadata/creationTimestamp")]);
        let newest = times.filter_map(parse_time).map(|time| time / 1000).max();
        self.now = self.now.max(newest);
    }
}

const KINDS: [&str; 7] = [
    "ClusterVersion",
    "ClusterOperator",
    "MachineConfigPool",
    "Node",
    "MachineConfigNode",
    "Infrastructure",
    "Pod",
];
