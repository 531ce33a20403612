//! OLM at work in one namespace: what it does when installs and updates fail.

mod catalog_sync;
mod csv_sync;
mod csvs;
mod happens;
mod namespace;
mod phase;
mod plan_state;
mod snapshot;

pub use catalog_sync::{Answer, Look};
pub use csv_sync::{Change, Visit};
pub use csvs::{Csv, Csvs, Health};
pub use happens::from_catalog;
pub use namespace::{AboutPlan, Condition, Namespace, Plan, State, Subscription};
pub use phase::{Phase, PlanPhase, Strategy};
pub use snapshot::Snapshot;
