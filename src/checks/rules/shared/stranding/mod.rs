//! Releases that one cause strands. Findings and reports describe them in the same words.

mod place;
mod promotion;
mod words;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::analysis::{
    CaseId, Cases, CauseGroup, DeadEnd, RiskNameId, SimulatedChannel, Simulation, Stranded,
    StrandedBy, causes,
};
use crate::change::{Effect, ExitEntry};
use crate::domain::version::{self, Version, strip_build};
use crate::domain::{ArchSet, Arena, HashSet, Severity};
use crate::graph::{DeclarationId, State};

/// Releases that one cause strands, or that a change unblocks.
#[derive(Debug)]
pub(crate) struct Stranding<'s> {
    simulation: &'s Simulation<'s>,
    /// The cause.
    pub by: StrandedBy,
    /// The effect of a change on them, if this is about a change.
    pub effect: Option<Effect>,
    /// The severity of the finding.
    pub severity: Severity,
    cases: Vec<StrandedCase<'s>>,
    /// The advice to promote a release, if a change strands the releases and that helps.
    promotion: Option<String>,
}

/// A stranded release in one channel, for one goal.
#[derive(Clone, Copy, Debug)]
struct StrandedCase<'s> {
    channel: &'s SimulatedChannel,
    stranded: &'s Stranded,
    architectures: ArchSet,
    is_certain: bool,
    severity: Severity,
}

impl<'s> Stranding<'s> {
    /// Groups the stranded releases of a simulation by cause. They are warnings, because the author
    /// of a change did not strand them. Only a certain dead end is an error.
    pub(crate) fn all_of(simulation: &'s Simulation<'s>) -> Vec<Self> {
        let severity = |stranded: &Stranded| {
            let is_error = stranded.is_certain && stranded.is_dead_end();
            if is_error { Severity::Error } else { Severity::Warning }
        };
        let cases = simulation.channels.iter().flat_map(|channel| {
            channel.reported().map(move |stranded| StrandedCase {
                channel,
                stranded,
                architectures: channel.architectures,
                is_certain: stranded.is_certain,
                severity: severity(stranded),
            })
        });
        Self::by_cause(simulation, &cases.collect(), None, |_| false)
    }

    /// Groups the effects of a change on the releases of one simulation by effect and cause.
    /// `is_new` tells whether the change declares the risk with a name.
    pub(crate) fn of_change(
        simulation: &'s Simulation<'s>,
        entries: &'s [ExitEntry],
        is_new: &dyn Fn(&str) -> bool,
    ) -> Vec<Self> {
        let mut by_effect: BTreeMap<Effect, Arena<CaseId, StrandedCase<'s>>> = BTreeMap::new();
        for entry in entries.iter().filter(|entry| !entry.is_implied) {
            let (channel, stranded) = entry.of(simulation);
            // A path that some clusters lose and a path that all lose have the same cause.
            let effect = match entry.effect {
                Effect::LostForAll => Effect::Lost,
                effect => effect,
            };
            by_effect.entry(effect).or_default().push(StrandedCase {
                channel,
                stranded,
                architectures: entry.architectures,
                is_certain: entry.is_certain,
                severity: entry.severity(simulation),
            });
        }
        let is_new = |risk: RiskNameId| is_new(simulation.names.name(risk));
        let all = by_effect
            .iter()
            .flat_map(|(effect, cases)| Self::by_cause(simulation, cases, Some(*effect), is_new));
        let mut all: Vec<Self> = all.collect();
        for one in &mut all {
            one.promotion = one.promotion();
            // Maintainers declare risks on purpose. They can act only if another release waits for
            // promotion.
            if one.is_by_risks() && one.promotion.is_none() && one.severity == Severity::Warning {
                one.severity = Severity::Info;
            }
        }
        all.sort_by_key(|one| Reverse(one.severity));
        all
    }

    /// Whether risks strand the releases, and not the graph.
    fn is_by_risks(&self) -> bool {
        matches!(self.by, StrandedBy::Risk(_) | StrandedBy::ManyRisks)
    }

