//! How an update proceeds on a cluster.
//!
//! `gate` says whether a ClusterOperator lets the update continue. `pass` goes over a payload once,
//! and `conditions` computes what the object `ClusterVersion` says then.

mod conditions;
mod gate;
mod kubelet;
mod nodes;
mod objects;
mod pass;
mod pool_view;
mod span;
mod timeline;
mod update_error;
mod update_status;

#[cfg(feature = "testing")]
pub use conditions::Situation;
#[cfg(feature = "testing")]
pub use gate::hold;
pub use gate::{Hold, OldVersion, OperatorState};
pub(crate) use kubelet::supported_skew;
pub(crate) use nodes::{Times, made_up, of_pool, refuse_disputed};
pub(crate) use objects::Objects;
#[cfg(feature = "testing")]
pub use pass::Pass;
pub(crate) use pool_view::{Doing, PoolNodes, PoolView, disputed};
pub(crate) use span::{parse_span, parse_time_range, span, time_range};
pub(crate) use timeline::{HopTimes, Journey, Many, Runs, Timeline};
#[cfg(feature = "testing")]
pub use update_error::{Effect, UpdateError};
pub(crate) use update_status::{CellState, Held, Progress, UpdateStatus};
