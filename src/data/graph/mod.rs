//! The update graph: releases, the updates between them, and the reason for the state of each
//! update.
//!
//! The graph also keeps updates that clusters never see, with their [`State`] and the declarations
//! that cause it.

pub(crate) mod cincinnati;
mod cycle;
mod node_map;
pub(crate) mod notation;
mod served;
mod usual_image;

pub(crate) use cycle::Cycles;
pub(crate) use node_map::NodeMap;
pub use served::{Served, Update};
pub(crate) use served::{ServedByChannel, without_arch};
pub(crate) use usual_image::usual_image;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::domain::{Arch, Arena, Named, RuleKind, Version, channel_name, ids};
use crate::text::Span;

pub(crate) const CHANNELS_KEY: &str = "io.openshift.upgrades.graph.release.channels";
pub(crate) const ARCH_KEY: &str = "io.openshift.upgrades.graph.release.arch";
/// The metadata key of the pattern that removes a release's incoming updates.
pub(crate) const REMOVE_REGEX_KEY: &str = "io.openshift.upgrades.graph.previous.remove_regex";
/// The metadata key of the origins of uncertain updates.
pub(crate) const UNCERTAIN_KEY: &str = "exitpath.previous.uncertain";
/// The metadata key of a release that is not in the given sources.
pub(crate) const SOURCE_KEY: &str = "exitpath.source";

/// Releases and the updates between them.
#[derive(Clone, Debug, Default)]
pub struct UpdateGraph {
    /// Releases, oldest first. Edges lead from origin to target.
    pub graph: DiGraph<Release, Edge>,
    /// The names of all channels, in the service's order.
    pub channels: Arena<ChannelId, String>,
    /// All distinct risks.
    pub risks: Arena<RiskId, Risk>,
    /// All distinct reasons for an update's state.
    pub reasons: Arena<ReasonId, Reason>,
    /// The declarations that reasons name.
    pub declarations: Arena<DeclarationId, Declaration>,
    /// Updates that probably do not exist, but may, in order of origin and target.
    pub unlikely: Vec<(NodeIndex, NodeIndex)>,
    /// Updates that the graph file lists more than once.
    pub doubles: Vec<Double>,
    /// Conditional updates of a graph file to a version that is not in it: origin and version.
    pub dangling: Vec<(NodeIndex, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Double {
    pub from: NodeIndex,
    pub to: NodeIndex,
    pub kind: DoubleKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DoubleKind {
    /// As an unconditional and as a conditional update. Clusters take the conditional update.
    EdgeAndConditional,
    /// In two groups of conditional updates. Clusters drop the update.
    ConditionalTwice,
}

ids! {
    /// A channel of one [`UpdateGraph`].
    ChannelId;
    /// A risk of one [`UpdateGraph`].
    RiskId;
    /// A reason of one [`UpdateGraph`].
    ReasonId;
    /// A declaration of one [`UpdateGraph`].
    DeclarationId;
}

/// The metadata of a release. Many releases have the same.
pub(crate) type ReleaseMetadata = BTreeMap<Arc<str>, Arc<str>>;

/// The metadata of a release for one architecture, without anything else.
pub(crate) fn metadata_for(arch: Arch) -> Arc<ReleaseMetadata> {
    Arc::new(BTreeMap::from([(ARCH_KEY.into(), arch.name().into())]))
}

/// A release. Usually for one architecture.
#[derive(Clone, Debug)]
pub struct Release {
    /// Its build metadata is the architecture.
    pub version: Version,
    pub text: Box<str>,
    /// The image, if it is known.
    pub payload: Option<Box<str>>,
    /// The metadata without the list of channels.
    pub metadata: Arc<ReleaseMetadata>,
    /// The channels that contain it, sorted in the service's order.
    pub channels: Vec<ChannelId>,
    /// Whether it is only known because other releases list it.
    pub is_abstract: bool,
    /// Whether it is known which origins it lists.
    pub has_known_origins: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub reason: ReasonId,
    /// The evidence that the target lists the origin.
    pub knowledge: Knowledge,
}

/// The evidence that an update exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Knowledge {
    /// A source says so.
    Given,
    /// The prediction from the repository's history is certain.
    Predicted,
    /// The prediction from the repository's history is likely, but not certain.
    Uncertain,
}

/// What clusters see of an update, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reason {
    pub state: State,
    /// The declarations that match the update, in order of files. The service ignores blocks of a
    /// conditional update.
    pub declarations: Vec<DeclarationId>,
    /// The metadata key that removes the update, if any.
    pub metadata_key: Option<&'static str>,
}

/// What clusters see of an update.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// Every cluster can take it.
    #[default]
    Open,
    /// Clusters that none of the risks affects can take it. At least one risk, in the service's
    /// order.
    Conditional(Vec<RiskId>),
    /// No cluster sees it.
    Blocked,
}

