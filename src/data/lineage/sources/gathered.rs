//! Merges the releases and updates of several sources.

use std::sync::Arc;

use petgraph::graph::{DiGraph, NodeIndex};
use regex::Regex;

use crate::domain::version::{self, Version, strip_build, with_build};
use crate::domain::{Arch, Arena, HashMap, HashSet, Named, ids};
use crate::graph::cincinnati::{GraphFile, GraphNode, GraphNodeId, Pair};
use crate::graph::{
    ARCH_KEY, CHANNELS_KEY, Knowledge, REMOVE_REGEX_KEY, ReleaseMetadata, SOURCE_KEY,
};
use crate::graph_data::{Affected, GraphData, LoadVerdict};
use crate::text::words::counted;

use super::ReleaseSource;
use super::documents::Documents;
use crate::lineage::{Lineage, LineageNode, LineageNodeId, ListedUpdate, Past, Provenance};

ids! {
    /// A release of one [`Gathered`].
    GatheredId;
}

/// The prefix of metadata keys that control the service.
const STEERING: &str = "io.openshift.upgrades.graph.";
const MANIFEST_KEY: &str = "io.openshift.upgrades.graph.release.manifestref";

impl Lineage {
    /// Merges sources. Ignores blocks, channels, and risks in graphs: the repository declares
    /// these. A graph that the service has answered lacks updates that were not in its channel or
    /// were blocked at the time. These are predicted from the history.
    ///
    /// Such an answer does not say which architecture it is for: `arch` does.
    pub fn of(
        sources: &[ReleaseSource],
        arch: Arch,
        data: &GraphData,
        architectures: &[Arch],
        past: &Past,
    ) -> Self {
        let mut gathered = Gathered { risks: patterns_of_risks(data), ..Gathered::default() };
        let mut answers = Vec::new();
        for source in sources {
            match source {
                ReleaseSource::Graph(file) => {
                    let answer = gathered.add_graph(file, arch);
                    answers.extend(source.is_answer().then_some(answer));
                }
                ReleaseSource::Documents(documents) => gathered.add_documents(documents),
            }
        }
        gathered.note_contradictions(&answers);
        gathered.note_cycles();
        if !answers.is_empty() {
            let predicted = Self::predicted(data, past, architectures);
            gathered.add_predicted(&answers, predicted);
        }
        gathered.into_lineage(architectures)
    }
}

impl ReleaseSource {
    /// Whether it is an answer of the service: releases have channels, or updates have risks. Then
    /// updates that it lacks are predicted from the history.
    pub fn is_answer(&self) -> bool {
        match self {
            Self::Graph(file) => is_answer(file),
            Self::Documents(_) => false,
        }
    }
}

fn is_answer(file: &GraphFile) -> bool {
    !file.groups().is_empty()
        || file.nodes.iter().flatten().any(|node| node.metadata.contains_key(CHANNELS_KEY))
}

/// For each target, the patterns of its risks, longest first.
fn patterns_of_risks(data: &GraphData) -> HashMap<String, Vec<String>> {
    let mut patterns: HashMap<String, Vec<String>> = HashMap::default();
    for edge in &data.blocked_edges {
        let is_risk = matches!(edge.affected, Affected::MatchingRules(_));
        let (Some(to), Some(from)) = (&edge.to, &edge.from) else { continue };
        if is_risk && data.file(edge.file).verdict == LoadVerdict::Loads {
            let core = strip_build(&to.value).trim_ascii();
            patterns.entry(core.to_owned()).or_default().push(from.value.to_string());
        }
    }
    for patterns in patterns.values_mut() {
        patterns.sort_by(|a, b| (b.len(), b).cmp(&(a.len(), a)));
    }
    patterns
}

/// The part of a pattern that blocks updates, without the alternatives that the service adds for
/// risks. An update with a risk is not missing from the answer, but listed as conditional.
fn silent_part(pattern: &str, risks: &[String]) -> String {
    let mut left = format!("|{pattern}|");
    for risk in risks {
        if let Some(at) = left.find(&format!("|{risk}|")) {
            left.replace_range(at..=at + risk.len(), "");
        }
    }
    left.trim_matches('|').to_owned()
}

#[derive(Default)]
struct Gathered {
    /// For each target, the patterns of its risks, longest first.
    risks: HashMap<String, Vec<String>>,
    nodes: Arena<GatheredId, LineageNode>,
    places: HashMap<String, GatheredId>,
    updates: Vec<ListedUpdate<GatheredId>>,
    unlikely: Vec<(GatheredId, GatheredId)>,
    notes: Vec<String>,
    sources: Vec<String>,
}

