//! What the service offers at one time: the graphs of all channels, each rendered on its first
//! request.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::channel_list::ChannelList;
use crate::domain::{Arch, Named};
use crate::explorer::{Exploration, ExploredGraph, ExploredState};
use crate::graph::cincinnati::{Readers, write_served, write_whole};
use crate::graph::{ChannelId, Served, UpdateGraph};
use crate::graph_data::GraphData;
use crate::lineage::{ChannelAges, Policy, Provenance, Support, Supported};
use crate::scenario::{AnswerChanges, Behavior, Scenario};

use super::archive::{UnreadableFile, archive};
use super::page::Page;
use super::refusal::Refusal;
use super::rendered::Rendered;

/// What the service offers at one time.
#[derive(Debug)]
pub(crate) struct Offer {
    channels: BTreeMap<String, OfferedChannel>,
    /// The answer with the list of channels.
    pub(super) channel_list: Rendered,
    /// None if there is no graph of all channels.
    whole: Option<Whole>,
    /// The channels and what they are for.
    list: ChannelList,
    facts: GraphFacts,
    pub(super) page: Page,
}

/// The graph of all channels, and the files from which it is made.
#[derive(Debug)]
struct Whole {
    graph: Arc<UpdateGraph>,
    /// The only channel to offer. None for all.
    channel: Option<ChannelId>,
    raw: OnceLock<Rendered>,
    /// None if the graph does not come from a repository.
    data: Option<GraphData>,
    license: Option<Vec<u8>>,
    archive: OnceLock<Result<Rendered, UnreadableFile>>,
}

/// What is known about a graph, for people.
#[derive(Debug)]
pub(crate) struct GraphFacts {
    pub supported: Supported,
    pub ages: ChannelAges,
    pub provenance: Provenance,
}

/// A channel, and what it offers.
#[derive(Debug)]
pub(super) struct OfferedChannel {
    /// The phases. There is at least one, unless the channel is declared but not offered.
    phases: Vec<OfferedPhase>,
    requests: AtomicU64,
}

#[derive(Debug)]
struct OfferedPhase {
    /// The phase begins after this many requests.
    after: u64,
    graph: Arc<UpdateGraph>,
    channel: ChannelId,
    answers: [OnceLock<Arc<Rendered>>; Arch::COUNT],
    behavior: Option<Behavior>,
}

/// What to offer.
#[derive(Debug)]
pub(crate) struct OfferRequest {
    pub graph: UpdateGraph,
    /// The only channel to offer. None for all channels of the graph.
    pub channel: Option<ChannelId>,
    pub channel_list: ChannelList,
    /// None if the graph does not come from a repository.
    pub data: Option<GraphData>,
    pub license: Option<Vec<u8>>,
    pub facts: GraphFacts,
}

impl Offer {
    /// Offers the channels of a graph.
    pub(crate) fn of_graph(request: OfferRequest) -> Self {
        let (graph, facts) = (Arc::new(request.graph), request.facts);
        let mut list = request.channel_list;
        if let Some(only) = request.channel {
            list.channels.retain(|name, _| *name == graph.channels[only]);
        }
        let ids = graph.channels.ids().filter(|id| request.channel.is_none_or(|only| only == *id));
        let channels = ids.map(|id| {
            let name = graph.channels[id].clone();
            let phase = OfferedPhase::new(0, &graph, id, None);
            (name, OfferedChannel::new(vec![phase]))
        });
        let channels = channels.collect();
        let (raw, archive) = (OnceLock::new(), OnceLock::new());
        Self {
            channels,
            channel_list: Rendered::new(list.body().into_bytes()),
            whole: Some(Whole {
                graph,
                channel: request.channel,
                raw,
                data: request.data,
                license: request.license,
                archive,
            }),
            list,
            facts,
            page: Page::default(),
        }
    }

    /// Offers made-up channels.
    pub(crate) fn of_scenario(scenario: Scenario, source: String) -> Self {
        let facts = GraphFacts {
            supported: Supported::without_past(Policy::everywhere(Support::General)),
            ages: ChannelAges::default(),
            provenance: Provenance { source, ..Provenance::default() },
        };
        let declared = scenario.channels.iter();
        let declared =
            declared.map(|channel| (channel.name.as_str(), channel.description.as_deref()));
        let list = ChannelList::declared(declared);
        let channels = scenario.channels.into_iter().map(|channel| {
            let phases = channel.phases.into_iter().map(|phase| {
                let graph = Arc::new(phase.graph);
                OfferedPhase::new(phase.after, &graph, phase.channel, Some(phase.behavior))
            });
            (channel.name, OfferedChannel::new(phases.collect()))
        });
        Self {
            channels: channels.collect(),
            channel_list: Rendered::new(list.body().into_bytes()),
            whole: None,
            list,
            facts,
            page: Page::default(),
        }
    }

    pub(super) fn channel(&self, name: &str) -> Option<&OfferedChannel> {
        self.channels.get(name)
    }

