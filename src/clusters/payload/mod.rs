//! The payload of a release: its manifests, the order in which the operator applies them, and which
//! wait for which.
//!
//! The name of a manifest's file contains its run level and component (`slot`). `stages` says which
//! manifests are applied in parallel, and `task_graph` which wait for which.

mod difference;
mod folder;
mod manifest;
#[allow(clippy::module_inception, reason = "it is the main type of the room")]
mod payload;
mod problems;
mod read;
mod scope;
mod slot;
mod stages;
mod steps;
mod task_graph;

pub(crate) use difference::{Difference, Pair};
pub(crate) use folder::payload_files;
pub use manifest::{Manifest, ManifestId};
pub use payload::Payload;
pub(crate) use payload::Unread;
pub(crate) use problems::{Problem, problems};
#[cfg(feature = "testing")]
pub use read::Files;
pub use scope::Scope;
pub(crate) use slot::Slot;
#[cfg(feature = "testing")]
pub use stages::all_at_once;
pub(crate) use steps::{Cell, Steps};
pub use task_graph::{Mode, TaskGraph, TaskNodeId};