/// What an answer of the service says about updates between the releases that it contains.
struct GatheredAnswer {
    names: HashSet<GatheredId>,
    updates: HashSet<(GatheredId, GatheredId)>,
    /// For each target, the origins that were blocked at the time. It is unknown whether these
    /// updates exist.
    blocked: HashMap<GatheredId, Arc<Regex>>,
}

impl GatheredAnswer {
    /// Whether the answer shows if there is an update from one release to another.
    fn shows(&self, from: GatheredId, to: GatheredId, name_of_from: &str) -> bool {
        self.names.contains(&from)
            && self.names.contains(&to)
            && (self.updates.contains(&(from, to))
                || !self.blocked.get(&to).is_some_and(|blocked| blocked.is_match(name_of_from)))
    }
}

impl Gathered {
    fn add_graph(&mut self, file: &GraphFile, arch: Arch) -> GatheredAnswer {
        let is_answer = is_answer(file);
        let says_arch = |node: &GraphNode| {
            node.metadata.contains_key(ARCH_KEY) || node.version.value.contains('+')
        };
        // Answers do not say which architecture they are for, and neither does OKD's graph.
        let arch = Some(arch).filter(|_| is_answer || !file.nodes.iter().flatten().any(says_arch));
        let mut answer = GatheredAnswer {
            names: HashSet::default(),
            updates: HashSet::default(),
            blocked: HashMap::default(),
        };
        let mut by_name: HashMap<&str, GatheredId> = HashMap::default();
        let mut patterns: HashMap<String, Option<Arc<Regex>>> = HashMap::default();
        let mut places: Arena<GraphNodeId, Option<GatheredId>> = Arena::default();
        for node in &file.nodes {
            let place = node.as_ref().and_then(|node| self.add_node(node, is_answer, arch));
            if let Some((node, place)) = node.as_ref().zip(place) {
                by_name.insert(node.version.value.as_str(), place);
                let blocked = self.blocked_origins(node, &mut patterns);
                answer.blocked.extend(blocked.map(|blocked| (place, blocked)));
            }
            places.push(place);
        }
        answer.names.extend(places.iter().flatten());
        let end = |id: GraphNodeId| if file.has(id) { places[id] } else { None };
        let open = file.edges.iter().map(|pair| (end(pair.from), end(pair.to)));
        let named = |pair: &Pair<crate::text::Spanned<String>>| {
            (by_name.get(&*pair.from.value).copied(), by_name.get(&*pair.to.value).copied())
        };
        let conditional = file.groups().iter().flat_map(|group| &group.edges).map(named);
        let mut lost = 0;
        for ends in open.chain(conditional) {
            match ends {
                (Some(from), Some(to)) if from == to => self.note_self_update(from),
                (Some(from), Some(to)) => {
                    self.updates.push(ListedUpdate { from, to, knowledge: Knowledge::Given });
                    answer.updates.insert((from, to));
                }
                _ => lost += 1,
            }
        }
        if lost > 0 {
            self.notes.push(format!(
                "skipped {} of a given graph, from or to releases that it does not contain",
                counted(lost, "update")
            ));
        }
        self.sources.push(if is_answer { "a served graph" } else { "a raw graph" }.to_owned());
        answer
    }

    /// Adds a release of a graph. It is for `arch` if it names no architecture. None if its version
    /// is invalid.
    fn add_node(
        &mut self,
        node: &GraphNode,
        is_answer: bool,
        arch: Option<Arch>,
    ) -> Option<GatheredId> {
        let text = node.version.value.as_str();
        let Some(mut version) = version::parse(text) else {
            self.notes.push(format!("skipped a release, because `{text}` is not a version"));
            return None;
        };
        let arch = arch.filter(|_| !node.metadata.contains_key(ARCH_KEY));
        let is_concrete = node.payload.is_some() || !node.metadata.is_empty();
        if let Some(arch) = arch.filter(|_| version.build.is_empty()) {
            version = with_build(&version, arch.name());
        }
        let own = node.metadata.iter().filter(|(key, _)| {
            !is_answer
                || !key.starts_with(STEERING)
                || [ARCH_KEY, MANIFEST_KEY].contains(&key.as_str())
        });
        let mut metadata: ReleaseMetadata =
            own.map(|(key, value)| (key.as_str().into(), value.value.as_str().into())).collect();
        if let Some(arch) = arch {
            metadata.insert(ARCH_KEY.into(), arch.name().into());
        }
        Some(self.place(LineageNode {
            version,
            payload: node.image().map(Into::into),
            metadata: Arc::new(metadata),
            is_abstract: !is_concrete,
            has_known_origins: is_concrete,
        }))
    }

