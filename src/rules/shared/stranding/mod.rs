//! Releases that one cause strands, in the words that findings and reports share.

mod place;
mod words;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::analysis::{
    CauseOf, Effect, Entry, Simulated, Simulation, Stranded, StrandedBy, causes,
};
use crate::domain::Severity;
use crate::graph::{DeclarationId, State};
use crate::version::{self, Version};

/// Releases that one cause strands, or that a change frees of it.
#[derive(Debug)]
pub struct Stranding<'s> {
    simulation: &'s Simulation<'s>,
    /// What strands them.
    pub by: StrandedBy,
    /// What a change does to them; nothing of how things stand.
    pub effect: Option<Effect>,
    /// How bad it is.
    pub severity: Severity,
    members: Vec<Member<'s>>,
}

/// One of the releases, in one channel, for one goal.
#[derive(Clone, Copy, Debug)]
struct Member<'s> {
    channel: &'s Simulated,
    stranded: &'s Stranded,
    architectures: &'s [String],
    is_certain: bool,
    severity: Severity,
}

impl<'s> Stranding<'s> {
    /// How things stand: the stranded releases of a simulation by their causes. A warning, unless
    /// no update leads away from a release, whatever the risks: the author of a change cannot help
    /// what risks have done before.
    #[must_use]
    pub fn standing(simulation: &'s Simulation<'s>) -> Vec<Self> {
        let severity = |stranded: &Stranded| {
            let is_error = stranded.is_certain && stranded.is_dead_end();
            if is_error { Severity::Error } else { Severity::Warning }
        };
        let told = simulation.channels.iter().flat_map(|channel| {
            channel.told().map(move |stranded| Member {
                channel,
                stranded,
                architectures: &channel.architectures,
                is_certain: stranded.is_certain,
                severity: severity(stranded),
            })
        });
        Self::by_cause(simulation, &told.collect::<Vec<_>>(), None, |_| false)
    }

    /// What a change does to releases: the entries of one simulation, by what happens to them and
    /// by their causes. `is_new` tells of a risk, by its name, whether the change declares it.
    #[must_use]
    pub fn of_change(
        simulation: &'s Simulation<'s>,
        entries: &'s [Entry],
        is_new: &dyn Fn(&str) -> bool,
    ) -> Vec<Self> {
        let mut by_effect: BTreeMap<Effect, Vec<Member<'s>>> = BTreeMap::new();
        for entry in entries.iter().filter(|entry| !entry.is_implied) {
            let (channel, stranded) = entry.of(simulation);
            // Whether some clusters or all lose a path, the cause is one.
            let effect = match entry.effect {
                Effect::LostForAll => Effect::Lost,
                effect => effect,
            };
            by_effect.entry(effect).or_default().push(Member {
                channel,
                stranded,
                architectures: &entry.architectures,
                is_certain: entry.is_certain,
                severity: entry.severity(simulation),
            });
        }
        let is_new = |risk: u32| is_new(simulation.names.name(risk));
        let all = by_effect.iter().flat_map(|(effect, members)| {
            Self::by_cause(simulation, members, Some(*effect), is_new)
        });
        let mut all: Vec<Self> = all.collect();
        all.sort_by_key(|one| Reverse(one.severity));
        all
    }

    fn by_cause(
        simulation: &'s Simulation<'s>,
        members: &[Member<'s>],
        effect: Option<Effect>,
        is_new: impl Fn(u32) -> bool,
    ) -> Vec<Self> {
        let pairs: Vec<(&Simulated, &Stranded)> =
            members.iter().map(|member| (member.channel, member.stranded)).collect();
        let stranding = |cause: CauseOf| {
            let members: Vec<Member<'s>> = cause.strands.iter().map(|at| members[*at]).collect();
            let is_real = |member: &Member<'_>| {
                let sets = member.stranded.smallest_sets(&simulation.names);
                let mut sets = sets.iter();
                sets.len() == 0 || sets.any(|set| simulation.contradictions.of(set).is_none())
            };
            // Risks that no cluster has together strand nobody, as far as is known.
            let worst = members.iter().filter(|member| is_real(member));
            let severity = worst.map(|member| member.severity).max().unwrap_or(Severity::Info);
            Self { simulation, by: cause.by, effect, severity, members }
        };
        let known = (&simulation.names, &simulation.contradictions);
        let causes = causes(known, &pairs, is_new).into_iter();
        let mut all: Vec<Self> = causes.map(stranding).collect();
        all.sort_by_key(|one| Reverse(one.severity));
        all
    }

