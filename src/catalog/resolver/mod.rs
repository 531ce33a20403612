//! Where an installed operator moves next: as OLM v0 decides, and as OLM v1 does.

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
pub mod v1;
mod wish;

pub(crate) use constraint::constraint_fault;
pub use namespace::{Failure, Installed, Namespace, Resolution, Subscription};
pub(crate) use order::OrderError;
pub use order::order;
pub use pool::Pool;
pub use v0::Why;
