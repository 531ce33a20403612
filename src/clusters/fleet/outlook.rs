//! What a class of clusters is offered, and where it can get.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::analysis::{ChosenRisks, Goal, GoalArea, RiskNames, Simulation, SimulationRequest};
use crate::cluster::object::{ClusterVersion, condition};
use crate::cluster::{Exposure, InCluster, Level, ServiceAnswer, Settings, first_look, healthy};
use crate::domain::{Arch, HashMap, Minor, Named, version};
use crate::graph::{ChannelId, Risk, Served, UpdateGraph, without_arch};
use crate::metrics::Source;
use crate::promql::{Dialect, Limits};
use crate::risks::{Questions, exposure_of};
use crate::text::Failure;

use super::class::{ClusterClass, Facts};
use super::goal::{FleetGoal, GoalAnswer, GoalRoutes};
use super::risk_answer::{RiskAnswer, RiskCount};

/// What a class of clusters is offered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassOutlook {
    /// Whether the channel has the release that they run.
    pub is_in_channel: bool,
    /// How many updates are recommended.
    pub available: usize,
    /// How many updates are not recommended because of risks.
    pub held: usize,
    /// Whether all of those are not recommended only because the clusters cannot evaluate risks.
    pub cannot_tell: bool,
    /// The risks of these updates that affect the clusters, or might.
    pub risks: Vec<RiskCount>,
    /// The goals to which there is no path of recommended updates.
    pub stranded: Vec<Goal>,
    /// How they get to the goal of the fleet, if it has one.
    pub goal: Option<GoalAnswer>,
}

impl ClassOutlook {
    /// Whether the clusters have no recommended update, although there are updates.
    pub(crate) fn has_none(&self) -> bool {
        self.available == 0 && self.held > 0
    }
}

/// A graph, and what was found out about classes of clusters.
#[derive(Debug)]
pub(crate) struct FleetGraph<'g> {
    graph: &'g UpdateGraph,
    names: &'g RiskNames,
    /// The only channel that the graph contains completely. None if it contains all channels
    /// completely.
    only: Option<ChannelId>,
    goal: Option<FleetGoal>,
    answers: HashMap<(ChannelId, Arch), Rc<ServiceAnswer>>,
    known: HashMap<Facts, Rc<KnownFacts>>,
    /// For each goal and channel, the updates that lead there. None if there is no such release.
    areas: HashMap<(FleetGoal, Option<ChannelId>, Arch), Option<Rc<GoalArea<'g>>>>,
    /// For each channel and set of risks, the routes to the goal.
    routes: HashMap<RouteKey, Rc<Option<GoalRoutes<'g>>>>,
    /// For each channel and set of risks, the goals that each release cannot reach.
    stranded: HashMap<RiskKey, Rc<HashMap<String, Vec<Goal>>>>,
}

/// A channel for an architecture, and the names of the risks that affect clusters, or might.
type RiskKey = (ChannelId, Arch, Vec<String>);

/// The goal, the channel, the architecture, and the risks that affect the clusters. None for the
/// channel if it does not exist.
type RouteKey = (FleetGoal, Option<ChannelId>, Arch, Vec<RiskCount>);

/// How many sets of updates, and of routes, are kept. Each may have all updates of the graph.
const MOST_AREAS: usize = 64;
const MOST_ROUTES: usize = 32;

/// What follows from what is known of a cluster.
#[derive(Debug)]
struct KnownFacts {
    source: Source,
    /// The risks that affect it, or might.
    affecting: Vec<RiskCount>,
    /// Their names.
    names: Vec<String>,
}

impl<'g> FleetGraph<'g> {
    pub(crate) fn new(
        graph: &'g UpdateGraph,
        names: &'g RiskNames,
        only: Option<ChannelId>,
        goal: Option<FleetGoal>,
    ) -> Self {
        Self {
            graph,
            names,
            only,
            goal,
            answers: HashMap::default(),
            known: HashMap::default(),
            areas: HashMap::default(),
            routes: HashMap::default(),
            stranded: HashMap::default(),
        }
    }

    /// What a class is offered. The error says which query cannot be evaluated.
    pub(crate) fn outlook(&mut self, class: &ClusterClass) -> Result<ClassOutlook, Failure> {
        let known = self.known(&class.facts);
        let channel = self.graph.channel(&class.channel);
        if let Some(only) = self.only.filter(|only| channel != Some(*only)) {
            let only = &self.graph.channels[only];
            let what = format!("the graph is of {only}, and a cluster is in {}", class.channel);
            return Err(Failure::new(what));
        }
        let mut outlook = match channel {
            Some(channel) => self.in_channel(channel, class, &known)?,
            None => ClassOutlook::default(),
        };
        if let Some(goal) = self.goal.clone() {
            outlook.goal = Some(self.to(class, &goal));
        }
        Ok(outlook)
    }

