//! Makes an update graph of a graph file, without a repository.

use std::sync::Arc;

use petgraph::graph::NodeIndex;

use crate::domain::version::with_build;
use crate::domain::{Arch, Arena, HashMap, HashSet, Named, channel_name, version};
use crate::graph::{
    ARCH_KEY, CHANNELS_KEY, ChannelId, Double, DoubleKind, Edge, Knowledge, MatchingRule, Reason,
    Release, ReleaseMetadata, Risk, RiskId, State, UpdateGraph, sort_channels,
};

use super::{ConditionalGroup, GraphFile, GraphNode, GraphNodeId, PlacedRisk};

impl UpdateGraph {
    /// The graph that a file describes. Skips invalid versions, and updates from or to these: the
    /// rules for graph files report them.
    ///
    /// An answer of the service does not say which architecture it is for, so releases that name no
    /// architecture count as being for `arch`.
    pub fn adopt(file: &GraphFile, arch: Arch) -> Self {
        let mut graph = Self { channels: channels(file), ..Self::default() };
        let open = graph.reasons.push(Reason::default());
        let places = graph.add_releases(file, arch);
        let index: HashMap<&str, NodeIndex> = places
            .iter()
            .zip(&file.nodes)
            .filter_map(|(place, node)| Some((node.as_ref()?.version.value.as_str(), (*place)?)))
            .collect();
        let mut seen = HashSet::default();
        let edge = |reason| Edge { reason, knowledge: Knowledge::Given };
        // If an update is listed as unconditional and as conditional, clusters use the conditional
        // one, so conditional updates come first.
        let mut risks: HashMap<Risk, RiskId> = HashMap::default();
        // Clusters drop groups that they do not understand before they look for updates that are
        // listed twice.
        let groups = file.groups().iter().map(|group| {
            let list = group.risks.iter().map(|placed| graph.risk_id(&mut risks, placed));
            (State::Conditional(list.collect()), group)
        });
        let groups: Vec<(State, &ConditionalGroup)> = groups.collect();
        let (understood, other): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(state, _)| graph.is_understood(state));
        let understood = understood.into_iter().map(|group| (group, true));
        for ((state, group), counts) in understood.chain(other.into_iter().map(|g| (g, false))) {
            let reason = graph.reasons.push(Reason { state, ..Reason::default() });
            for pair in &group.edges {
                let ends = index.get(&*pair.from.value).zip(index.get(&*pair.to.value));
                let Some((from, to)) = ends.map(|(from, to)| (*from, *to)) else {
                    let from = index.get(&*pair.from.value);
                    graph.dangling.extend(from.map(|from| (*from, pair.to.value.clone())));
                    continue;
                };
                if seen.insert((from, to)) {
                    graph.graph.add_edge(from, to, edge(reason));
                } else if counts {
                    graph.doubles.push(Double { from, to, kind: DoubleKind::ConditionalTwice });
                }
            }
        }
        let conditional = seen.clone();
        for pair in file.open() {
            let Some((from, to)) = places[pair.from].zip(places[pair.to]) else { continue };
            if conditional.contains(&(from, to)) {
                graph.doubles.push(Double { from, to, kind: DoubleKind::EdgeAndConditional });
            } else if seen.insert((from, to)) {
                graph.graph.add_edge(from, to, edge(open));
            }
        }
        graph.doubles.sort_unstable();
        graph.doubles.dedup();
        graph
    }

    /// The channel that an answer is for: the one with the given name, or one that contains every
    /// release. Members of stable are also in the earlier phases, so if there are several, it is
    /// the channel with the narrowest phase.
    pub fn answered_for(&self, name: &str) -> Option<ChannelId> {
        if let Some(own) = self.channel(name) {
            return Some(own);
        }
        let mut releases = self.graph.node_weights();
        let mut common = releases.next()?.channels.clone();
        for release in releases {
            common.retain(|channel| release.is_in(*channel));
        }
        let minor = |channel: ChannelId| Some(channel_name::split(&self.channels[channel])?.1);
        let own = minor(*common.first()?)?;
        common.retain(|channel| minor(*channel) == Some(own));
        common.into_iter().min_by_key(|channel| channel_name::phase_rank(&self.channels[*channel]))
    }

    /// Like `answered_for`. If no release has channels, puts all releases into a channel with the
    /// given name: an answer is for one channel even if its releases do not say so.
    pub fn take_as_answer(&mut self, name: &str) -> Option<ChannelId> {
        if !self.channels.is_empty() {
            return self.answered_for(name);
        }
        Some(self.put_all_into(name))
    }

    /// Adds a channel with all releases.
    pub(crate) fn put_all_into(&mut self, name: &str) -> ChannelId {
        let id = self.channels.push(name.to_owned());
        for release in self.graph.node_weights_mut() {
            release.channels.push(id);
            release.is_abstract = false;
        }
        id
    }

    /// Adds the releases, oldest first. Returns the release of each node of the file.
    fn add_releases(
        &mut self,
        file: &GraphFile,
        arch: Arch,
    ) -> Arena<GraphNodeId, Option<NodeIndex>> {
        let channels = self.channels.entries().map(|(id, name)| (name.as_str(), id));
        let channels: HashMap<&str, ChannelId> = channels.collect();
        let nodes = file.nodes.entries();
        let mut releases: Vec<(GraphNodeId, Release)> = nodes
            .filter_map(|(id, node)| Some((id, release_of(node.as_ref()?, arch, &channels)?)))
            .collect();
        releases.sort_by(|(_, a), (_, b)| a.version.cmp(&b.version));
        let mut places = Arena::filled(file.nodes.len(), None);
        for (id, release) in releases {
            places[id] = Some(self.graph.add_node(release));
        }
        places
    }

    fn risk_id(&mut self, known: &mut HashMap<Risk, RiskId>, placed: &PlacedRisk) -> RiskId {
        let text = |text: &Option<crate::text::Spanned<String>>| -> Arc<str> {
            text.as_ref().map_or("", |text| &text.value).into()
        };
        let rules = placed.rules.iter().map(|rule| MatchingRule {
            kind: text(&rule.kind),
            // An empty `promql` object counts, too.
            promql: rule.promql.map(|_| text(&rule.query)),
        });
        let risk = Risk {
            url: text(&placed.url),
            name: text(&placed.name),
            message: text(&placed.message),
            matching_rules: rules.collect(),
        };
        *known.entry(risk).or_insert_with_key(|risk| self.risks.push(risk.clone()))
    }
}

