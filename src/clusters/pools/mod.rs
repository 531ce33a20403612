//! Pools of nodes: what the machine-config operator does with them, and how long an update takes.
//!
//! The first half is the operator: `sync` looks once at a pool and says what it writes. The
//! second half is a simulation: `Plan` runs an update event by event, with the same order of
//! nodes and the same arithmetic.

mod age;
mod candidates;
mod cluster;
mod event;
mod look;
mod max_unavailable;
mod membership;
mod moment;
mod node;
mod percentiles;
mod plan;
mod pool;
mod random;
mod refusal;
mod rollout;
mod run;
mod status;
mod stuck;
mod sync;
mod table;
mod timeline;

pub(crate) use candidates::ZONE;
pub use candidates::candidates;
pub use cluster::{Cluster, Topology};
pub use event::{Event, What};
#[cfg(feature = "testing")]
pub use event::{HOUR, NodeStage};
#[cfg(feature = "testing")]
pub use look::PoolSync;
pub use max_unavailable::{MaxUnavailable, max_unavailable};
pub use membership::nodes_of;
pub(crate) use membership::{custom_pools, pool_of};
pub use node::{MachineConfigNode, Node, NodeCondition};
pub(crate) use percentiles::nearest_rank;
pub use percentiles::{Percentiles, percentiles};
pub use plan::Plan;
pub use pool::{Counts, Pool, PoolCondition};
pub use random::SplitMix64;
pub(crate) use refusal::{Refusal, endangers_etcd};
pub use rollout::{Drain, PoolMember, Rollout, Start, Time};
pub use run::{Run, RunEnd};
pub use status::{Status, status};
pub use sync::sync;
pub use table::{Row, table};
pub(crate) use timeline::Tally;
