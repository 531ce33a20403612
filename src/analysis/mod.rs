//! What becomes of clusters when conditional updates are taken away: who is left without an
//! exit path, and which risks do it.
//!
//! Nothing here knows where a graph comes from.

mod contradictions;
mod doors;
mod exits;
mod misread;
mod names;
mod paths;
mod sets;
mod simulation;
mod ways;

pub use contradictions::Contradictions;
pub use doors::{Door, Doors};
pub use exits::{Cause, Exit, Goal, Question, Stranded, stranded};
pub use misread::{How, Misread};
pub use names::{Names, Removal};
pub use paths::{Step, Steps};
pub use sets::{Budget, Family, LARGEST};
pub use simulation::{Request, Simulated, Simulation};
pub use ways::{Way, Ways};
