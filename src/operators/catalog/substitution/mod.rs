//! Rebuilds of bundles that take the place of others in the update graph.
//!
//! opm does this only for templates. In a catalog, what ClusterServiceVersions declare has no
//! effect.

mod apply;
mod chains;
mod effect;
mod fault;
mod like_opm;
mod loss;
mod packages;
mod request;

#[cfg(feature = "testing")]
pub use apply::Substitutions;
#[cfg(feature = "testing")]
pub use chains::{Chains, Contradiction};
pub use effect::ChannelEffect;
#[cfg(feature = "testing")]
pub use effect::{GainedEdge, LostEdge};
pub use fault::{FaultKind, SubstitutionFault};
pub use like_opm::{like_opm, template_fault};
pub use loss::Loss;
pub use packages::SubstitutedPackage;
pub use request::Requests;
#[cfg(feature = "testing")]
pub use request::{Request, chains};
