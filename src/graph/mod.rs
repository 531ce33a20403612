//! The update graph: releases, the updates between them, and why each update is as it is.
//!
//! Whatever can become an [`UpdateGraph`] can be served, drawn and judged. Nothing is
//! thrown away while it is built: an update that clusters never see stays in it, with its
//! [`State`] and the declarations that made it so.

mod adjacency;
pub(crate) mod cincinnati;
mod cycle;
pub(crate) mod notation;
mod served;

pub(crate) use adjacency::Adjacency;
pub(crate) use cycle::Cycles;
pub(crate) use served::ServedByChannel;
pub use served::{Served, Update};

use std::collections::BTreeMap;
use std::sync::Arc;

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::domain::{Arch, Arena, Named, RuleKind, Version, channel_name, ids};
use crate::text::Span;

/// The metadata key of a release's channels.
pub(crate) const CHANNELS_KEY: &str = "io.openshift.upgrades.graph.release.channels";
/// The metadata key of the architectures that a release is for.
pub(crate) const ARCH_KEY: &str = "io.openshift.upgrades.graph.release.arch";
/// The metadata key of the pattern that takes away a release's incoming updates.
pub(crate) const REMOVE_REGEX_KEY: &str = "io.openshift.upgrades.graph.previous.remove_regex";
/// The metadata key of the origins whose update to a release nobody can be sure of.
pub(crate) const UNCERTAIN_KEY: &str = "exitpath.previous.uncertain";
/// The metadata key of a release that the given sources do not have.
pub(crate) const SOURCE_KEY: &str = "exitpath.source";

/// Releases and the updates between them.
#[derive(Debug, Default)]
pub struct UpdateGraph {
    /// Releases, oldest first; updates lead from origin to target.
    pub graph: DiGraph<Release, Edge>,
    /// Every channel's name, in the order in which the service lists them.
    pub channels: Arena<ChannelId, String>,
    /// Every distinct risk.
    pub risks: Arena<RiskId, Risk>,
    /// Every distinct reason for an update's state.
    pub reasons: Arena<ReasonId, Reason>,
    /// The declarations that reasons speak of.
    pub declarations: Arena<DeclarationId, Declaration>,
    /// Updates that there probably are not, which nobody can be sure of either.
    pub doubted: Vec<(NodeIndex, NodeIndex)>,
    /// Updates that are listed more than once, where the source allows that.
    pub doubles: Vec<Double>,
    /// Conditional updates to what is no release of the graph, where the source allows that.
    pub dangling: Vec<(NodeIndex, String)>,
}

/// An update that is listed more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Double {
    /// The release that it leads from.
    pub from: NodeIndex,
    /// The release that it leads to.
    pub to: NodeIndex,
    /// How.
    pub kind: DoubleKind,
}

/// How an update is listed more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DoubleKind {
    /// Once as open and once as conditional: clusters take the conditional one.
    EdgeAndConditional,
    /// In two groups of conditional updates: clusters drop it altogether.
    ConditionalTwice,
}

ids! {
    /// Names a channel of one [`UpdateGraph`].
    ChannelId;
    /// Names a risk of one [`UpdateGraph`].
    RiskId;
    /// Names a reason of one [`UpdateGraph`].
    ReasonId;
    /// Names a declaration of one [`UpdateGraph`].
    DeclarationId;
}

/// A release, for one architecture where the service tells them apart.
#[derive(Clone, Debug)]
pub struct Release {
    /// Its version; build metadata is the architecture.
    pub version: Version,
    /// The version, written.
    pub text: Box<str>,
    /// Its image; empty where that is not known.
    pub payload: Box<str>,
    /// What else is known of it, without its channels.
    pub metadata: BTreeMap<Arc<str>, Arc<str>>,
    /// The channels that serve it, in the service's order.
    pub channels: Vec<ChannelId>,
    /// Whether other releases name it, and nobody has seen it.
    pub is_abstract: bool,
    /// Whether it is known which releases it can be updated from.
    pub is_told: bool,
}

/// An update from one release to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Why it is as it is.
    pub reason: ReasonId,
    /// How it is known that the target names the origin.
    pub knowledge: Knowledge,
}

/// How it is known that a release can be updated to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Knowledge {
    /// A source says so.
    Given,
    /// The repository's history leaves no doubt.
    Predicted,
    /// The repository's history makes it likely.
    Uncertain,
}

/// What clusters see of an update, and what made it so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reason {
    /// What clusters see.
    pub state: State,
    /// The declarations that hit the update, in the order of their files. Of a conditional
    /// update, a block among them is one that the service ignores.
    pub declarations: Vec<DeclarationId>,
    /// The metadata key that takes the update away, where one does.
    pub metadata_key: Option<&'static str>,
}

/// What clusters see of an update.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// It is offered to every cluster.
    #[default]
    Open,
    /// It is offered to clusters that none of the risks affects: at least one, in the order
    /// in which the service lists them.
    Conditional(Vec<RiskId>),
    /// No cluster sees it.
    Blocked,
}