    /// The name of the risk to blame, if it is one.
    #[must_use]
    pub fn risk(&self) -> Option<&'s str> {
        match &self.by {
            StrandedBy::Risk(risk) => Some(self.simulation.names.name(*risk)),
            StrandedBy::Graph(_) | StrandedBy::ManyRisks => None,
        }
    }

    /// What a baseline knows it by: its cause.
    #[must_use]
    pub fn about(&self) -> String {
        match &self.by {
            StrandedBy::Graph(Some(end)) => format!("no update from {end}"),
            StrandedBy::Graph(None) => "no updates".to_owned(),
            StrandedBy::ManyRisks => "many risks".to_owned(),
            StrandedBy::Risk(risk) => self.simulation.names.name(*risk).to_owned(),
        }
    }

    /// The versions of the releases, oldest first.
    #[must_use]
    pub fn versions(&self) -> Vec<&'s str> {
        let named = self.members.iter().map(Member::version);
        let named: BTreeSet<(Option<Version>, &str)> =
            named.map(|name| (version::parse(name), name)).collect();
        named.into_iter().map(|(_, name)| name).collect()
    }

    /// The names of the channels, in their order.
    #[must_use]
    pub fn channels(&self) -> Vec<&'s str> {
        let mut seen = HashSet::new();
        let names = self.members.iter().map(|member| self.channel(member));
        names.filter(|name| seen.insert(*name)).collect()
    }

    /// How many architectures were simulated.
    fn architectures(&self) -> usize {
        let channels = self.simulation.channels.iter();
        let all = channels.flat_map(|channel| &channel.architectures);
        all.collect::<HashSet<_>>().len()
    }

    fn channel(&self, member: &Member<'_>) -> &'s str {
        self.simulation.name(member.channel.channel)
    }

    /// The declarations that close the releases' updates, those of the newest targets first.
    fn declarations(&self) -> Vec<DeclarationId> {
        let graph = self.simulation.graph;
        let mut seen = HashSet::new();
        let mut found: Vec<DeclarationId> = Vec::new();
        for member in self.members.iter().rev() {
            let ids = match &self.by {
                StrandedBy::Graph(Some(end)) => self.blocks(member, end),
                StrandedBy::Graph(None) => Vec::new(),
                StrandedBy::Risk(_) | StrandedBy::ManyRisks => {
                    let reasons = member.stranded.exits.iter();
                    let reasons = reasons.map(|exit| &graph.reasons[exit.reason.0 as usize]);
                    reasons.flat_map(|reason| reason.declarations.iter().copied()).collect()
                }
            };
            found.extend(ids.into_iter().filter(|id| seen.insert(*id)));
        }
        found
    }

    /// The blocks on the updates from where a release gets to, those of the newest target first.
    fn blocks(&self, member: &Member<'_>, end: &str) -> Vec<DeclarationId> {
        let graph = self.simulation.graph;
        let channel = member.channel.channel;
        let is_it = |node: &NodeIndex| {
            let release = graph.release(*node);
            release.is_in(channel) && release.text.split('+').next() == Some(end)
        };
        let edges =
            graph.graph.node_indices().filter(is_it).flat_map(|node| graph.graph.edges(node));
        let blocked = edges.filter(|edge| {
            graph.release(edge.target()).is_in(channel)
                && graph.reason(edge.id()).state == State::Blocked
        });
        let mut blocked: Vec<_> = blocked.collect();
        blocked.sort_by_key(|edge| Reverse(edge.target()));
        blocked.iter().flat_map(|edge| graph.reason(edge.id()).declarations.clone()).collect()
    }

    /// Whether it hangs on no update that nobody is sure of, for one of the releases at least.
    pub(in crate::rules) fn is_certain(&self) -> bool {
        self.members.iter().any(|member| member.is_certain)
    }
}

impl<'s> Member<'s> {
    fn version(&self) -> &'s str {
        &self.channel.ways.versions[self.stranded.release]
    }
}
