//! From what releases list and what the repository declares to the graph that clusters are
//! served, as the update service builds it: metadata, blocks, risks, channels, and then the
//! edges, in the service's own order.
//!
//! Where the service's result depends on the order in which a disk lists files, ours is that
//! of their names.

mod declared;
mod matched;
mod steering;

use std::collections::HashMap;

use petgraph::graph::{DiGraph, NodeIndex};

use crate::graph::{
    ChannelId, DeclarationId, Edge, Reason, ReasonId, Release, State, UpdateGraph, sort_channels,
};
use crate::graph_data::{GraphData, Verdict};
use crate::lineage::{Lineage, Node, Update};

use declared::{Declared, Rules};
use matched::Matched;
use steering::Steering;

/// For whom the graph is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consumer {
    /// A service that knows of risks.
    #[default]
    Schema1_1,
    /// One that does not: to it, a risk is a block.
    Schema1_0,
}

/// The graph that clusters are served once the repository is merged.
#[must_use]
pub fn assemble(data: &GraphData, lineage: &Lineage, consumer: Consumer) -> UpdateGraph {
    let releases = Nodes::new(&lineage.nodes);
    let prepared = Prepared::of(data, lineage, &releases, Declared::of(data, consumer));
    let matched = Matched::of(&prepared.declared.patterns, &releases.texts);
    prepared.graph(data, lineage, &releases, &matched)
}

/// The same of two states of a repository for which releases list the same: what both share is
/// done once.
#[must_use]
pub fn assemble_both(
    (before, after): (&GraphData, &GraphData),
    lineage: &Lineage,
    consumer: Consumer,
) -> (UpdateGraph, UpdateGraph) {
    let releases = Nodes::new(&lineage.nodes);
    let is = Prepared::of(after, lineage, &releases, Declared::of(after, consumer));
    let declared = Declared::beside(&is.declared, before, consumer);
    let was = Prepared::of(before, lineage, &releases, declared);
    // These patterns begin with those of the other side.
    let matched = Matched::of(&was.declared.patterns, &releases.texts);
    rayon::join(
        || was.graph(before, lineage, &releases, &matched),
        || is.graph(after, lineage, &releases, &matched),
    )
}

/// What a repository declares for each release of a lineage.
struct Prepared {
    declared: Declared,
    steering: Steering,
    rules: Vec<Rules>,
}

impl Prepared {
    fn of(
        data: &GraphData,
        lineage: &Lineage,
        releases: &Nodes<'_>,
        mut declared: Declared,
    ) -> Self {
        let steering = Steering::of(data, lineage, releases);
        let rules = declared.rules(releases, &steering);
        Self { declared, steering, rules }
    }

    fn graph(
        self,
        data: &GraphData,
        lineage: &Lineage,
        releases: &Nodes<'_>,
        matched: &Matched,
    ) -> UpdateGraph {
        let Self { declared, steering, rules } = self;
        let mut assembly = Assembly {
            declared: &declared,
            steering: &steering,
            matched,
            reasons: vec![Reason::default()],
            known_reasons: HashMap::new(),
        };
        let incoming = Incoming::of(lineage, &steering);
        let (channels, member_of) = channels(data, releases);
        let release = |(at, (node, channels)): (usize, (&Node, Vec<ChannelId>))| Release {
            version: node.version.clone(),
            text: releases.texts[at].as_str().into(),
            payload: node.payload.clone(),
            metadata: steering.metadata(at, node, &rules[at], &declared),
            channels: if node.is_abstract { Vec::new() } else { channels },
            is_abstract: node.is_abstract,
            is_told: node.is_told,
        };
        let mut reasons = Vec::with_capacity(incoming.updates.len());
        let (nodes, ()) = rayon::join(
            || lineage.nodes.iter().zip(member_of).enumerate().map(release).collect::<Vec<_>>(),
            || {
                for (to, rules) in rules.iter().enumerate() {
                    let mut judged = assembly.judge(to, rules);
                    let updates = incoming.to(to).iter();
                    reasons.extend(updates.map(|update| judged.reason_for(update.from)));
                }
            },
        );
        let mut graph = DiGraph::with_capacity(nodes.len(), incoming.updates.len());
        for node in nodes {
            graph.add_node(node);
        }
        for (update, reason) in incoming.updates.iter().zip(reasons) {
            let edge = Edge { reason, knowledge: update.knowledge };
            graph.add_edge(NodeIndex::from(update.from), NodeIndex::from(update.to), edge);
        }
        let end = |at: u32| NodeIndex::from(at);
        UpdateGraph {
            graph,
            channels,
            reasons: assembly.reasons,
            doubted: lineage.doubted.iter().map(|(from, to)| (end(*from), end(*to))).collect(),
            doubles: Vec::new(),
            dangling: Vec::new(),
            risks: declared.risks,
            declarations: declared.declarations,
        }
    }
}

