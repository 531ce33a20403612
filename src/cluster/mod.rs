//! What a cluster makes of what it is offered.

mod explanation;
mod exposure;
pub mod object;
mod recommendation;

pub(crate) use explanation::{Explanation, Part};
pub use exposure::{Exposure, MatchingRule};
pub use recommendation::{Recommendation, RiskText, Status};
