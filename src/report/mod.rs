//! What commands report: one model for each kind of report, and one writer for each format.

mod change;
mod check;
mod markup;
mod route;
mod simulation;
mod style;
mod words;

pub(crate) use change::{ChangeFormat, ChangeReport, ComparedRevisions};
pub use check::{CheckFormat, CheckReport};
pub(crate) use route::{RouteFormat, RouteReport};
pub(crate) use simulation::{SimulationFormat, SimulationReport, write_explanation};
pub use style::Style;
