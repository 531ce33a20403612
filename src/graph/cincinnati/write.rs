//! Writing Cincinnati JSON, in one order whatever the service's own chance: nodes by
//! version, edges by origin and target, conditional edges by target and origin, groups by
//! their first edge.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufWriter, Write};

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::graph::{
    ARCH_KEY, CHANNELS_KEY, Release, Risk, RiskId, Served, State, UNCERTAIN_KEY, Update,
    UpdateGraph,
};

/// Which readers a graph is written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readers {
    /// They know of conditional edges: without, such edges are left out for everyone.
    pub know_conditions: bool,
}

/// Writes what clusters of a channel and an architecture are answered.
pub fn write_served(served: &Served<'_>, readers: Readers, out: &mut dyn Write) -> io::Result<()> {
    let whole = served.whole;
    let version = |node| served.version(node);
    // The policy engine looks for the architecture anywhere in the version.
    let keeps = |node: NodeIndex| whole.release(node).text.contains(served.arch);
    let updates = served.updates().filter(Update::is_served);
    let updates = updates.map(|update| (update.from, update.to, &update.reason.state));
    let part = Part { whole, nodes: &served.members, arch: Some(served.arch), version: &version };
    part.write(updates, &keeps, readers, out)
}

/// Writes the whole graph, as graph-builder serves it to the policy engine.
pub fn write_whole(whole: &UpdateGraph, readers: Readers, out: &mut dyn Write) -> io::Result<()> {
    let version = |node| Cow::Borrowed(&*whole.release(node).text);
    let nodes: Vec<NodeIndex> = whole.graph.node_indices().collect();
    let edges = whole.graph.edge_references();
    let states = edges.map(|edge| {
        (edge.source(), edge.target(), &whole.reasons[edge.weight().reason.0 as usize].state)
    });
    let seen = states.filter(|(.., state)| **state != State::Blocked);
    let part = Part { whole, nodes: &nodes, arch: None, version: &version };
    part.write(seen, &|_| true, readers, out)
}

/// What is written of a graph.
struct Part<'p, 'g> {
    whole: &'g UpdateGraph,
    nodes: &'p [NodeIndex],
    /// The one architecture that is written; then it is not repeated on each release.
    arch: Option<&'g str>,
    version: &'p dyn Fn(NodeIndex) -> Cow<'g, str>,
}

