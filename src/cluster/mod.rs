//! What a cluster makes of what it is offered.

mod explanation;
mod exposure;
mod recommendation;

pub(crate) use explanation::{Explanation, Part};
pub(crate) use exposure::{Exposure, MatchingRule};
pub(crate) use recommendation::{Recommendation, RiskText, Status};
