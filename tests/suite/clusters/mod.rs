//! What clusters do, compared with real operators and clients.

pub(crate) mod channels;
pub(crate) mod cluster_levels;
pub(crate) mod cluster_objects;
pub(crate) mod cluster_view;
pub(crate) mod compare;
pub(crate) mod cvo;
pub(crate) mod diff;
pub(crate) mod enhancement;
pub(crate) mod fleet;
mod fleet_store;
pub(crate) mod graph_task_vectors;
mod guarantee;
pub(crate) mod intents;
pub(crate) mod mco_vectors;
mod mirror;
pub(crate) mod newly_stranded;
pub(crate) mod node_pools;
pub(crate) mod oc;
pub(crate) mod online;
pub(crate) mod operator;
pub(crate) mod random_pools;
pub(crate) mod rollout;
mod telemetry;
mod timeline;
pub(crate) mod update_status;
pub(crate) mod vector_cases;
