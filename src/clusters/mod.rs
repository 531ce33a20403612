//! What clusters do with the graph, and what happens to them.

pub(crate) mod certificate;
pub(crate) mod change;
pub(crate) mod channel_list;
pub(crate) mod cluster;
pub(crate) mod compare;
pub(crate) mod fleet;
pub(crate) mod mirror;
pub(crate) mod objects;
pub(crate) mod oc;
pub(crate) mod online;
pub(crate) mod payload;
pub(crate) mod pools;
pub(crate) mod risks;
pub(crate) mod rollout;
#[cfg(feature = "serve")]
pub(crate) mod scenario;
pub(crate) mod telemetry;