impl<'g> Part<'_, 'g> {
    fn write(
        &self,
        updates: impl Iterator<Item = (NodeIndex, NodeIndex, &'g State)>,
        keeps: &dyn Fn(NodeIndex) -> bool,
        readers: Readers,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let mut edges: Vec<(u32, u32)> = Vec::new();
        let mut groups: HashMap<&[RiskId], Vec<(NodeIndex, NodeIndex)>> = HashMap::new();
        let place = self.places();
        for (from, to, state) in updates {
            match state {
                State::Open => edges.push((place[from.index()], place[to.index()])),
                State::Conditional(risks) if keeps(from) && keeps(to) => {
                    groups.entry(risks).or_default().push((to, from));
                }
                State::Conditional(_) | State::Blocked => {}
            }
        }
        edges.sort_unstable();
        out.write_all(if self.arch.is_some() {
            b"{\"version\":1,\"nodes\":["
        } else {
            b"{\"nodes\":["
        })?;
        let versions = self.versions();
        self.write_nodes(&versions, &mut out)?;
        out.write_all(b"],\"edges\":[")?;
        let mut number = Numbers::default();
        for (i, (from, to)) in edges.iter().enumerate() {
            out.write_all(if i == 0 { b"[" } else { b",[" })?;
            out.write_all(number.digits(*from))?;
            out.write_all(b",")?;
            out.write_all(number.digits(*to))?;
            out.write_all(b"]")?;
        }
        out.write_all(b"]")?;
        if readers.know_conditions {
            self.write_groups(groups, &versions, &mut out)?;
        }
        out.write_all(b"}\n")?;
        out.flush()
    }

    /// Where each release of the whole graph stands in what is written.
    fn places(&self) -> Vec<u32> {
        let mut place = vec![0; self.whole.graph.node_count()];
        for (at, node) in (0..).zip(self.nodes) {
            place[node.index()] = at;
        }
        place
    }

    /// Each version that is written, as JSON.
    fn versions(&self) -> Vec<String> {
        let mut versions = vec![String::new(); self.whole.graph.node_count()];
        for node in self.nodes {
            versions[node.index()] = json((self.version)(*node).as_ref());
        }
        versions
    }

    fn write_nodes(&self, versions: &[String], out: &mut impl Write) -> io::Result<()> {
        let doubted = self.doubted();
        for (i, node) in self.nodes.iter().enumerate() {
            let release = self.whole.release(*node);
            let comma = if i == 0 { "" } else { "," };
            write!(out, "{comma}{{\"version\":{}", versions[node.index()])?;
            if !release.is_abstract {
                write!(out, ",\"payload\":{},\"metadata\":{{", json(&release.payload))?;
                self.write_metadata(release, doubted.get(node), out)?;
                out.write_all(b"}")?;
            }
            out.write_all(b"}")?;
        }
        Ok(())
    }

    fn write_metadata(
        &self,
        release: &Release,
        doubted: Option<&Vec<NodeIndex>>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let uncertain = doubted.map(|origins| {
            let origins = origins.iter().map(|origin| (self.version)(*origin));
            (UNCERTAIN_KEY, Cow::Owned(origins.collect::<Vec<_>>().join(",")))
        });
        let channels = self.whole.channel_list(release);
        let channels = (!channels.is_empty()).then_some((CHANNELS_KEY, Cow::Owned(channels)));
        let own =
            release.metadata.iter().filter(|(key, _)| self.arch.is_none() || &***key != ARCH_KEY);
        let own = own.map(|(key, value)| (&**key, Cow::Borrowed(&**value)));
        let all: BTreeMap<&str, Cow<'_, str>> = own.chain(channels).chain(uncertain).collect();
        for (i, (key, value)) in all.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(out, "{comma}{}:{}", json(key), json(value))?;
        }
        Ok(())
    }

    /// The origins of each written release that nobody can be sure of, oldest first.
    fn doubted(&self) -> HashMap<NodeIndex, Vec<NodeIndex>> {
        let written: Vec<bool> = {
            let mut written = vec![false; self.whole.graph.node_count()];
            self.nodes.iter().for_each(|node| written[node.index()] = true);
            written
        };
        let mut doubted: HashMap<NodeIndex, Vec<NodeIndex>> = HashMap::new();
        for (from, to) in self.whole.uncertain() {
            if written[from.index()] && written[to.index()] {
                doubted.entry(to).or_default().push(from);
            }
        }
        for origins in doubted.values_mut() {
            origins.sort_unstable();
        }
        doubted
    }

    fn write_groups(
        &self,
        groups: HashMap<&[RiskId], Vec<(NodeIndex, NodeIndex)>>,
        versions: &[String],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut groups: Vec<_> = groups.into_iter().collect();
        for (_, edges) in &mut groups {
            edges.sort_unstable();
        }
        groups.sort_unstable_by_key(|(_, edges)| edges.first().copied());
        let risks: Vec<String> = self.whole.risks.iter().map(risk_json).collect();
        out.write_all(b",\"conditionalEdges\":[")?;
        for (i, (list, edges)) in groups.iter().enumerate() {
            out.write_all(if i == 0 { b"{\"edges\":[" } else { b",{\"edges\":[" })?;
            for (j, (to, from)) in edges.iter().enumerate() {
                out.write_all(if j == 0 { b"{\"from\":" } else { b",{\"from\":" })?;
                out.write_all(versions[from.index()].as_bytes())?;
                out.write_all(b",\"to\":")?;
                out.write_all(versions[to.index()].as_bytes())?;
                out.write_all(b"}")?;
            }
            out.write_all(b"],\"risks\":[")?;
            for (j, risk) in list.iter().enumerate() {
                out.write_all(if j == 0 { b"" } else { b"," })?;
                out.write_all(risks[risk.0 as usize].as_bytes())?;
            }
            out.write_all(b"]}")?;
        }
        out.write_all(b"]")
    }
}

/// A risk as clusters are told of it.
fn risk_json(risk: &Risk) -> String {
    let rules = risk.matching_rules.iter().map(|rule| {
        let query = rule.promql.as_ref().filter(|query| !query.is_empty());
        let query = query.map(|query| format!(",\"promql\":{{\"promql\":{}}}", json(query)));
        format!("{{\"type\":{}{}}}", json(&rule.kind), query.unwrap_or_default())
    });
    let rules: Vec<String> = rules.collect();
    format!(
        "{{\"url\":{},\"name\":{},\"message\":{},\"matchingRules\":[{}]}}",
        json(&risk.url),
        json(&risk.name),
        json(&risk.message),
        rules.join(",")
    )
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Writes numbers without a formatter in the way: a whole graph has millions.
#[derive(Default)]
struct Numbers([u8; 10]);

impl Numbers {
    fn digits(&mut self, mut number: u32) -> &[u8] {
        let mut start = self.0.len();
        loop {
            start -= 1;
            self.0[start] = b'0' + u8::try_from(number % 10).unwrap_or_default();
            number /= 10;
            if number == 0 {
                return &self.0[start..];
            }
        }
    }
}
