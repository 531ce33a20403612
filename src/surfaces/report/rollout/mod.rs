//! The reports of `rollout`.

mod payload;
mod pool_status;
mod pools;
mod status;

pub(crate) use payload::PayloadReport;
pub(crate) use pools::{PoolRun, PoolsReport};
pub(crate) use status::StatusReport;
