//! Rebuilds of bundles that take the place of others in the update graph.
//!
//! opm does this only for templates. What is declared in ClusterServiceVersions has no effect in
//! catalogs.

mod apply;
mod chains;
mod effect;
mod request;

pub use apply::Substitutions;
pub use chains::{Chains, Contradiction};
pub use effect::{ChannelEffect, GainedEdge, LostEdge};
pub use request::{Fault, FaultKind, Request, Requests, chains};