/// A risk, as clusters are told of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Risk {
    /// Where to read about it.
    pub url: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// What an administrator is told.
    pub message: Arc<str>,
    /// Which clusters are affected.
    pub matching_rules: Vec<MatchingRule>,
}

/// One way to tell whether a cluster is affected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MatchingRule {
    /// `Always`, `PromQL`, or what else was written.
    pub kind: Arc<str>,
    /// The query, where there is one.
    pub promql: Option<Arc<str>>,
}

/// A file of `blocked-edges/`, as far as its place goes.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The risk's name; a block has none.
    pub name: Option<Arc<str>>,
    /// Where its `to` stands.
    pub to: Span,
    /// Where its `from` stands.
    pub from: Span,
}

impl UpdateGraph {
    /// A release.
    #[must_use]
    pub fn release(&self, node: NodeIndex) -> &Release {
        &self.graph[node]
    }

    /// Why an update is as it is.
    #[must_use]
    pub fn reason(&self, edge: EdgeIndex) -> &Reason {
        &self.reasons[self.graph[edge].reason]
    }

    /// A risk.
    #[must_use]
    pub fn risk(&self, id: RiskId) -> &Risk {
        &self.risks[id]
    }

    /// Whether clusters understand some rule of each of a state's risks: else they drop every
    /// update of that state.
    #[must_use]
    pub fn is_understood(&self, state: &State) -> bool {
        let State::Conditional(risks) = state else { return true };
        risks.iter().all(|risk| self.risk(*risk).is_understood())
    }

    /// The names of a state's risks, in alphabetical order, each once.
    #[must_use]
    pub fn risk_names(&self, state: &State) -> Vec<&str> {
        let State::Conditional(risks) = state else { return Vec::new() };
        let mut names: Vec<&str> = risks.iter().map(|risk| &*self.risk(*risk).name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The updates that nobody can be sure of, by origin and target: those that there probably
    /// are, and those that there probably are not.
    pub fn uncertain(&self) -> impl Iterator<Item = (NodeIndex, NodeIndex)> {
        let likely = self
            .graph
            .edge_references()
            .filter(|edge| edge.weight().knowledge == Knowledge::Uncertain);
        likely.map(|edge| (edge.source(), edge.target())).chain(self.doubted.iter().copied())
    }

    /// The channel of a name.
    #[must_use]
    pub fn channel(&self, name: &str) -> Option<ChannelId> {
        self.channels.iter().position(|channel| channel == name).map(ChannelId::at)
    }

    /// The channels that clusters are told to use: stable, fast and eus ones.
    pub fn advised_channels(&self) -> impl Iterator<Item = ChannelId> {
        self.channels.ids().filter(|id| self.is_advised(*id))
    }

    /// Whether clusters are told to use a channel.
    #[must_use]
    pub fn is_advised(&self, channel: ChannelId) -> bool {
        channel_name::is_advised(&self.channels[channel])
    }

    /// The list of a release's channels, as the service writes it.
    #[must_use]
    pub fn channel_list(&self, release: &Release) -> String {
        let names = release.channels.iter().map(|id| self.channels[*id].as_str());
        names.collect::<Vec<_>>().join(",")
    }
}

impl Release {
    /// Whether it is for an architecture, as the service decides it.
    #[must_use]
    pub fn is_for(&self, arch: Arch) -> bool {
        let list = self.metadata.get(ARCH_KEY);
        list.is_some_and(|list| list.split(',').any(|one| one.trim() == arch.name()))
    }

    /// Whether a channel serves it.
    #[must_use]
    pub fn is_in(&self, channel: ChannelId) -> bool {
        self.channels.binary_search(&channel).is_ok()
    }
}

impl Risk {
    /// Whether clusters understand some rule of it: else they drop every update that has it.
    #[must_use]
    pub fn is_understood(&self) -> bool {
        self.matching_rules.iter().any(MatchingRule::is_understood)
    }

    /// Whether it affects every cluster: its first rule of a known type is `Always`.
    #[must_use]
    pub fn is_always(&self) -> bool {
        let kinds = self.matching_rules.iter().map(|rule| &*rule.kind);
        RuleKind::first(kinds) == Some(RuleKind::Always)
    }
}

impl MatchingRule {
    /// Whether clusters understand it.
    #[must_use]
    pub fn is_understood(&self) -> bool {
        RuleKind::named(&self.kind).is_some_and(|kind| kind.fits(self.promql.as_deref()))
    }
}

/// Puts channel names in the service's order: by what follows the first `-`, as text, then
/// by the whole name.
pub(crate) fn sort_channels(names: &mut [String]) {
    let minor = |name: &str| channel_name::split(name).map_or("", |(_, minor)| minor).to_owned();
    names.sort_by(|a, b| (minor(a), a).cmp(&(minor(b), b)));
}
