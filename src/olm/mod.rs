//! OLM at work in one namespace: what it does when installs and updates fail.

mod advice;
mod audit;
mod catalog_sync;
mod csv_sync;
mod csvs;
mod event;
mod happens;
mod namespace;
mod objects;
mod phase;
mod plan_state;
mod run;
mod settle;
mod snapshot;

pub use advice::{Act, Advice, Hand, Then, Wait};
pub(crate) use advice::{NEXT, NotJudged, Problem, Trouble};
pub use audit::{ChannelAudit, Rescued};
pub use catalog_sync::{Answer, Look};
pub use csv_sync::{Change, Visit};
pub use csvs::{Csv, Csvs, Health};
pub use event::{CsvEvent, Event, PlanEvent};
pub(crate) use event::{FORMS, script};
pub use happens::from_catalog;
pub use namespace::{AboutPlan, Condition, Namespace, Plan, State, Subscription};
pub use objects::{ObjectFinding, ReadNamespace, read_namespace};
pub use phase::{Phase, PlanPhase, Strategy};
pub use run::{Run, Scripted, Stage, Step};
pub use settle::{Deed, Settled};
pub use snapshot::Snapshot;