    /// The origins whose updates to a release are blocked, and so missing from an answer.
    fn blocked_origins(
        &self,
        node: &GraphNode,
        patterns: &mut HashMap<String, Option<Arc<Regex>>>,
    ) -> Option<Arc<Regex>> {
        let pattern = node.metadata.get(REMOVE_REGEX_KEY)?;
        let risks = self.risks.get(strip_build(&node.version.value));
        let silent = silent_part(&pattern.value, risks.map_or(&[], Vec::as_slice));
        if silent.is_empty() {
            return None;
        }
        let compile = || Regex::new(&silent).ok().map(Arc::new);
        patterns.entry(silent.clone()).or_insert_with(compile).clone()
    }

    fn add_documents(&mut self, documents: &Documents) {
        for release in &documents.releases {
            let own = release.arch.as_deref();
            for arch in own.map_or_else(|| Arch::names().collect(), |own| vec![own]) {
                let with_arch = |version: &Version| with_build(version, arch);
                let mut metadata: ReleaseMetadata = release
                    .metadata
                    .iter()
                    .map(|(key, value)| (key.as_str().into(), value.as_str().into()))
                    .collect();
                metadata.insert(ARCH_KEY.into(), arch.into());
                if let Some(digest) = &release.digest {
                    metadata.insert(MANIFEST_KEY.into(), digest.as_str().into());
                }
                let own = self.place(LineageNode {
                    version: with_arch(&release.version),
                    payload: None,
                    metadata: Arc::new(metadata),
                    is_abstract: false,
                    has_known_origins: true,
                });
                let mut neighbour = |version: &Version| {
                    let (version, metadata) = (with_arch(version), Arc::default());
                    self.place(LineageNode {
                        version,
                        payload: None,
                        metadata,
                        is_abstract: true,
                        has_known_origins: false,
                    })
                };
                let previous: Vec<GatheredId> =
                    release.previous.iter().map(&mut neighbour).collect();
                let next: Vec<GatheredId> = release.next.iter().map(&mut neighbour).collect();
                let pairs = previous.into_iter().map(|from| (from, own));
                for (from, to) in pairs.chain(next.into_iter().map(|to| (own, to))) {
                    if from == to {
                        self.note_self_update(from);
                    } else {
                        self.updates.push(ListedUpdate { from, to, knowledge: Knowledge::Given });
                    }
                }
            }
        }
        self.notes.extend(documents.notes.iter().cloned());
        self.sources.push(counted(documents.releases.len(), "document"));
    }

    /// The id of a release. Adds the release if no other source has it.
    fn place(&mut self, node: LineageNode) -> GatheredId {
        let name = node.version.to_string();
        if let Some(place) = self.places.get(&name).copied() {
            let known = &mut self.nodes[place];
            let image = |node: &LineageNode| {
                let digest = node.metadata.get(MANIFEST_KEY).map(ToString::to_string);
                let named = || node.payload.as_ref()?.split_once('@');
                digest.or_else(|| named().map(|(_, digest)| digest.to_owned()))
            };
            let differ = |a: Option<String>, b: Option<String>| a.zip(b).filter(|(a, b)| a != b);
            if let Some((one, other)) = differ(image(known), image(&node)) {
                self.notes.push(format!(
                    "{name} has two images, {one} and {other}: the service rejects such a graph"
                ));
            }
            if known.is_abstract && !node.is_abstract {
                *known = node;
            } else if known.payload.is_none() {
                known.payload = node.payload;
            }
            return place;
        }
        let place = self.nodes.push(node);
        self.places.insert(name, place);
        place
    }

