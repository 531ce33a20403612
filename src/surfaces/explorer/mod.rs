//! A page on which people look at update graphs: one file that loads nothing. A script in it
//! answers what `simulate` answers, for any choice of risks.
//!
//! From below: `pool` numbers what many parts of a graph share, `versions`, `updates`, `causes`,
//! `channels`, and `clusters` make numbers of graphs, `document` is what the script reads, `packed`
//! makes text of it, and `page` is the file. The folder `page` has its script and its styles.

mod by_arch;
mod catalog;
mod causes;
mod channels;
mod clusters;
mod document;
mod explored;
mod packed;
mod page;
mod pool;
mod start;
mod updates;
mod versions;

use crate::channel_list::ChannelList;
use crate::graph::{ChannelId, UpdateGraph};
use crate::graph_data::GraphData;
use crate::lineage::{ChannelAges, Provenance, Supported};
use crate::session::KnownGraph;

pub(crate) use catalog::catalog_page;
#[cfg(feature = "serve")]
pub(crate) use document::data;
pub(crate) use explored::Explored;
pub(crate) use page::page;
#[cfg(feature = "serve")]
pub(crate) use page::policy;
pub(crate) use start::Start;

/// What a page shows.
#[derive(Debug, Default)]
pub(crate) struct Exploration<'e> {
    pub title: String,
    /// The states of the graph, oldest first. There is at least one.
    pub states: Vec<ExploredState<'e>>,
    /// Only these channels. If empty, all that the states are about.
    pub channels: Vec<String>,
    pub start: Start,
    /// Whether the page asks the service that serves it for newer data.
    pub is_live: bool,
}

/// The graph at one time, and what is known about it.
#[derive(Debug)]
pub(crate) struct ExploredState<'e> {
    /// What people call the state.
    pub label: String,
    /// The graph of all channels, or graphs that each have one channel.
    pub graphs: Vec<ExploredGraph<'e>>,
    pub supported: &'e Supported,
    pub ages: &'e ChannelAges,
    /// The repository. None for a graph without one.
    pub data: Option<&'e GraphData>,
    /// What the channels are for.
    pub channels: ChannelList,
    /// Where the updates come from, in sentences.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ExploredGraph<'e> {
    pub graph: &'e UpdateGraph,
    /// The only channel that the graph contains completely. None if it contains all channels
    /// completely.
    pub channel: Option<ChannelId>,
}

impl Exploration<'_> {
    fn shows(&self, explored: ExploredGraph<'_>, channel: ChannelId) -> bool {
        if self.channels.is_empty() {
            return explored.channel.is_none_or(|only| only == channel);
        }
        self.channels.contains(&explored.graph.channels[channel])
    }
}

impl<'e> ExploredState<'e> {
    pub(crate) fn of(known: &'e KnownGraph, label: &str) -> Self {
        Self {
            label: label.to_owned(),
            graphs: vec![ExploredGraph { graph: &known.graph, channel: known.channel }],
            supported: &known.supported,
            ages: &known.ages,
            data: known.data.as_ref(),
            channels: known.channel_list(),
            notes: Self::notes(&known.provenance),
        }
    }

    /// Where updates come from, in sentences.
    pub(crate) fn notes(provenance: &Provenance) -> Vec<String> {
        let source = format!("Updates are from {}{}.", provenance.in_words(), provenance.gaps());
        let notes = provenance.notes.iter().map(|note| sentence(note));
        [source].into_iter().chain(notes).collect()
    }
}

/// A note as a sentence of its own.
fn sentence(note: &str) -> String {
    let mut letters = note.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str().trim_end_matches('.'))
}
