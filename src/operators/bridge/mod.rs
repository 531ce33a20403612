//! Which installed operators hold clusters back, and what to update first. OLM blocks the update of
//! a cluster to the next minor version while an operator does not support it.

mod by_stage;
mod cluster;
mod objects;
mod search;
mod series;
mod stage;
mod verdict;

pub use cluster::{Cluster, Installed};
pub(crate) use objects::cluster_of_objects;
pub use search::{Arrival, Step};
pub(crate) use series::clusters_of_series;
pub use stage::{Stage, minors_between};
pub use verdict::{Bridge, Ending, Outcome, Stop, Verdict};
