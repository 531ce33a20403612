//! What becomes of clusters when conditional updates are taken away: who is left without an
//! exit path, and which risks do it.
//!
//! Nothing here knows where a graph comes from.

mod causes;
mod change;
mod clusters;
mod contradictions;
mod doors;
mod exits;
mod fixes;
mod former;
mod misread;
mod names;
mod offered;
mod paths;
mod sets;
mod simulation;
mod ways;

pub use causes::{CauseOf, StrandedBy, causes};
pub use change::{Effect, Entry, ExitChange, ExitQuestion};
pub use clusters::Clusters;
pub use contradictions::Contradictions;
pub use doors::{Door, Doors};
pub use exits::{Cause, Exit, Goal, Question, Stranded, Targets, stranded};
pub use fixes::{Fix, fixes};
pub use former::Former;
pub use misread::{How, Misread};
pub use names::{Chosen, Names, Removal};
pub use offered::Offered;
pub use paths::{Step, Steps};
pub use sets::{Budget, Family, LARGEST};
pub use simulation::{Request, Simulated, Simulation};
pub use ways::{Way, Ways};
