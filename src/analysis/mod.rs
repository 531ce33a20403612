//! What happens to clusters when conditional updates are removed: which releases are stranded, and
//! which risks strand them.
//!
//! Nothing here knows where a graph comes from.

mod causes;
mod channel_graph;
mod cluster_counts;
mod contradictions;
mod dropped_updates;
mod former_targets;
mod nearest_exit;
mod offered;
mod ranking;
mod risk_names;
mod route;
mod simulation;
mod stranded;
mod stranding_sets;

pub use causes::{CauseGroup, StrandedBy, causes};
pub use channel_graph::{ChannelGraph, ChannelUpdate, Member, MemberId};
pub use cluster_counts::ClusterCounts;
pub use contradictions::Contradictions;
pub use dropped_updates::{DropReason, DroppedUpdate};
pub use former_targets::FormerTargets;
pub use nearest_exit::{NearExit, NearExits};
pub use offered::Offered;
pub use ranking::{RankedRisk, ranked_risks};
pub use risk_names::{Chosen, Removal, RiskNameId, RiskNames};
pub use route::{Hop, NoRoute, Route, RouteArea, RouteKind, Routes};
pub use simulation::{Request, Simulated, Simulation};
pub use stranded::{Cause, ClosedUpdate, Goal, Question, Stranded, Targets, stranded};
pub use stranding_sets::{Budget, LARGEST, StrandingSets};

pub(crate) use stranded::{ClusterKind, without_any_exit};