/// A risk, as the service sends it to clusters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Risk {
    pub url: Arc<str>,
    pub name: Arc<str>,
    pub message: Arc<str>,
    /// Which clusters it affects. Clusters use the first rule that has an answer.
    pub matching_rules: Vec<MatchingRule>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MatchingRule {
    /// `Always`, `PromQL`, or an invalid type.
    pub kind: Arc<str>,
    pub promql: Option<Arc<str>>,
}

/// Where a file of `blocked-edges/` declares a risk or a block.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The risk's name. None if it is a block.
    pub name: Option<Arc<str>>,
    pub to: Span,
}

impl Declaration {
    /// Whether it is a block: it removes updates for all clusters.
    pub fn is_block(&self) -> bool {
        self.name.is_none()
    }
}

impl UpdateGraph {
    /// The release of a node.
    pub fn release(&self, node: NodeIndex) -> &Release {
        &self.graph[node]
    }

    /// The nodes of a release: usually one, and one for each architecture in some graphs.
    pub(crate) fn nodes_of(&self, version: &Version) -> impl Iterator<Item = NodeIndex> {
        let nodes = self.graph.raw_nodes();
        let start =
            nodes.partition_point(|node| node.weight.version.cmp_precedence(version).is_lt());
        let own = nodes[start..]
            .iter()
            .take_while(|node| node.weight.version.cmp_precedence(version).is_eq());
        (start..).map(NodeIndex::new).zip(own).map(|(at, _)| at)
    }

    /// The reason for the state of an edge.
    pub fn reason(&self, edge: EdgeIndex) -> &Reason {
        &self.reasons[self.graph[edge].reason]
    }

    /// The risk of an id.
    pub fn risk(&self, id: RiskId) -> &Risk {
        &self.risks[id]
    }

    /// Whether clusters understand a rule of each risk of a state. If not, they drop all updates
    /// with this state.
    pub fn is_understood(&self, state: &State) -> bool {
        let State::Conditional(risks) = state else { return true };
        risks.iter().all(|risk| self.risk(*risk).is_understood())
    }

