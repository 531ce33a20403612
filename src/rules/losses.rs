//! What the rules about exit paths share: who is stranded, by which risks.

use std::cmp::Reverse;

use petgraph::visit::EdgeRef;

use crate::analysis::{Cause, Goal, LARGEST, Removal, Request, Simulated, Simulation, Stranded};
use crate::graph::{ChannelId, Declaration, DeclarationId, State};
use crate::graph_data::ARCHITECTURES;
use crate::version::Version;

use super::origins::listed;
use super::{Outlook, Place, Updates};

/// A release that cannot reach a goal in a channel once every conditional update is taken away.
#[derive(Debug)]
pub(super) struct Loss {
    pub(super) channel: String,
    pub(super) version: String,
    pub(super) goal: Goal,
    pub(super) cause: Cause,
    /// Whether no cluster escapes.
    pub(super) is_for_all: bool,
    pub(super) is_certain: bool,
    /// The smallest sets of risks that strand it.
    pub(super) sets: Vec<Vec<String>>,
    /// The risks of which the end of one alone would help.
    pub(super) freed_by: Vec<String>,
    /// The declarations that close its exits, those of the newest first.
    pub(super) declarations: Vec<DeclarationId>,
}

/// The supported releases that are stranded in the channels that clusters are told to use.
pub(super) fn losses(outlook: &Outlook) -> Vec<Loss> {
    let graph = &outlook.graph;
    let request = Request {
        channels: graph.advised_channels().collect(),
        // Rules speak of versions: one architecture will do.
        architectures: vec![ARCHITECTURES[0]],
        removal: Removal::All,
        goals: Goal::ALL.to_vec(),
        largest_set: LARGEST / 2,
    };
    let is_supported = |channel: &str, version: &Version| outlook.supported.holds(channel, version);
    let simulation = Simulation::of(graph, &request, &is_supported);
    let channels = simulation.channels.iter();
    let found = channels.flat_map(|channel| channel.stranded.iter().map(move |one| (channel, one)));
    // Who has no exit at all reaches nothing else either.
    let is_told = |(channel, one): &(&Simulated, &Stranded)| {
        let has_none = (one.release, Goal::Any);
        one.goal == Goal::Any
            || channel.stranded.binary_search_by_key(&has_none, |s| (s.release, s.goal)).is_err()
    };
    found.filter(is_told).map(|(channel, one)| loss(outlook, &simulation, channel, one)).collect()
}

fn loss(
    outlook: &Outlook,
    simulation: &Simulation<'_>,
    channel: &Simulated,
    one: &Stranded,
) -> Loss {
    let names = |ids: &Vec<u32>| -> Vec<String> {
        ids.iter().map(|id| simulation.names.name(*id).to_owned()).collect()
    };
    let is_always = |set: &Vec<u32>| set.iter().all(|risk| simulation.names.is_always(*risk));
    let reasons = one.exits.iter().map(|exit| &simulation.graph.reasons[exit.reason.0 as usize]);
    let mut declarations: Vec<DeclarationId> = Vec::new();
    for declaration in reasons.flat_map(|reason| &reason.declarations) {
        if !declarations.contains(declaration) {
            declarations.push(*declaration);
        }
    }
    if one.cause == Cause::Graph {
        declarations = blocks(simulation, channel, one);
    }
    // The promotion bot admits nothing without a way out: where a prediction has none, and no
    // block takes it away, the prediction is wrong.
    let is_doubtful = outlook.is_predicted && one.cause == Cause::Graph && declarations.is_empty();
    let id: ChannelId = channel.channel;
    Loss {
        channel: simulation.name(id).to_owned(),
        version: channel.ways.versions[one.release].clone(),
        goal: one.goal,
        cause: one.cause,
        // A block on the newest patch is meant; to be left without any exit is not.
        is_for_all: match one.cause {
            Cause::Graph => one.goal == Goal::Any,
            Cause::Risks => one.sets.iter().any(is_always),
        },
        is_certain: one.is_certain && !is_doubtful,
        sets: one.sets.iter().map(names).collect(),
        freed_by: names(&one.freed_by),
        declarations,
    }
}

/// The blocks on the updates from a stranded release, those of the newest target first.
fn blocks(simulation: &Simulation<'_>, channel: &Simulated, one: &Stranded) -> Vec<DeclarationId> {
    let graph = simulation.graph;
    let version = &channel.ways.versions[one.release];
    let name = format!("{version}+{}", ARCHITECTURES[0]);
    let Some(node) = graph.graph.node_indices().find(|node| *graph.release(*node).text == *name)
    else {
        return Vec::new();
    };
    let mut blocked: Vec<_> = graph
        .graph
        .edges(node)
        .filter(|edge| graph.release(edge.target()).is_in(channel.channel))
        .filter(|edge| graph.reason(edge.id()).state == State::Blocked)
        .collect();
    blocked.sort_by_key(|edge| Reverse(edge.target()));
    blocked.iter().flat_map(|edge| graph.reason(edge.id()).declarations.clone()).collect()
}

