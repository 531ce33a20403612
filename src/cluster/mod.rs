//! What a cluster makes of what it is offered.

mod answer;
mod applies;
mod clock;
mod errors;
mod explanation;
mod exposure;
mod forward;
mod go_url;
mod in_cluster;
mod level;
mod log;
pub mod object;
mod offer;
mod operator;
mod recommendation;
mod refusal;
mod unknown_alert;

pub use answer::{Answer, ConditionalEdges};
pub use applies::Applies;
pub(crate) use explanation::{Explanation, Part};
pub use exposure::{Exposure, MatchingRule};
pub(crate) use forward::{Forward, ForwardState, speaks_of};
pub use in_cluster::{ClusterOperator, InCluster};
pub use level::Level;
pub use log::{Log, LogLine};
pub use offer::Offer;
pub use operator::{Acceptance, Operator, Outcome, Request, Response, Settings, Stored, World};
pub(crate) use operator::{get_failed, unexpected_status};
pub use recommendation::{JudgedRisk, Recommendation, RiskText, Status};
pub(crate) use refusal::Refusal;
pub(crate) use unknown_alert::fires_at;