    /// The distinct names of a state's risks, in alphabetical order.
    pub fn risk_names(&self, state: &State) -> Vec<&str> {
        let State::Conditional(risks) = state else { return Vec::new() };
        let mut names: Vec<&str> = risks.iter().map(|risk| &*self.risk(*risk).name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The origins and targets of all uncertain updates: those that probably exist, and those that
    /// probably do not.
    pub fn uncertain(&self) -> impl Iterator<Item = (NodeIndex, NodeIndex)> {
        let likely = self
            .graph
            .edge_references()
            .filter(|edge| edge.weight().knowledge == Knowledge::Uncertain);
        likely.map(|edge| (edge.source(), edge.target())).chain(self.unlikely.iter().copied())
    }

    /// The targets of the unlikely updates from a release.
    pub fn unlikely_from(&self, release: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let start = self.unlikely.partition_point(|(from, _)| *from < release);
        let updates = self.unlikely[start..].iter();
        updates.take_while(move |(from, _)| *from == release).map(|(_, to)| *to)
    }

    /// The graph of an update service that has the images of these releases only.
    pub(crate) fn with_only(&self, kept: &BTreeSet<NodeIndex>) -> Self {
        let mut graph = self.clone();
        for node in self.graph.node_indices().filter(|node| !kept.contains(node)) {
            let release = &mut graph.graph[node];
            release.is_abstract = true;
            release.channels.clear();
        }
        graph
    }

    /// The channel with this name.
    pub fn channel(&self, name: &str) -> Option<ChannelId> {
        self.channels.iter().position(|channel| channel == name).map(ChannelId::at)
    }

    /// The channels recommended for clusters: stable, fast, and eus.
    pub fn advised_channels(&self) -> impl Iterator<Item = ChannelId> {
        self.channels.ids().filter(|id| self.is_advised(*id))
    }

    /// Whether a channel is recommended for clusters.
    pub fn is_advised(&self, channel: ChannelId) -> bool {
        channel_name::is_advised(&self.channels[channel])
    }

    /// A release's channels as one text, as the service writes it.
    pub fn channel_list(&self, release: &Release) -> String {
        let names = release.channels.iter().map(|id| self.channels[*id].as_str());
        names.collect::<Vec<_>>().join(",")
    }
}

impl Release {
    /// Whether the service offers it to clusters of an architecture.
    pub fn is_for(&self, arch: Arch) -> bool {
        let Some(list) = self.metadata.get(ARCH_KEY) else { return false };
        let name = arch.name();
        // Nearly all lists are a single name.
        **list == *name || list.len() > name.len() && list.split(',').any(|one| one.trim() == name)
    }

    pub fn is_in(&self, channel: ChannelId) -> bool {
        self.channels.binary_search(&channel).is_ok()
    }
}

impl Risk {
    /// Whether clusters understand one of its rules. If not, they drop all updates with this risk.
    pub fn is_understood(&self) -> bool {
        self.matching_rules.iter().any(MatchingRule::is_understood)
    }

    /// Whether it affects all clusters: the first rule that clusters understand is `Always`.
    pub fn is_always(&self) -> bool {
        let first = self.matching_rules.iter().find_map(MatchingRule::understood_kind);
        first == Some(RuleKind::Always)
    }
}

impl MatchingRule {
    pub fn is_understood(&self) -> bool {
        self.understood_kind().is_some()
    }

    /// Its type, if clusters understand the rule.
    fn understood_kind(&self) -> Option<RuleKind> {
        RuleKind::named(&self.kind).filter(|kind| kind.fits(self.promql.as_deref()))
    }
}

/// Sorts channel names in the service's order: by the text after the first `-`, then by the whole
/// name.
pub(crate) fn sort_channels(names: &mut [String]) {
    let minor = |name: &str| channel_name::split(name).map_or("", |(_, minor)| minor).to_owned();
    names.sort_by(|a, b| (minor(a), a).cmp(&(minor(b), b)));
}

#[cfg(test)]
mod tests {
    use super::{MatchingRule, Risk};

    /// Clusters skip an `Always` rule with a query.
    #[test]
    fn an_invalid_always_rule_does_not_affect_all_clusters() {
        let rule = |kind: &str, query: Option<&str>| MatchingRule {
            kind: kind.into(),
            promql: query.map(Into::into),
        };
        let risk = |rules: Vec<MatchingRule>| Risk { matching_rules: rules, ..Risk::default() };
        let skipped = rule("Always", Some("up"));
        let query = rule("PromQL", Some("up"));
        assert!(!risk(vec![skipped.clone(), query.clone()]).is_always());
        assert!(risk(vec![skipped, rule("Always", None), query]).is_always());
    }
}