fn release_of(node: &GraphNode, arch: Arch, ids: &HashMap<&str, ChannelId>) -> Option<Release> {
    let mut metadata: ReleaseMetadata = node
        .metadata
        .iter()
        .filter(|(key, _)| *key != CHANNELS_KEY)
        .map(|(key, value)| (key.as_str().into(), value.value.as_str().into()))
        .collect();
    let mut version = version::parse(&node.version.value)?;
    if !metadata.contains_key(ARCH_KEY) {
        metadata.insert(ARCH_KEY.into(), arch.name().into());
        if version.build.is_empty() {
            version = with_build(&version, arch.name());
        }
    }
    let list = node.metadata.get(CHANNELS_KEY).map_or("", |list| &list.value);
    let mut channels: Vec<ChannelId> =
        list.split(',').filter_map(|name| ids.get(name.trim()).copied()).collect();
    channels.sort_unstable();
    Some(Release {
        text: version.to_string().into(),
        version,
        payload: node.image().map(Into::into),
        metadata: Arc::new(metadata),
        channels,
        is_abstract: node.payload.is_none() && node.metadata.is_empty(),
        has_known_origins: true,
    })
}

fn channels(file: &GraphFile) -> Arena<ChannelId, String> {
    let lists = file.nodes.iter().flatten().filter_map(|node| node.metadata.get(CHANNELS_KEY));
    let names = lists.flat_map(|list| list.value.split(',')).map(str::trim);
    let names: HashSet<&str> = names.filter(|name| !name.is_empty()).collect();
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    sort_channels(&mut names);
    names.into_iter().collect()
}