    fn in_channel(
        &mut self,
        channel: ChannelId,
        class: &ClusterClass,
        known: &KnownFacts,
    ) -> Result<ClassOutlook, Failure> {
        let answer = self.answer(channel, class.arch)?;
        let is_running = |release: &crate::domain::Version| release.to_string() == class.version;
        if !answer.nodes.iter().any(|node| is_running(&node.version)) {
            return Ok(ClassOutlook::default());
        }
        let mut outlook = now(class, &answer, known)?;
        let stranded = self.stranded(channel, class.arch, &known.names);
        outlook.stranded = stranded.get(&class.version).cloned().unwrap_or_default();
        Ok(outlook)
    }

    /// Whether some channel has the release that a class runs.
    pub(crate) fn has(&self, class: &ClusterClass) -> bool {
        let graph = self.graph;
        let mut releases = graph.graph.node_weights().filter(|release| release.is_for(class.arch));
        releases.any(|release| {
            !release.channels.is_empty() && *without_arch(release, class.arch) == class.version
        })
    }

    pub(super) fn knows(&self, risk: &str) -> bool {
        self.names.id(risk).is_some()
    }

    pub(super) fn risk_names(&self) -> impl Iterator<Item = &'g str> + use<'g> {
        self.names.all()
    }

    fn answer(&mut self, channel: ChannelId, arch: Arch) -> Result<Rc<ServiceAnswer>, Failure> {
        if let Some(answer) = self.answers.get(&(channel, arch)) {
            return Ok(Rc::clone(answer));
        }
        let mut answer = ServiceAnswer::of(&Served::of(self.graph, channel, arch))?;
        answer.name_images(arch.name());
        let answer = Rc::new(answer);
        self.answers.insert((channel, arch), Rc::clone(&answer));
        Ok(answer)
    }

    fn known(&mut self, facts: &Facts) -> Rc<KnownFacts> {
        if let Some(known) = self.known.get(facts) {
            return Rc::clone(known);
        }
        let source = Source::Series(facts.series(), Dialect::Three);
        let affecting = affecting(&self.graph.risks, facts, &source);
        let names = affecting.iter().map(|risk| risk.name.clone()).collect();
        let known = Rc::new(KnownFacts { source, affecting, names });
        self.known.insert(facts.clone(), Rc::clone(&known));
        known
    }

    /// How a class gets to a goal.
    pub(crate) fn to(&mut self, class: &ClusterClass, goal: &FleetGoal) -> GoalAnswer {
        let routes = self.routes(class, goal);
        let routes = routes.as_ref().as_ref();
        routes.map_or(GoalAnswer::NoRelease, |routes| routes.answer(&class.version))
    }

    /// The routes to a goal for a class. None if there is no such release for it.
    pub(crate) fn routes(
        &mut self,
        class: &ClusterClass,
        goal: &FleetGoal,
    ) -> Rc<Option<GoalRoutes<'g>>> {
        let known = self.known(&class.facts);
        let channel = self.graph.channel(&class.channel);
        let key = (goal.clone(), channel, class.arch, known.affecting.clone());
        if let Some(routes) = self.routes.get(&key) {
            return Rc::clone(routes);
        }
        let area = self.area(goal, channel, class.arch);
        let found = Rc::new(area.map(|area| GoalRoutes::new(&area, &known.affecting)));
        if self.routes.len() == MOST_ROUTES {
            self.routes.clear();
        }
        self.routes.insert(key, Rc::clone(&found));
        found
    }

    fn area(
        &mut self,
        goal: &FleetGoal,
        channel: Option<ChannelId>,
        arch: Arch,
    ) -> Option<Rc<GoalArea<'g>>> {
        let key = (goal.clone(), channel, arch);
        if let Some(area) = self.areas.get(&key) {
            return area.clone();
        }
        let channels = match self.only {
            Some(only) => vec![only],
            None => goal.channels(self.graph, channel),
        };
        let area = goal.area(self.graph, self.names, channel, channels, arch).map(Rc::new);
        if self.areas.len() == MOST_AREAS {
            self.areas.clear();
        }
        self.areas.insert(key, area.clone());
        area
    }

    fn stranded(
        &mut self,
        channel: ChannelId,
        arch: Arch,
        affecting: &[String],
    ) -> Rc<HashMap<String, Vec<Goal>>> {
        let key = (channel, arch, affecting.to_vec());
        if let Some(known) = self.stranded.get(&key) {
            return Rc::clone(known);
        }
        let request = SimulationRequest {
            affecting: ChosenRisks::Only(affecting.to_vec()).into(),
            largest_set: 1,
            ..SimulationRequest::of(vec![channel], vec![arch])
        };
        let simulation = Simulation::of(self.graph, &request, &|_, _| true);
        let mut found: HashMap<String, Vec<Goal>> = HashMap::default();
        for simulated in &simulation.channels {
            for one in &simulated.stranded {
                let version = simulated.graph.version(one.release).to_owned();
                found.entry(version).or_default().push(one.goal);
            }
        }
        let found = Rc::new(found);
        self.stranded.insert(key, Rc::clone(&found));
        found
    }
}

