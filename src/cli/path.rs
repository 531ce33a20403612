//! `exitpath path`: ways between two releases.

use std::collections::BTreeSet;
use std::io::Write;

use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
use serde_json::json;

use crate::analysis::{Names, Step, Steps};
use crate::assembly::Consumer;
use crate::graph::{ChannelId, DeclarationId, ReasonId, State, UpdateGraph};
use crate::graph_data::{ARCHITECTURES, BlockedEdge, GraphData, without_build};
use crate::report::Style;
use crate::text::printable;

use super::args::{Common, PathFormat, WayBetween};
use super::graph::adopted;
use super::releases::architectures;
use super::simulate::unknown;
use super::{Failure, Status};

/// The part of a graph that ways go over: one architecture, and the channels that count.
struct Ground<'g> {
    graph: &'g UpdateGraph,
    names: Names,
    arch: &'g str,
    channel: Option<ChannelId>,
}

pub(super) fn run(
    args: &WayBetween,
    common: &Common,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Failure> {
    let arch = args.arch.as_deref().unwrap_or(ARCHITECTURES[0]);
    let asked = architectures(Some(arch))?;
    let (graph, data) = if let Some(path) = &args.subject.graph {
        (adopted(path, arch)?, None)
    } else {
        let assembled = args.subject.assemble(None, (arch, asked), Consumer::Schema1_1)?;
        assembled.tell(common, err)?;
        (assembled.graph, Some(assembled.data))
    };
    let names = || graph.channels.iter().map(String::as_str);
    let id = |name: &String| graph.channel(name).ok_or_else(|| unknown("channel", name, names()));
    let channel = args.channel.as_ref().map(id).transpose()?;
    let ground = Ground { graph: &graph, names: Names::of(&graph), arch, channel };
    let (from, to) = (ground.release(&args.from)?, ground.release(&args.to)?);
    let closed_by = |reason: ReasonId| match &graph.reasons[reason.0 as usize].state {
        State::Blocked => None,
        state => Some(ground.names.of_state(&graph, state)),
    };
    let steps = ground.steps((from, to), closed_by);
    let open = steps.shortest(from, to, |step| step.risks.is_empty());
    let shortest = steps.shortest(from, to, |_| true);
    let safest = if open.is_none() { steps.safest(from, to) } else { None };
    let mut ways: Vec<(Kind, Vec<&Step>)> = Vec::new();
    ways.extend(open.map(|way| (Kind::Open, way)));
    ways.extend(safest.map(|way| (Kind::FewestRisks, way)));
    if let Some(way) = shortest
        && ways.iter().all(|(_, known)| known.len() > way.len())
    {
        ways.push((Kind::FewestHops, way));
    }
    // What is blocked behind its risks is not open when they end.
    let closed_by =
        |reason: ReasonId| closed_by(reason).filter(|_| !ground.names.hides_block(reason));
    let risks = match ways.first() {
        Some((Kind::Open, _)) => Vec::new(),
        _ => ground.steps((from, to), closed_by).freed_by(from, to),
    };
    let risks: Vec<&str> = risks.iter().map(|risk| ground.names.name(*risk)).collect();
    let blocks = match &data {
        Some(data) if ways.is_empty() => ground.unblocked_by(data, from, to),
        _ => Vec::new(),
    };
    if args.format == PathFormat::Json {
        let ways: Vec<_> = ways.iter().map(|(kind, way)| ground.json(*kind, way)).collect();
        let found = json!({"version": 1, "from": args.from, "to": args.to, "ways": ways,
            "freed_by": risks, "unblocked_by": blocks});
        writeln!(out, "{found}")?;
    } else {
        for (kind, way) in &ways {
            ground.tell(*kind, way, style, out)?;
        }
        if ways.is_empty() {
            let why = ground.why_not(data.as_ref(), from, to);
            let (from, to) = (printable(&args.from), printable(&args.to));
            writeln!(out, "there is no way from {from} to {to}: {}", printable(&why))?;
        }
        if let Some(some) = one_of(&risks) {
            writeln!(out, "there is a way without any risk when {some} ends")?;
        }
        if let Some(some) = one_of(&blocks) {
            writeln!(out, "there is a way when {some} ends")?;
        }
    }
    let status = if ways.is_empty() { Status::Findings } else { Status::Clean };
    std::mem::forget((graph, data));
    Ok(status)
}

/// Names of which any one will do: a person reads a few.
fn one_of(names: &[&str]) -> Option<String> {
    const MOST: usize = 4;
    let (told, more) = names.split_at(names.len().min(MOST));
    let more = if more.is_empty() { String::new() } else { format!(" or {} more", more.len()) };
    (!told.is_empty()).then(|| printable(&told.join(" or ")).into_owned() + &more)
}

/// What is good about a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Open,
    FewestRisks,
    FewestHops,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Self::Open => "without any risk",
            Self::FewestRisks => "with the fewest risks",
            Self::FewestHops => "with the fewest hops",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::FewestRisks => "fewest-risks",
            Self::FewestHops => "fewest-hops",
        }
    }
}