    fn note_self_update(&mut self, place: GatheredId) {
        let name = &self.nodes[place].version;
        let note = format!(
            "{name} lists itself as an origin: the service rejects such a graph (exitpath skips this update)"
        );
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Notes updates on which answers disagree.
    fn note_contradictions(&mut self, answers: &[GatheredAnswer]) {
        let mut contradictions = Vec::new();
        for (at, one) in answers.iter().enumerate() {
            for other in answers.iter().take(at).chain(&answers[at + 1..]) {
                contradictions.extend(one.updates.iter().copied().filter(|(from, to)| {
                    let name = self.nodes[*from].version.to_string();
                    !other.updates.contains(&(*from, *to)) && other.shows(*from, *to, &name)
                }));
            }
        }
        contradictions.sort_unstable();
        if let Some((from, to)) = contradictions.first() {
            let name = |place: GatheredId| &self.nodes[place].version;
            self.notes.push(format!(
                "the given graphs disagree on {}, for example {} → {}: exitpath uses updates that are in any of the graphs",
                counted(contradictions.len(), "update"), name(*from), name(*to)
            ));
        }
    }

    /// Notes cycles. The service rejects a graph with a cycle.
    fn note_cycles(&mut self) {
        let mut graph: DiGraph<GatheredId, ()> = DiGraph::new();
        let nodes: Arena<GatheredId, NodeIndex> =
            self.nodes.ids().map(|id| graph.add_node(id)).collect();
        for update in &self.updates {
            graph.add_edge(nodes[update.from], nodes[update.to], ());
        }
        if let Err(cycle) = petgraph::algo::toposort(&graph, None) {
            let name = &self.nodes[graph[cycle.node_id()]].version;
            self.notes.push(format!(
                "updates form a cycle through {name}: the service rejects such a graph"
            ));
        }
    }

    /// Adds predicted updates that the answers cannot show.
    fn add_predicted(&mut self, answers: &[GatheredAnswer], predicted: Lineage) {
        let mut added = 0;
        let places: Arena<LineageNodeId, GatheredId> = predicted
            .nodes
            .into_iter()
            .map(|mut node| {
                let is_new = !self.places.contains_key(&node.version.to_string());
                added += usize::from(is_new);
                Arc::make_mut(&mut node.metadata).insert(SOURCE_KEY.into(), "history".into());
                self.place(node)
            })
            .collect();
        let names: Arena<GatheredId, String> =
            self.nodes.iter().map(|node| node.version.to_string()).collect();
        let is_shown = |from: GatheredId, to: GatheredId| {
            answers.iter().any(|answer| answer.shows(from, to, &names[from]))
        };
        let place = |id: LineageNodeId| places[id];
        let updates = predicted.updates.into_iter().map(|update| update.placed(place));
        self.updates.extend(updates.filter(|update| !is_shown(update.from, update.to)));
        let unlikely = predicted.unlikely.into_iter().map(|(from, to)| (place(from), place(to)));
        self.unlikely.extend(unlikely.filter(|(from, to)| !is_shown(*from, *to)));
        self.notes.extend(predicted.provenance.notes);
        self.sources.push(format!(
            "{} for {}",
            predicted.provenance.source,
            counted(added, "other release")
        ));
    }

    fn into_lineage(mut self, architectures: &[Arch]) -> Lineage {
        let is_asked = |node: &LineageNode| {
            let arch = node.metadata.get(ARCH_KEY).map_or(node.version.build.as_str(), |a| a);
            Arch::named(arch).is_none_or(|arch| architectures.contains(&arch))
        };
        let mut order: Vec<GatheredId> =
            self.nodes.ids().filter(|id| is_asked(&self.nodes[*id])).collect();
        order.sort_by(|a, b| self.nodes[*a].version.cmp(&self.nodes[*b].version));
        let mut nodes = Arena::default();
        let mut places: Arena<GatheredId, Option<LineageNodeId>> =
            Arena::filled(self.nodes.len(), None);
        for id in order {
            places[id] = Some(nodes.push(self.nodes[id].clone()));
        }
        let place = |from: GatheredId, to: GatheredId| places[from].zip(places[to]);
        self.updates.sort_unstable();
        self.updates.dedup_by_key(|update| (update.from, update.to));
        let updates = self.updates.iter().filter_map(|update| {
            let (from, to) = place(update.from, update.to)?;
            Some(ListedUpdate { from, to, knowledge: update.knowledge })
        });
        let unlikely = self.unlikely.iter().filter_map(|(from, to)| place(*from, *to));
        let (updates, unlikely) = (updates.collect(), unlikely.collect());
        let source = self.sources.join(", ");
        let provenance = Provenance { source, notes: self.notes, ..Provenance::default() };
        Lineage { nodes, updates, unlikely, provenance, ..Lineage::default() }
    }
}
