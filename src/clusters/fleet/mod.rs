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
mod query_answers;
mod risk_answer;
mod rows;
mod tally;

pub use class::ClusterRow;
pub(crate) use class::{ClusterClass, Facts, MinorRefusal};
pub use columns::Defaults;
pub(crate) use goal::{FleetGoal, GoalAnswer, GoalPath};
pub(crate) use objects::rows_of_objects;
pub(crate) use outlook::{ClassOutlook, FleetGraph};
pub(crate) use patch::{Patches, patches};
pub(crate) use platform::Platform;
pub(crate) use query_answers::QueryAnswers;
pub(crate) use risk_answer::{RiskAnswer, RiskCount};
pub use rows::{RowFault, TakeRow, read_rows};
pub(crate) use tally::{CountedClass, Fleet, KeptNames, Refusing};
