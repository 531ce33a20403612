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

#[cfg(feature = "testing")]
pub use advice::Advice;
pub use advice::{Act, ManualStep, OlmReaction, Wait};
pub(crate) use advice::{NEXT, NoVerdict, Problem, ProblemKind};
pub use audit::{ChannelAudit, Rescued};
pub use catalog_sync::{ResolverAnswer, SyncOutcome};
#[cfg(feature = "testing")]
pub use csv_sync::{Change, Visit};
pub use csvs::Health;
#[cfg(feature = "testing")]
pub use csvs::{Csv, Csvs};
pub use event::Event;
#[cfg(feature = "testing")]
pub use event::{CsvEvent, PlanEvent};
pub(crate) use event::{FORMS, script};
pub use happens::from_catalog;
#[cfg(feature = "testing")]
pub use namespace::{AboutPlan, Condition, Plan};
pub use namespace::{Namespace, State, Subscription};
#[cfg(feature = "testing")]
pub use objects::ReadNamespace;
pub use objects::{ObjectFinding, read_namespace};
pub use phase::{Phase, PlanPhase, Strategy};
pub use run::{Run, Scripted, ScriptedRun, Step};
pub use settle::NamespaceChange;
#[cfg(feature = "testing")]
pub use settle::Settled;
pub use snapshot::Snapshot;