/// The releases of a lineage, by what others call them.
struct Nodes<'l> {
    list: &'l [Node],
    /// Each version as the service writes it.
    texts: Vec<String>,
    by_text: HashMap<String, u32>,
    /// Those that differ only in what is behind the `+`, by what they have in common.
    by_core: HashMap<String, Vec<u32>>,
}

impl<'l> Nodes<'l> {
    fn new(nodes: &'l [Node]) -> Self {
        let texts: Vec<String> = nodes.iter().map(|node| node.version.to_string()).collect();
        let mut by_core: HashMap<String, Vec<u32>> = HashMap::new();
        for (at, text) in (0..).zip(&texts) {
            let core = text.split('+').next().unwrap_or(text);
            match by_core.get_mut(core) {
                Some(alike) => alike.push(at),
                None => _ = by_core.insert(core.to_owned(), vec![at]),
            }
        }
        let by_text = texts.iter().cloned().zip(0..).collect();
        Self { list: nodes, texts, by_text, by_core }
    }

    /// Every release of a version, whatever its build.
    fn of_core(&self, version: &str) -> &[u32] {
        let core = version.split('+').next().unwrap_or(version);
        self.by_core.get(core).map_or(&[], Vec::as_slice)
    }
}

/// Every channel's name in the service's order, and each release's channels.
fn channels(data: &GraphData, releases: &Nodes<'_>) -> (Vec<String>, Vec<Vec<ChannelId>>) {
    let loaded = || {
        let public = data.channels.iter().filter(|channel| channel.public);
        public.filter(|channel| data.file(channel.file).verdict == Verdict::Loads)
    };
    let mut names: Vec<String> = loaded().map(|channel| channel.name().to_owned()).collect();
    sort_channels(&mut names);
    names.dedup();
    let ids = names.iter().map(String::as_str).zip((0..).map(ChannelId));
    let ids: HashMap<&str, ChannelId> = ids.collect();
    let mut member_of = vec![Vec::new(); releases.list.len()];
    let of_release: Vec<&[u32]> =
        data.releases.iter().map(|(_, release)| releases.of_core(&release.text)).collect();
    for channel in loaded() {
        let Some(id) = ids.get(channel.name()) else { continue };
        for member in &channel.versions {
            let (Some(version), Some(release)) = (&member.version, member.release) else {
                continue;
            };
            for node in of_release[release.index()] {
                let build = &releases.list[*node as usize].version.build;
                let channels = &mut member_of[*node as usize];
                if version.build.is_empty() || version.build == *build {
                    channels.push((*id, channel.file));
                }
            }
        }
    }
    let channels = member_of.into_iter().map(|mut channels| {
        // A release that a file names twice is in it once; a channel that two files name is
        // listed twice, as the service does it.
        channels.sort_unstable();
        channels.dedup();
        channels.into_iter().map(|(id, _)| id).collect()
    });
    let channels = channels.collect();
    (names, channels)
}
/// The updates of a lineage by their targets, and those that metadata adds.
struct Incoming {
    updates: Vec<Update>,
    starts: Vec<u32>,
}

