//! Made-up channels for tests of clients: a few lines say which updates a service offers, and how
//! it misbehaves.

mod behavior;
mod built_in;
mod file;
mod graph;
mod updates;

pub(crate) use behavior::{AnswerChanges, Behavior};
pub(crate) use built_in::built_in;

use crate::graph::{ChannelId, UpdateGraph};
use crate::text::Failure;

/// What a service offers in a test.
#[derive(Debug)]
pub(crate) struct Scenario {
    /// The channels, sorted by name.
    pub channels: Vec<ScenarioChannel>,
}

#[derive(Debug)]
pub(crate) struct ScenarioChannel {
    pub name: String,
    pub description: Option<String>,
    /// The phases, of which there is at least one. The first begins with the first request.
    pub phases: Vec<ScenarioPhase>,
}

/// What a channel answers after this many requests for it.
#[derive(Debug)]
pub(crate) struct ScenarioPhase {
    pub after: u64,
    pub graph: UpdateGraph,
    /// The channel in the graph.
    pub channel: ChannelId,
    pub behavior: Behavior,
}

/// The size of the largest scenario file.
pub(crate) const LARGEST: u64 = 1 << 20;

impl Scenario {
    /// Reads a scenario. An error is one line about the first mistake.
    pub(crate) fn read(text: &str, seed: Option<u64>) -> Result<Self, Failure> {
        file::read(text, seed)
    }
}