    /// What the page for people shows: the graph or, of made-up channels, each phase.
    pub(super) fn exploration(&self) -> Exploration<'_> {
        let states = match &self.whole {
            Some(whole) => {
                let graph = ExploredGraph { graph: &whole.graph, channel: whole.channel };
                let state = self.state("now".to_owned(), vec![graph]);
                vec![ExploredState { data: whole.data.as_ref(), ..state }]
            }
            None => self.phases(),
        };
        let title = "Update service".to_owned();
        Exploration { title, states, is_live: true, ..Exploration::default() }
    }

    /// What made-up channels offer at first, and after each number of requests that changes
    /// something.
    fn phases(&self) -> Vec<ExploredState<'_>> {
        let phases = self.channels.values().flat_map(|channel| &channel.phases);
        let numbers: BTreeSet<u64> = phases.map(|phase| phase.after).collect();
        let state = |number: u64| {
            let channels = self.channels.values();
            let phases = channels.filter_map(|channel| channel.phase(number));
            let graphs = phases
                .map(|phase| ExploredGraph { graph: &phase.graph, channel: Some(phase.channel) });
            let label = match number {
                0 => "at first".to_owned(),
                1 => "after 1 request".to_owned(),
                number => format!("after {number} requests"),
            };
            self.state(label, graphs.collect())
        };
        numbers.into_iter().map(state).collect()
    }

    fn state<'o>(&'o self, label: String, graphs: Vec<ExploredGraph<'o>>) -> ExploredState<'o> {
        ExploredState {
            label,
            graphs,
            supported: &self.facts.supported,
            ages: &self.facts.ages,
            data: None,
            channels: self.list.clone(),
            notes: ExploredState::notes(&self.facts.provenance),
        }
    }

    /// The number of releases, for all architectures.
    pub(crate) fn releases(&self) -> usize {
        let whole = self.whole.as_ref().map(|whole| whole.graph.graph.node_count());
        let of_phases = || {
            let phases = self.channels.values().filter_map(|channel| channel.phases.first());
            phases.map(|phase| phase.graph.graph.node_count()).sum()
        };
        whole.unwrap_or_else(of_phases)
    }

    /// The whole graph, as the graph builder serves it.
    pub(super) fn raw(&self) -> Option<&Rendered> {
        let whole = self.whole.as_ref()?;
        let render = || rendered(|out| write_whole(&whole.graph, ALL_READERS, out));
        Some(whole.raw.get_or_init(render))
    }

    /// The files of the repository as an archive. None if there is no repository.
    pub(super) fn archive(&self) -> Option<Result<&Rendered, Refusal>> {
        let whole = self.whole.as_ref()?;
        let data = whole.data.as_ref()?;
        let make = || archive(data, whole.license.as_deref()).map(Rendered::compressed);
        let archive = whole.archive.get_or_init(make);
        Some(archive.as_ref().map_err(|file| Refusal::UnreadableFile(file.0.clone())))
    }

    /// Whether the whole graph and the archive are rendered.
    pub(super) fn is_whole_rendered(&self) -> bool {
        let is_rendered =
            |whole: &Whole| whole.raw.get().is_some() && whole.archive.get().is_some();
        self.whole.as_ref().is_none_or(is_rendered)
    }
}

const ALL_READERS: Readers = Readers { know_conditions: true };

/// The answer for a channel and an architecture.
pub(super) struct ChannelAnswer<'o> {
    pub(super) graph: Arc<Rendered>,
    pub(super) misbehavior: AnswerChanges<'o>,
}

impl OfferedChannel {
    fn new(phases: Vec<OfferedPhase>) -> Self {
        Self { phases, requests: AtomicU64::new(0) }
    }

    /// The answer to the next request. None if no release has this architecture.
    pub(super) fn answer(&self, arch: &str) -> Option<ChannelAnswer<'_>> {
        let nth = self.requests.fetch_add(1, Ordering::Relaxed);
        let arch = Arch::named(arch)?;
        let phase = self.phase(nth)?;
        let behavior = phase.behavior.as_ref();
        let misbehavior = behavior.map(|behavior| behavior.answer(nth)).unwrap_or_default();
        Some(ChannelAnswer { graph: phase.rendered(arch), misbehavior })
    }

    /// The phase after this many requests.
    fn phase(&self, requests: u64) -> Option<&OfferedPhase> {
        self.phases.iter().rev().find(|phase| phase.after <= requests)
    }
}

impl OfferedPhase {
    fn new(
        after: u64,
        graph: &Arc<UpdateGraph>,
        channel: ChannelId,
        behavior: Option<Behavior>,
    ) -> Self {
        let answers = [const { OnceLock::new() }; Arch::COUNT];
        Self { after, graph: Arc::clone(graph), channel, answers, behavior }
    }

    /// The answer for an architecture. Architectures with the same answer share its memory.
    fn rendered(&self, arch: Arch) -> Arc<Rendered> {
        let render = || {
            let served = Served::of(&self.graph, self.channel, arch);
            let rendered = rendered(|out| write_served(&served, ALL_READERS, out));
            let others = self.answers.iter().filter_map(OnceLock::get);
            let alike = others.into_iter().find(|other| other.plain() == rendered.plain());
            alike.map_or_else(|| Arc::new(rendered), Arc::clone)
        };
        Arc::clone(self.answers[arch.index()].get_or_init(render))
    }
}

/// The answer for a channel that does not exist.
pub(super) fn nothing() -> Rendered {
    let json = "{\"version\":1,\"nodes\":[],\"edges\":[],\"conditionalEdges\":[]}\n";
    Rendered::new(json.as_bytes().to_vec())
}

fn rendered(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Rendered {
    let mut json = Vec::new();
    // Writing to memory does not fail.
    let _ = write(&mut json);
    Rendered::new(json)
}
