//! What a cluster makes of what it is offered.

mod answer;
mod applies;
mod clock;
mod errors;
mod explanation;
mod exposure;
mod go_url;
mod in_cluster;
pub mod object;
mod offer;
mod operator;
mod recommendation;

pub use answer::Answer;
pub use applies::Applies;
pub(crate) use explanation::{Explanation, Part};
pub use exposure::{Exposure, MatchingRule};
pub use in_cluster::{ClusterOperator, InCluster};
pub use operator::{
    Level, Log, LogLine, Operator, Outcome, Request, Response, Settings, Stored, World,
};
pub use recommendation::{JudgedRisk, Recommendation, RiskText, Status};