impl Ground<'_> {
    /// The release of a version, in the channels that count.
    fn release(&self, version: &str) -> Result<u32, Failure> {
        let nodes = || self.graph.graph.node_indices().filter(|node| self.counts(*node));
        let found = nodes().find(|node| self.version(*node) == version);
        if let Some(node) = found {
            return Ok(u32::try_from(node.index()).unwrap_or(u32::MAX));
        }
        let names: BTreeSet<&str> = nodes().map(|node| self.version(node)).collect();
        Err(unknown("release", version, names.into_iter()))
    }

    fn counts(&self, node: NodeIndex) -> bool {
        let release = self.graph.release(node);
        release.is_for(self.arch)
            && self.channel.map_or(!release.channels.is_empty(), |channel| release.is_in(channel))
    }

    fn version(&self, node: NodeIndex) -> &str {
        let text = &*self.graph.release(node).text;
        text.split('+').next().unwrap_or(text)
    }

    /// The channels that offer an update: those that both ends are in.
    fn channels(&self, from: NodeIndex, to: NodeIndex) -> impl Iterator<Item = ChannelId> {
        let both = move |id: &ChannelId| self.graph.release(to).is_in(*id);
        let own = self.graph.release(from).channels.iter().copied();
        own.filter(both).filter(|id| self.channel.is_none_or(|channel| channel == *id))
    }

    /// The updates that ways go over, each with what closes it; without those of which `closed_by`
    /// knows nothing. Nobody goes by way of a pre-release.
    fn steps(
        &self,
        (from, to): (u32, u32),
        closed_by: impl Fn(ReasonId) -> Option<Vec<u32>>,
    ) -> Steps {
        let is_stop = |node: NodeIndex| {
            let is_end = [from, to].map(NodeIndex::from).contains(&node);
            is_end || self.graph.release(node).version.pre.is_empty()
        };
        let edges = self.graph.graph.edge_references();
        let wanted = edges.filter(|edge| {
            [edge.source(), edge.target()].into_iter().all(|n| self.counts(n) && is_stop(n))
                && self.channels(edge.source(), edge.target()).next().is_some()
        });
        let place = |node: NodeIndex| u32::try_from(node.index()).unwrap_or(u32::MAX);
        Steps::new(wanted.filter_map(|edge| {
            let risks = closed_by(edge.weight().reason)?;
            Some(Step { from: place(edge.source()), to: place(edge.target()), risks })
        }))
    }

    /// The narrowest channel that offers a step.
    fn channel_of(&self, step: &Step) -> &str {
        let width = |id: &ChannelId| {
            let name = &self.graph.channels[id.0 as usize];
            ["stable", "eus", "fast"].iter().position(|phase| name.starts_with(phase)).unwrap_or(3)
        };
        let channels = self.channels(step.from.into(), step.to.into());
        let best = channels.min_by_key(width);
        best.map_or("", |id| self.graph.channels[id.0 as usize].as_str())
    }

    fn risks(&self, step: &Step) -> Vec<&str> {
        step.risks.iter().map(|risk| self.names.name(*risk)).collect()
    }

    fn tell(
        &self,
        kind: Kind,
        way: &[&Step],
        style: Style,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let hops = if way.len() == 1 { "1 hop".to_owned() } else { format!("{} hops", way.len()) };
        writeln!(out, "{}", style.bold(&format!("{}, {hops}:", kind.words())))?;
        let length = |node: u32| self.version(node.into()).len();
        let widest = way.iter().flat_map(|s| [length(s.from), length(s.to)]).max().unwrap_or(0);
        for step in way {
            let (from, to) = (self.version(step.from.into()), self.version(step.to.into()));
            let (from, to, channel) =
                (printable(from), printable(to), printable(self.channel_of(step)));
            write!(out, "  {from:<widest$} → {to:<widest$}  {channel}")?;
            match self.risks(step).as_slice() {
                [] => writeln!(out)?,
                some => writeln!(out, "  unless {}", printable(&some.join(" or ")))?,
            }
        }
        Ok(())
    }

    fn json(&self, kind: Kind, way: &[&Step]) -> serde_json::Value {
        let hops = way.iter().map(|step| {
            json!({
                "from": self.version(step.from.into()),
                "to": self.version(step.to.into()),
                "channel": self.channel_of(step),
                "risks": self.risks(step),
            })
        });
        json!({"kind": kind.name(), "hops": hops.collect::<Vec<_>>()})
    }

    /// The files of blocks of which the end of one alone would open a way, whatever its risks.
    fn unblocked_by<'d>(&self, data: &'d GraphData, from: u32, to: u32) -> Vec<&'d str> {
        let file = |id: DeclarationId| self.graph.declarations[id.0 as usize].to.source;
        let target = |edge: &BlockedEdge| edge.target.as_ref().map(without_build);
        // Of several blocks of one release the last counts, and then the one before it.
        let is_only = |id: DeclarationId| {
            let edge = data.blocked_edges.iter().find(|edge| edge.file == file(id));
            let blocks = data.blocked_edges.iter().filter(|edge| edge.is_block());
            blocks.filter(|block| edge.and_then(target) == target(block)).count() == 1
        };
        let closed_by = |reason: ReasonId| {
            let reason = &self.graph.reasons[reason.0 as usize];
            match (&reason.state, reason.declarations.as_slice()) {
                (State::Open | State::Conditional(_), _) => Some(Vec::new()),
                (State::Blocked, [only]) if reason.metadata_key.is_none() => Some(vec![only.0]),
                (State::Blocked, _) => None,
            }
        };
        let blocks = self.steps((from, to), closed_by).freed_by(from, to);
        let blocks = blocks.into_iter().map(DeclarationId).filter(|id| is_only(*id));
        blocks.map(|id| data.path(file(id))).collect()
    }

    /// What closes the way, in the fewest words that are true.
    fn why_not(&self, data: Option<&GraphData>, from: u32, to: u32) -> String {
        let all = self.steps((from, to), |_| Some(Vec::new()));
        let is_open = |step: &Step| {
            let edge = self.graph.graph.find_edge(step.from.into(), step.to.into());
            edge.is_some_and(|edge| self.graph.reason(edge).state != State::Blocked)
        };
        if let Some(way) = all.shortest(from, to, |_| true) {
            let blocked: Vec<&&Step> = way.iter().filter(|step| !is_open(step)).collect();
            let by = blocked.iter().filter_map(|step| {
                let edge: EdgeIndex =
                    self.graph.graph.find_edge(step.from.into(), step.to.into())?;
                let declaration: DeclarationId = *self.graph.reason(edge).declarations.first()?;
                let span = self.graph.declarations[declaration.0 as usize].to;
                Some(data?.path(span.source).to_owned())
            });
            let mut by: Vec<String> = by.collect();
            by.dedup();
            let first = blocked.first().map(|step| {
                format!("{} → {}", self.version(step.from.into()), self.version(step.to.into()))
            });
            let by =
                if by.is_empty() { String::new() } else { format!(" by {}", by.join(" and ")) };
            return format!("{} is blocked{by}", first.unwrap_or_default());
        }
        let leads =
            |from: u32| self.graph.graph.edges(from.into()).any(|e| self.counts(e.target()));
        if leads(from) {
            format!("no update leads on to {}", self.version(to.into()))
        } else {
            format!("no update leads away from {}", self.version(from.into()))
        }
    }
}
