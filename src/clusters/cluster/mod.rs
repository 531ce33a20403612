//! What a cluster does with the updates that it is offered.

mod answer;
mod applies;
mod errors;
mod explanation;
mod exposure;
mod first_look;
mod in_cluster;
mod level;
mod log;
mod minor_outlook;
pub mod object;
mod offer;
mod operator;
mod recommendation;
mod refusal;
mod timeline;
mod unknown_alert;

#[cfg(feature = "testing")]
pub use answer::ConditionalEdges;
pub use answer::ServiceAnswer;
pub use applies::Applies;
pub(crate) use explanation::{ExplainedPart, Explanation};
pub use exposure::{Exposure, MatchingRule};
pub(crate) use first_look::{UNKNOWN_ID, first_look, healthy};
#[cfg(feature = "testing")]
pub use in_cluster::ClusterOperator;
pub use in_cluster::InCluster;
pub use level::Level;
pub use log::Log;
#[cfg(feature = "testing")]
pub use log::LogLine;
pub(crate) use minor_outlook::{ForwardState, MinorOutlook, speaks_of};
#[cfg(feature = "testing")]
pub use offer::Offer;
#[cfg(feature = "testing")]
pub use operator::Request;
pub use operator::{Acceptance, Operator, Outcome, Response, Settings, Stored, Surroundings};
pub(crate) use operator::{get_failed, unexpected_status};
#[cfg(feature = "testing")]
pub use recommendation::EvaluatedRisk;
pub use recommendation::{Recommendation, RiskText, Status};
pub(crate) use refusal::Refusal;
pub(crate) use timeline::{
    OPERATOR_ASKS, SERVICE_READS, TIMELINE_LENGTH, Timeline, TimelineEvent, TimelineQuestion,
    TimelineStep, UpdateState,
};
pub(crate) use unknown_alert::fires_at;
