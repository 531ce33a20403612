//! The reports of `rollout`.

mod payload;
mod pool_status;
mod pools;
mod status;

pub(crate) use payload::{PayloadFormat, PayloadReport};
pub(crate) use pools::{PoolRun, PoolsReport};
pub(crate) use status::StatusReport;

use crate::domain::Named;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RolloutFormat {
    Human,
    Json,
}

impl Named for RolloutFormat {
    const ALL: &'static [Self] = &[Self::Human, Self::Json];

    fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
        }
    }
}
