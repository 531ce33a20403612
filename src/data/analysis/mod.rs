//! What happens to clusters when conditional updates are removed: which releases are stranded, and
//! by which risks. This module does not know where a graph comes from.

mod by_target;
mod causes;
mod channel_graph;
mod cluster_counts;
mod contradictions;
mod dropped_updates;
mod former_targets;
mod gaps;
#[cfg(feature = "lsp")]
mod graph_difference;
mod guarantee;
mod nearest_exit;
#[cfg(feature = "lsp")]
mod node_pairs;
mod offered;
pub(crate) mod phrases;
mod ranking;
#[cfg(feature = "lsp")]
mod reason_pairs;
mod risk_names;
mod route;
mod simulation;
mod stranded;
mod stranding_sets;
mod twins;

pub(crate) use causes::{CaseId, Cases, CauseGroup, DeadEnd, StrandedBy, causes};
pub use channel_graph::{ChannelGraph, MemberId};
pub(crate) use cluster_counts::ClusterCounts;
pub(crate) use contradictions::Contradictions;
pub(crate) use dropped_updates::{DropReason, DroppedUpdate};
pub(crate) use former_targets::FormerTargets;
pub(crate) use gaps::Gaps;
#[cfg(feature = "lsp")]
pub(crate) use graph_difference::{
    GraphDifference, OtherUpdates, UpdatesByTarget, channels_not_in_both, meaning, shared_channels,
    texts, updates_by_target,
};
pub use guarantee::{AimProof, Failing, Guarantee};
pub(crate) use guarantee::{Digests, LostPath, lost_paths};
pub(crate) use nearest_exit::{NearExit, NearExits};
#[cfg(feature = "lsp")]
pub(crate) use node_pairs::NodePairs;
pub(crate) use offered::Offered;
pub(crate) use ranking::{RankedRisk, ranked_risks};
#[cfg(feature = "lsp")]
pub(crate) use reason_pairs::{ReasonPairs, ReasonsAfter};
pub use risk_names::{AffectingRisks, ChosenRisks, RiskNameId, RiskNames};
pub(crate) use route::{
    BestRoute, BestRoutes, GoalArea, Hop, Leg, NoRoute, Route, RouteArea, RouteKind, RouteLimits,
    RouteRisks, Routes, SafeUpdates,
};
pub use simulation::Simulation;
pub(crate) use simulation::{
    KnownChannels, SimulatedChannel, SimulatedChannelId, SimulationRequest, StrandedId,
};
pub use stranded::{Cause, Goal, Stranded};
#[cfg(feature = "testing")]
pub use stranded::{ChannelQuestion, Targets, stranded};
#[cfg(feature = "testing")]
pub use stranding_sets::Budget;
pub(crate) use stranding_sets::LARGEST_SET;

pub(crate) use stranded::{ClusterKind, without_any_exit};