/// Losses that are alike, of which a finding speaks once.
pub(super) struct Alike<'l> {
    pub(super) first: &'l Loss,
    /// The releases, in order.
    pub(super) versions: Vec<&'l str>,
    /// The channels, in order.
    pub(super) channels: Vec<&'l str>,
    /// Whether one of them is certain.
    pub(super) is_certain: bool,
}

/// Losses by goal and by what causes them.
pub(super) fn alike<'l>(losses: impl Iterator<Item = &'l Loss>) -> Vec<Alike<'l>> {
    let mut groups: Vec<Alike<'l>> = Vec::new();
    for loss in losses {
        let is_like = |group: &Alike<'l>| {
            let first = group.first;
            (first.goal, first.cause, &first.sets, &first.freed_by)
                == (loss.goal, loss.cause, &loss.sets, &loss.freed_by)
                // To reach a minor is another thing in each minor's channels.
                && (loss.goal != Goal::Minor || minor_of(first) == minor_of(loss))
        };
        let at = groups.iter().position(is_like).unwrap_or_else(|| {
            let (versions, channels) = (Vec::new(), Vec::new());
            groups.push(Alike { first: loss, versions, channels, is_certain: false });
            groups.len() - 1
        });
        let at = &mut groups[at];
        at.is_certain |= loss.is_certain;
        if !at.versions.contains(&loss.version.as_str()) {
            at.versions.push(&loss.version);
        }
        if !at.channels.contains(&loss.channel.as_str()) {
            at.channels.push(&loss.channel);
        }
    }
    groups
}

fn minor_of(loss: &Loss) -> Option<&str> {
    loss.channel.split_once('-').map(|(_, minor)| minor)
}

impl Alike<'_> {
    /// What cannot be reached, in words.
    pub(super) fn what(&self) -> String {
        let several = self.versions.len() > 1;
        match self.first.goal {
            Goal::Any if several => "have no exit".to_owned(),
            Goal::Any => "has no exit".to_owned(),
            Goal::Patch if several => "cannot reach the newest patch of their minor".to_owned(),
            Goal::Patch => "cannot reach the newest patch of its minor".to_owned(),
            Goal::Minor => {
                format!("cannot reach {}", minor_of(self.first).unwrap_or("the channel's minor"))
            }
        }
    }

    /// Which clusters it is about, in words.
    pub(super) fn whom(&self) -> String {
        const FEW: usize = 3;
        let sets: Vec<String> =
            self.first.sets.iter().take(FEW).map(|set| set.join(" and ")).collect();
        match (self.first.cause, sets.is_empty()) {
            (Cause::Graph, _) => "whatever the risks: no update leads on".to_owned(),
            (Cause::Risks, false) if self.first.is_for_all => {
                format!("for every cluster, by {}", sets.join(", or by "))
            }
            (Cause::Risks, true) => "for clusters that many risks affect together".to_owned(),
            (Cause::Risks, false) => format!("for clusters affected by {}", sets.join(", or by ")),
        }
    }

    /// Who cannot reach what, where, and which clusters it is about.
    pub(super) fn message(&self) -> String {
        let quoted =
            |names: &[&str]| listed(names.iter().map(|name| format!("`{name}`")).collect());
        let comma = if self.first.cause == Cause::Graph { "," } else { "" };
        format!(
            "{} {} in {}{comma} {}",
            quoted(&self.versions),
            self.what(),
            quoted(&self.channels),
            self.whom()
        )
    }

    /// What would help.
    pub(super) fn help(&self) -> String {
        match self.first.freed_by.as_slice() {
            [] => "`exitpath simulate` tells more".to_owned(),
            some => format!(
                "the end of {} would free {}; `exitpath simulate` tells more",
                some.join(" or of "),
                if self.versions.len() == 1 { "it" } else { "them" }
            ),
        }
    }

    /// Where the blame lies: the declaration of a risk that strands the release, on its newest exit
    /// or else anywhere; or the release itself, in its channel.
    pub(super) fn place(&self, updates: &Updates<'_>) -> Place {
        let declarations = updates.outlook.map_or(&[][..], |outlook| &outlook.graph.declarations);
        let blamed = self.first.sets.first().map_or(&[][..], Vec::as_slice);
        let is_blamed = |declaration: &&Declaration| {
            declaration.name.as_ref().is_some_and(|name| blamed.iter().any(|one| **one == **name))
        };
        let own = self.first.declarations.iter().filter_map(|id| declarations.get(id.0 as usize));
        let anywhere = || declarations.iter().rev().find(is_blamed);
        let found = match self.first.cause {
            Cause::Graph => own.clone().next(),
            Cause::Risks => own.clone().find(is_blamed).or_else(anywhere),
        };
        if let Some(declaration) = found {
            return Place::Text(declaration.to);
        }
        let channel = updates
            .data
            .channels
            .iter()
            .find(|channel| channel.public && channel.name() == self.first.channel);
        let member = channel.and_then(|channel| {
            channel.versions.iter().find(|member| member.text.value == self.first.version)
        });
        match (member, channel) {
            (Some(member), _) => Place::Text(member.text.span),
            (None, Some(channel)) => Place::File(channel.file),
            (None, None) => Place::Absent(format!("channels/{}.yaml", self.first.channel)),
        }
    }
}
