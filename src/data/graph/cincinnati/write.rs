//! Writes Cincinnati JSON in a fixed order, unlike the service: nodes by version, edges by origin
//! and target, conditional edges by target and origin, groups by their first edge.

use std::borrow::Cow;
use std::io::{self, Write};

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::domain::{Arch, Arena, Buckets, HashMap, Named, ids};
use crate::graph::{
    ARCH_KEY, CHANNELS_KEY, ReasonId, Release, Risk, RiskId, Served, State, UNCERTAIN_KEY,
    UpdateGraph,
};
use crate::text::printable_json;

/// The readers that a graph is written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readers {
    /// Whether they understand conditional edges. If not, these are omitted.
    pub know_conditions: bool,
}

/// Writes the service's answer to clusters of a channel and architecture.
pub fn write_served(served: &Served<'_>, readers: Readers, out: &mut dyn Write) -> io::Result<()> {
    let whole = served.whole;
    let version = |node| served.version(node);
    // The policy engine looks for the architecture anywhere in the version.
    let keeps = |node: NodeIndex| whole.release(node).text.contains(served.arch.name());
    let updates = served.updates().map(|update| (update.from, update.to, update.edge.reason));
    let writer =
        GraphWriter { whole, nodes: &served.members, arch: Some(served.arch), version: &version };
    writer.write(updates, &keeps, readers, out)
}

/// Writes the whole graph, as graph-builder serves it to the policy engine.
pub fn write_whole(whole: &UpdateGraph, readers: Readers, out: &mut dyn Write) -> io::Result<()> {
    let version = |node| Cow::Borrowed(&*whole.release(node).text);
    let nodes: Vec<NodeIndex> = whole.graph.node_indices().collect();
    let edges = whole.graph.edge_references();
    let updates = edges.map(|edge| (edge.source(), edge.target(), edge.weight().reason));
    let writer = GraphWriter { whole, nodes: &nodes, arch: None, version: &version };
    writer.write(updates, &|_| true, readers, out)
}

ids! {
    /// A list of risks of one written graph.
    RiskListId;
    /// The place of a release in the output.
    PlaceId;
}

type RiskLists<'g> = Arena<RiskListId, &'g [RiskId]>;

/// Writes a part of a graph.
struct GraphWriter<'p, 'g> {
    whole: &'g UpdateGraph,
    nodes: &'p [NodeIndex],
    /// The architecture of the answer, which its releases do not repeat. None for the whole graph.
    arch: Option<Arch>,
    version: &'p (dyn Fn(NodeIndex) -> Cow<'g, str> + Sync),
}

