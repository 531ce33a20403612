//! What a cluster makes of what it is offered.

mod exposure;
mod recommendation;

pub(crate) use exposure::{Exposure, MatchingRule};
pub(crate) use recommendation::{Recommendation, RiskText, Status};