/// The risks that affect a cluster, or might: its operator does not recommend their updates. If
/// risks of one name differ, the worst one counts.
fn affecting<'r>(
    risks: impl IntoIterator<Item = &'r Risk>,
    facts: &Facts,
    source: &Source,
) -> Vec<RiskCount> {
    let mut questions = Questions::default();
    let mut found: BTreeMap<&str, bool> = BTreeMap::new();
    for risk in risks {
        let known = facts.answers.get(&*risk.name).filter(|_| !risk.is_always());
        let answer = known.copied().unwrap_or_else(|| {
            let exposure = if facts.queries.is_empty() {
                exposure_of(risk, source, &mut questions, Limits::default())
            } else {
                facts.queries.exposure(risk)
            };
            match exposure {
                Ok(Exposure::Exposed) => RiskAnswer::Yes,
                Ok(Exposure::NotExposed) => RiskAnswer::No,
                Ok(Exposure::Unknown(_)) | Err(_) => RiskAnswer::Unknown,
            }
        });
        if answer != RiskAnswer::No {
            let is_unknown = answer == RiskAnswer::Unknown;
            let known = found.entry(&risk.name).or_insert(is_unknown);
            *known &= is_unknown;
        }
    }
    let risks = found.into_iter();
    risks.map(|(name, is_unknown)| RiskCount { name: name.to_owned(), is_unknown }).collect()
}

/// What the operator of a cluster says now.
fn now(
    class: &ClusterClass,
    answer: &ServiceAnswer,
    known: &KnownFacts,
) -> Result<ClassOutlook, Failure> {
    let mut answer = answer.clone();
    if !class.facts.queries.is_empty() {
        answer.decide_queries(|query| class.facts.queries.to(query).query());
    }
    for (name, known) in &class.facts.answers {
        answer.decide(name, known.query());
    }
    let mut cluster = healthy(&class.version);
    cluster.spec.channel.clone_from(&class.channel);
    answer.image_of(&class.version).clone_into(&mut cluster.status.desired.image);
    let minor =
        version::parse(&class.version).map_or(Minor { major: 4, minor: 0 }, |v| Minor::of(&v));
    let settings = Settings {
        shows_architecture: class.arch == Arch::Multi,
        architecture: class.arch.name(),
        ..Settings::of(Level::of(minor))
    };
    let outcome = first_look(settings, &cluster, answer, &InCluster::default(), &known.source)?;
    if outcome.retrieved.status != "True" {
        let what = format!("the operator retrieves no updates: {}", outcome.retrieved.message);
        return Err(Failure::new(what));
    }
    let written: ClusterVersion = outcome.stored.written_to(&cluster);
    let mut outlook = ClassOutlook {
        is_in_channel: true,
        available: written.status.available_updates.len(),
        cannot_tell: true,
        ..ClassOutlook::default()
    };
    let mut risks = BTreeSet::new();
    for update in &written.status.conditional_updates {
        let status = condition(&update.conditions, "Recommended").map(|one| one.status.as_str());
        if status == Some("True") {
            continue;
        }
        outlook.held += 1;
        outlook.cannot_tell &= status == Some("Unknown");
        let names = update.risks.iter().flatten().map(|risk| risk.name.as_str());
        let names: BTreeSet<&str> = names.collect();
        risks.extend(known.affecting.iter().filter(|risk| names.contains(risk.name.as_str())));
    }
    outlook.cannot_tell &= outlook.held > 0;
    outlook.risks = risks.into_iter().cloned().collect();
    Ok(outlook)
}
