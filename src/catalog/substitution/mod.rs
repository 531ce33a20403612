//! Rebuilds of bundles that take the place of others in the update graph.
//!
//! opm does this only for templates. What is declared in ClusterServiceVersions has no effect in
//! catalogs.

mod apply;
mod chains;
mod effect;
mod fault;
mod like_opm;
mod loss;
mod packages;
mod request;

pub use apply::Substitutions;
pub use chains::{Chains, Contradiction};
pub use effect::{ChannelEffect, GainedEdge, LostEdge};
pub use fault::{Fault, FaultKind};
pub use like_opm::{like_opm, template_fault};
pub use loss::Loss;
pub use packages::SubstitutedPackage;
pub use request::{Request, Requests, chains};