    fn by_cause(
        simulation: &'s Simulation<'s>,
        cases: &Arena<CaseId, StrandedCase<'s>>,
        effect: Option<Effect>,
        is_new: impl Fn(RiskNameId) -> bool,
    ) -> Vec<Self> {
        let pairs: Cases<'_> = cases.iter().map(|case| (case.channel, case.stranded)).collect();
        let stranding = |cause: CauseGroup| {
            let cases: Vec<StrandedCase<'s>> = cause.cases.iter().map(|id| cases[*id]).collect();
            let is_real = |case: &StrandedCase<'_>| {
                let sets = case.stranded.smallest_sets(&simulation.names);
                let mut sets = sets.iter();
                sets.len() == 0 || sets.any(|set| simulation.contradictions.of(set).is_none())
            };
            // No known cluster has contradictory risks at the same time, so they strand no cluster.
            let worst = cases.iter().filter(|case| is_real(case));
            let severity = worst.map(|case| case.severity).max().unwrap_or(Severity::Info);
            Self { simulation, by: cause.by, effect, severity, cases, promotion: None }
        };
        let (names, contradictions) = (&simulation.names, &simulation.contradictions);
        let found = causes(&pairs, names, contradictions, is_new);
        let mut all: Vec<Self> = found.into_iter().map(stranding).collect();
        all.sort_by_key(|one| Reverse(one.severity));
        all
    }

    /// The name of the risk, if a single one is the cause.
    pub(crate) fn risk(&self) -> Option<&'s str> {
        match &self.by {
            StrandedBy::Risk(risk) => Some(self.simulation.names.name(*risk)),
            StrandedBy::Graph(_) | StrandedBy::ManyRisks => None,
        }
    }

    /// The cause, as the key by which a baseline recognizes the finding.
    pub(crate) fn about(&self) -> String {
        match &self.by {
            StrandedBy::Graph(Some(DeadEnd { version, has_exit: false })) => {
                format!("no update from {version}")
            }
            StrandedBy::Graph(Some(DeadEnd { version, has_exit: true })) => {
                format!("no newer patch from {version}")
            }
            StrandedBy::Graph(None) => "no updates".to_owned(),
            StrandedBy::ManyRisks => "many risks".to_owned(),
            StrandedBy::Risk(risk) => self.simulation.names.name(*risk).to_owned(),
        }
    }

    /// The versions of the releases, oldest first.
    pub(crate) fn versions(&self) -> Vec<&'s str> {
        let named = self.cases.iter().map(StrandedCase::version);
        let named: BTreeSet<(Option<Version>, &str)> =
            named.map(|name| (version::parse(name), name)).collect();
        named.into_iter().map(|(_, name)| name).collect()
    }

    /// The names of the channels, in their order.
    pub(crate) fn channels(&self) -> Vec<&'s str> {
        let mut seen = HashSet::default();
        let names = self.cases.iter().map(|case| self.channel(case));
        names.filter(|name| seen.insert(*name)).collect()
    }

    /// How many architectures were simulated.
    fn architectures(&self) -> usize {
        let channels = self.simulation.channels.iter();
        let all = channels.flat_map(|channel| channel.architectures.iter());
        all.collect::<ArchSet>().len()
    }

    fn channel(&self, case: &StrandedCase<'_>) -> &'s str {
        self.simulation.name(case.channel.channel)
    }

    /// The declarations that close updates of the releases, starting with the newest releases.
    fn declarations(&self) -> Vec<DeclarationId> {
        let graph = self.simulation.graph;
        let mut seen = HashSet::default();
        let mut found: Vec<DeclarationId> = Vec::new();
        for case in self.cases.iter().rev() {
            let ids = match &self.by {
                StrandedBy::Graph(Some(end)) => self.blocks(case, &end.version),
                StrandedBy::Graph(None) => Vec::new(),
                StrandedBy::Risk(_) | StrandedBy::ManyRisks => {
                    let reasons = case.stranded.exits.iter();
                    let reasons = reasons.map(|exit| &graph.reasons[exit.reason]);
                    reasons.flat_map(|reason| reason.declarations.iter().copied()).collect()
                }
            };
            found.extend(ids.into_iter().filter(|id| seen.insert(*id)));
        }
        found
    }

    /// The blocks on updates from `end`, where a release gets stuck. Blocks of the newest targets
    /// come first.
    fn blocks(&self, case: &StrandedCase<'_>, end: &str) -> Vec<DeclarationId> {
        let graph = self.simulation.graph;
        let channel = case.channel.channel;
        let is_it = |node: &NodeIndex| {
            let release = graph.release(*node);
            release.is_in(channel) && strip_build(&release.text) == end
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

    /// Whether at least one of the releases is stranded whether or not uncertain updates exist.
    pub(in crate::checks::rules) fn is_certain(&self) -> bool {
        self.cases.iter().any(|case| case.is_certain)
    }
}

impl<'s> StrandedCase<'s> {
    fn version(&self) -> &'s str {
        self.channel.graph.version(self.stranded.release)
    }
}
