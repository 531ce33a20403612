//! What a query can answer on any cluster.

mod aggregations;
mod answer;
mod binary;
mod calls;
mod contradiction;
mod labels;
mod metrics;
mod needs;
mod or;
mod remark;
mod shape;
mod values;

pub use answer::Answer;
pub use labels::CLUSTER_ID;
pub use metrics::label_for_name;
pub use needs::{Conflict, Needs};
pub use remark::Dropped;
pub use remark::Remark;
pub use shape::{ManyCause, SampleCount, Shape};
pub use values::Values;
