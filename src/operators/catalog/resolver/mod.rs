//! Decides what the operators of a namespace are updated to, as OLM v0 does.

mod bundle_condition;
mod chain_ends;
mod constraint;
mod gather;
mod namespace;
mod order;
mod pool;
mod problem;
mod reasons;
mod search;
mod step;
mod v0;

pub(crate) use constraint::constraint_fault;
#[cfg(feature = "testing")]
pub use namespace::Resolution;
pub use namespace::{Installed, NoResolution, ResolverNamespace, ResolverSubscription};
pub(crate) use order::OrderError;
pub use order::order;
pub use pool::Pool;