impl<'g> GraphWriter<'_, 'g> {
    fn write(
        &self,
        updates: impl Iterator<Item = (NodeIndex, NodeIndex, ReasonId)>,
        keeps: &dyn Fn(NodeIndex) -> bool,
        readers: Readers,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let place = self.places();
        let kept: Vec<bool> = self.whole.graph.node_indices().map(keeps).collect();
        let (written_as, lists) = self.lists();
        let mut edges: Vec<(PlaceId, PlaceId)> = Vec::new();
        let mut groups = Arena::filled(lists.len(), Vec::new());
        for (from, to, reason) in updates {
            match written_as[reason] {
                WrittenAs::Open => {
                    edges.push((place[from.index()], place[to.index()]));
                }
                WrittenAs::Conditional(list) if kept[from.index()] && kept[to.index()] => {
                    groups[list].push((to, from));
                }
                WrittenAs::Conditional(_) | WrittenAs::Omitted => {}
            }
        }
        let versions = self.versions();
        let (nodes, (edges, groups)) = rayon::join(
            || self.nodes_json(&versions),
            || {
                rayon::join(
                    || edges_json(self.nodes.len(), &edges),
                    || self.groups_json(&lists, groups, &versions),
                )
            },
        );
        let head = if self.arch.is_some() { "{\"version\":1,\"nodes\":[" } else { "{\"nodes\":[" };
        out.write_all(head.as_bytes())?;
        out.write_all(nodes.as_bytes())?;
        out.write_all(b"],\"edges\":[")?;
        out.write_all(edges.as_bytes())?;
        if readers.know_conditions {
            out.write_all(b"],\"conditionalEdges\":[")?;
            out.write_all(groups.as_bytes())?;
        }
        out.write_all(b"]}\n")
    }

    /// How to write the updates of each reason, and the distinct lists of risks.
    fn lists(&self) -> (Arena<ReasonId, WrittenAs>, RiskLists<'g>) {
        let mut lists = RiskLists::default();
        let mut known: HashMap<&[RiskId], RiskListId> = HashMap::default();
        let reasons = self.whole.reasons.iter().map(|reason| match &reason.state {
            State::Open => WrittenAs::Open,
            State::Blocked => WrittenAs::Omitted,
            State::Conditional(risks) => WrittenAs::Conditional(
                *known.entry(risks).or_insert_with(|| lists.push(risks.as_slice())),
            ),
        });
        (reasons.collect(), lists)
    }

    /// For each release of the whole graph, its index in the output.
    fn places(&self) -> Vec<PlaceId> {
        let mut place = vec![PlaceId::at(0); self.whole.graph.node_count()];
        for (at, node) in self.nodes.iter().enumerate() {
            place[node.index()] = PlaceId::at(at);
        }
        place
    }

    /// For each release of the whole graph, its version as JSON. Empty if it is not written.
    fn versions(&self) -> Vec<String> {
        let mut versions = vec![String::new(); self.whole.graph.node_count()];
        for node in self.nodes {
            versions[node.index()] = quoted((self.version)(*node).as_ref());
        }
        versions
    }

    fn nodes_json(&self, versions: &[String]) -> String {
        let unlikely = self.unlikely();
        let mut json = String::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let release = self.whole.release(*node);
            json.push_str(if i == 0 { "{\"version\":" } else { ",{\"version\":" });
            json.push_str(&versions[node.index()]);
            if !release.is_abstract {
                json.push_str(",\"payload\":");
                add_quoted(release.payload.as_deref().unwrap_or_default(), &mut json);
                json.push_str(",\"metadata\":{");
                self.add_metadata(release, unlikely.get(node), &mut json);
                json.push('}');
            }
            json.push('}');
        }
        json
    }

    fn add_metadata(
        &self,
        release: &Release,
        unlikely: Option<&Vec<NodeIndex>>,
        json: &mut String,
    ) {
        let uncertain = unlikely.map(|origins| {
            let origins = origins.iter().map(|origin| (self.version)(*origin));
            (UNCERTAIN_KEY, Cow::Owned(origins.collect::<Vec<_>>().join(",")))
        });
        let channels = self.whole.channel_list(release);
        let channels = (!channels.is_empty()).then_some((CHANNELS_KEY, Cow::Owned(channels)));
        let own = release.metadata.iter();
        let own = own.filter(|(key, _)| self.arch.is_none() || &***key != ARCH_KEY);
        let own = own.map(|(key, value)| (&**key, Cow::Borrowed(&**value)));
        let mut all: Vec<(&str, Cow<'_, str>)> = own.chain(channels).chain(uncertain).collect();
        all.sort_unstable_by_key(|(key, _)| *key);
        for (i, (key, value)) in all.iter().enumerate() {
            json.push_str(if i == 0 { "" } else { "," });
            add_quoted(key, json);
            json.push(':');
            add_quoted(value, json);
        }
    }

    /// For each written release, the origins of its uncertain updates, oldest first.
    fn unlikely(&self) -> HashMap<NodeIndex, Vec<NodeIndex>> {
        let written: Vec<bool> = {
            let mut written = vec![false; self.whole.graph.node_count()];
            self.nodes.iter().for_each(|node| written[node.index()] = true);
            written
        };
        let mut unlikely: HashMap<NodeIndex, Vec<NodeIndex>> = HashMap::default();
        for (from, to) in self.whole.uncertain() {
            if written[from.index()] && written[to.index()] {
                unlikely.entry(to).or_default().push(from);
            }
        }
        for origins in unlikely.values_mut() {
            origins.sort_unstable();
        }
        unlikely
    }

    fn groups_json(
        &self,
        lists: &RiskLists<'_>,
        groups: Arena<RiskListId, Vec<(NodeIndex, NodeIndex)>>,
        versions: &[String],
    ) -> String {
        let mut groups: Vec<_> = groups.into_iter().zip(lists).collect();
        groups.retain(|(edges, _)| !edges.is_empty());
        for (edges, _) in &mut groups {
            edges.sort_unstable();
        }
        groups.sort_unstable_by_key(|(edges, _)| edges.first().copied());
        let risks: Arena<RiskId, String> = self.whole.risks.iter().map(risk_json).collect();
        let mut json = String::new();
        for (i, (edges, list)) in groups.iter().enumerate() {
            json.push_str(if i == 0 { "{\"edges\":[" } else { ",{\"edges\":[" });
            for (j, (to, from)) in edges.iter().enumerate() {
                json.push_str(if j == 0 { "{\"from\":" } else { ",{\"from\":" });
                json.push_str(&versions[from.index()]);
                json.push_str(",\"to\":");
                json.push_str(&versions[to.index()]);
                json.push('}');
            }
            json.push_str("],\"risks\":[");
            for (j, risk) in list.iter().enumerate() {
                json.push_str(if j == 0 { "" } else { "," });
                json.push_str(&risks[*risk]);
            }
            json.push_str("]}");
        }
        json
    }
}

