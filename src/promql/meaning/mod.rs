//! What a query can answer, whatever the cluster.

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
pub use labels::{CLUSTER_ID, Label, Labels};
pub use metrics::label_for_name;
pub use needs::{Conflict, Needs};
pub use remark::{Dropped, Remark};
pub use shape::{ManyCause, SampleCount, Shape};
pub use values::Values;
