//! Many clusters: what each of them is offered, how many have no update, and because of what.
//!
//! Clusters that run the same release in the same channel, and of which the same is known, are a
//! class. What a class is offered is found out once: `rows` reads files line by line, `class` says
//! what is known of clusters, `outlook` asks the cluster's operator and the simulation, and `tally`
//! counts.

mod class;
mod columns;
mod goal;
mod line_limit;
mod objects;
mod outlook;
mod patch;
mod platform;
mod rows;
mod tally;

pub use class::ClusterRow;
pub(crate) use class::{ClusterClass, Facts, RiskAnswer};
pub use columns::Defaults;
pub(crate) use goal::{FleetGoal, GoalAnswer};
pub(crate) use objects::rows_of_objects;
pub(crate) use outlook::{ClassOutlook, FleetGraph, RiskCount};
pub(crate) use patch::patches;
pub(crate) use platform::Platform;
pub use rows::{RowFault, read_rows};
pub(crate) use tally::{CountedClass, Fleet, KeptNames};