#[derive(Clone, Copy)]
enum WrittenAs {
    Open,
    /// The update is in the group with these risks.
    Conditional(RiskListId),
    Omitted,
}

/// The unconditional edges as JSON, in order of origin and target. A whole graph has half a
/// million, so the text of each place is made once.
fn edges_json(nodes: usize, edges: &[(PlaceId, PlaceId)]) -> String {
    let by_origin = Buckets::of(nodes, edges.iter().copied());
    let ends: Arena<PlaceId, String> = (0..nodes).map(|to| format!("{to}]")).collect();
    let mut json = String::with_capacity(edges.len() * 12);
    for (from, targets) in by_origin.entries() {
        let start = format!(",[{},", from.index());
        let mut targets = Cow::Borrowed(targets);
        if !targets.is_sorted() {
            targets.to_mut().sort_unstable();
        }
        for to in targets.iter() {
            json.push_str(if json.is_empty() { &start[1..] } else { &start });
            json.push_str(&ends[*to]);
        }
    }
    json
}

fn risk_json(risk: &Risk) -> String {
    let rules = risk.matching_rules.iter().map(|rule| {
        let query = rule.promql.as_ref().filter(|query| !query.is_empty());
        let query = query.map(|query| format!(",\"promql\":{{\"promql\":{}}}", quoted(query)));
        format!("{{\"type\":{}{}}}", quoted(&rule.kind), query.unwrap_or_default())
    });
    let rules: Vec<String> = rules.collect();
    format!(
        "{{\"url\":{},\"name\":{},\"message\":{},\"matchingRules\":[{}]}}",
        quoted(&risk.url),
        quoted(&risk.name),
        quoted(&risk.message),
        rules.join(",")
    )
}

fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    add_quoted(text, &mut json);
    json
}

/// Adds a text as JSON. The fast path is for text without escapes.
fn add_quoted(text: &str, json: &mut String) {
    if text.bytes().all(|b| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\' | b'#')) {
        json.push('"');
        json.push_str(text);
        json.push('"');
    } else {
        json.push_str(&printable_json(&serde_json::Value::from(text).to_string()));
    }
}