impl Incoming {
    fn of(lineage: &Lineage, steering: &Steering) -> Self {
        let added = steering.added.iter();
        let all = || lineage.updates.iter().chain(added.clone());
        let mut starts = vec![0; lineage.nodes.len() + 1];
        for update in all() {
            starts[update.to as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let nothing = Update { from: 0, to: 0, knowledge: crate::graph::Knowledge::Given };
        let mut updates = vec![nothing; all().count()];
        for update in all() {
            let place = &mut next[update.to as usize];
            updates[*place as usize] = *update;
            *place += 1;
        }
        let mut incoming = Self { updates, starts };
        if !steering.added.is_empty() {
            incoming.forget_doubles();
        }
        incoming
    }

    fn to(&self, node: usize) -> &[Update] {
        &self.updates[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// What metadata adds may have been listed all along.
    fn forget_doubles(&mut self) {
        let mut kept = Vec::with_capacity(self.updates.len());
        let mut starts = vec![0];
        for node in 0..self.starts.len() - 1 {
            let mut updates = self.to(node).to_vec();
            updates.sort_unstable();
            updates.dedup_by_key(|update| update.from);
            kept.extend(updates);
            starts.push(u32::try_from(kept.len()).unwrap_or(u32::MAX));
        }
        *self = Self { updates: kept, starts };
    }
}

struct Assembly<'a> {
    declared: &'a Declared,
    steering: &'a Steering,
    matched: &'a Matched,
    reasons: Vec<Reason>,
    known_reasons: HashMap<Reason, ReasonId>,
}

/// The updates to one release, judged one by one. Most origins match the same patterns, so
/// what was found for one holds for many.
struct Judged<'j, 'a> {
    assembly: &'j mut Assembly<'a>,
    to: usize,
    rules: &'j Rules,
    mask: Vec<(usize, u64)>,
    known: Vec<(Vec<u64>, ReasonId)>,
}

impl<'a> Assembly<'a> {
    fn judge<'j>(&'j mut self, to: usize, rules: &'j Rules) -> Judged<'j, 'a> {
        let mask = Matched::mask(rules.patterns());
        Judged { assembly: self, to, rules, mask, known: Vec::new() }
    }

    fn id(&mut self, reason: Reason) -> ReasonId {
        let next = ReasonId(u32::try_from(self.reasons.len()).unwrap_or(u32::MAX));
        match self.known_reasons.get(&reason) {
            Some(id) => *id,
            None if reason == Reason::default() => ReasonId(0),
            None => {
                self.reasons.push(reason.clone());
                self.known_reasons.insert(reason, next);
                next
            }
        }
    }
}

impl Judged<'_, '_> {
    fn reason_for(&mut self, from: u32) -> ReasonId {
        let steering = self.assembly.steering;
        if steering.is_idle() && self.mask.is_empty() {
            return ReasonId(0);
        }
        let taken_by = steering.takes_away(from, self.to);
        let matched = self.assembly.matched;
        let found = |known: &[u64]| {
            let mut words = self.mask.iter().zip(known);
            words.all(|((word, mask), known)| matched.word(from, *word) & mask == *known)
        };
        if taken_by.is_none()
            && let Some((_, reason)) = self.known.iter().find(|(known, _)| found(known))
        {
            return *reason;
        }
        let words = self.mask.iter().map(|(word, mask)| matched.word(from, *word) & mask);
        let words: Vec<u64> = words.collect();
        let reason = self.judge(from, taken_by);
        let reason = self.assembly.id(reason);
        if taken_by.is_none() {
            self.known.push((words, reason));
        }
        reason
    }

    /// Conditional edges are made from the edges that are there before any is taken away.
    fn judge(&self, from: u32, taken_by: Option<&'static str>) -> Reason {
        let matched = self.assembly.matched;
        let hits = |pattern: usize| matched.is(from, pattern);
        let declared = self.assembly.declared;
        let mut declarations: Vec<DeclarationId> = Vec::new();
        let risks = self.rules.risks.iter().filter(|risk| hits(risk.pattern));
        let mut list = Vec::new();
        for risk in risks {
            declarations.push(risk.declaration);
            if risk.is_served {
                list.extend(declared.risk_of(risk.declaration));
            }
        }
        let block = self.rules.block.filter(|block| hits(block.pattern));
        declarations.extend(block.map(|block| block.declaration));
        declarations.sort_unstable();
        let is_taken = match self.rules.joined {
            // Patterns that change each other's meaning are asked as the service joins them.
            Some(joined) => hits(joined),
            None => !declarations.is_empty() || self.rules.metadata.is_some_and(hits),
        };
        let key = if is_taken && declarations.is_empty() {
            Some(crate::graph::REMOVE_REGEX_KEY)
        } else {
            taken_by
        };
        let state = match (list.is_empty(), is_taken || taken_by.is_some()) {
            (false, _) => State::Conditional(list),
            (true, true) => State::Blocked,
            (true, false) => State::Open,
        };
        match state {
            State::Open => Reason::default(),
            state => Reason { state, declarations, metadata_key: key },
        }
    }
}
