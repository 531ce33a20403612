//! The report of `fleet`: how many clusters have no recommended update, and because of what.

mod human;
mod json;
mod mirror;
mod queries;
mod rows;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::Goal;
use crate::domain::{Format, Minor, version};
use crate::fleet::{ClassOutlook, CountedClass, Fleet, GoalAnswer, Refusing, RiskCount};
use crate::mirror::MirrorAnswer;
use crate::report::BridgeReport;
use crate::report::printed::{Printed, Writer};
use crate::telemetry::StoreGaps;
use crate::text::printable;
use crate::text::words::listed;

use rows::{REACHED, RankedAnswer, path_in_words};

pub(crate) use mirror::FleetMirror;
pub(crate) use queries::FleetQueriesReport;

/// What happens to a fleet.
#[derive(Debug)]
pub(crate) struct FleetReport<'f> {
    pub fleet: &'f Fleet<'f>,
    /// Whether to list the clusters that lose something.
    pub lists_names: bool,
    /// The goal of the clusters, as the user wrote it.
    pub goal: Option<&'f str>,
    /// Where the updates come from.
    pub source: String,
    /// What a telemetry store does not say. None for files.
    pub gaps: Option<&'f StoreGaps>,
    /// None if the clusters can get all releases.
    pub mirror: Option<FleetMirror<'f>>,
    /// The operators that hold clusters back on their paths to the goal, if operators are known.
    pub operators: Option<BridgeReport<'f>>,
}

impl Printed for FleetReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

/// The clusters that run a release in a channel.
#[derive(Debug, Default)]
struct ReleaseGroup {
    clusters: u64,
    /// How many have no recommended update, although there are updates.
    without: u64,
    /// How many of those clusters have none only because they cannot evaluate risks.
    cannot_tell: u64,
    /// How many have no path of recommended updates to a goal.
    stranded: BTreeMap<Goal, u64>,
    /// How many are not in the channel's graph.
    unknown_release: u64,
    /// How many clusters have updates that each risk keeps from them.
    risks: BTreeMap<RiskCount, u64>,
    /// How many lose their last recommended update, or a path.
    losing: u64,
}

impl ReleaseGroup {
    fn add(&mut self, counted: &CountedClass) {
        let ClassOutlook { is_in_channel, cannot_tell, risks, stranded, .. } = &counted.outlook;
        let clusters = counted.clusters;
        let add = |count: &mut u64| *count = count.saturating_add(clusters);
        add(&mut self.clusters);
        if !is_in_channel {
            add(&mut self.unknown_release);
        }
        if counted.outlook.has_none() {
            add(&mut self.without);
            if *cannot_tell {
                add(&mut self.cannot_tell);
            }
        }
        for goal in stranded {
            add(self.stranded.entry(*goal).or_default());
        }
        for risk in risks {
            add(self.risks.entry(risk.clone()).or_default());
        }
        if counted.loses() {
            add(&mut self.losing);
        }
    }

    /// How many have no path to any goal that has the most clusters.
    fn most_stranded(&self) -> u64 {
        self.stranded.values().copied().max().unwrap_or(0)
    }
}

impl FleetReport<'_> {
    /// By release and channel, those with the most clusters in trouble first.
    fn by_release(&self) -> Vec<((&str, &str), ReleaseGroup)> {
        let mut groups: BTreeMap<(&str, &str), ReleaseGroup> = BTreeMap::new();
        for counted in &self.fleet.classes {
            let class = &counted.class;
            groups.entry((&class.version, &class.channel)).or_default().add(counted);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, group)| {
            Reverse((group.losing, group.without, group.most_stranded(), group.clusters))
        });
        groups
    }

    /// All clusters together.
    fn whole(&self) -> ReleaseGroup {
        let mut whole = ReleaseGroup::default();
        self.fleet.classes.iter().for_each(|counted| whole.add(counted));
        whole
    }

    /// Whether something is wrong: rows that cannot be used, or clusters that lose something.
    pub(crate) fn is_bad(&self) -> bool {
        self.gaps.is_some_and(StoreGaps::is_bad)
            || self.fleet.all_faults > 0
            || self.fleet.classes.iter().any(CountedClass::loses)
            || self.mirror.as_ref().is_some_and(FleetMirror::is_bad)
    }

    /// The clusters by how they get to the goal: first those that need nothing, then those with the
    /// fewest risks, those with most clusters first.
    fn by_goal(&self) -> Vec<(String, u64)> {
        let mut groups: BTreeMap<RankedAnswer, u64> = BTreeMap::new();
        for counted in &self.fleet.classes {
            let Some(goal) = &counted.outlook.goal else { continue };
            let answer = match goal {
                GoalAnswer::Reached => RankedAnswer::new(0, REACHED),
                GoalAnswer::NoPath => {
                    RankedAnswer::new(0, "without a path, even if all risks are accepted")
                }
                GoalAnswer::NoRelease => RankedAnswer::new(
                    0,
                    "on a release that no channel has, or without the goal's architecture",
                ),
                GoalAnswer::Path(path) => path_in_words(path),
            };
            let count = groups.entry(answer).or_default();
            *count = count.saturating_add(counted.clusters);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(answer, clusters)| (answer.rank, answer.risks, Reverse(*clusters)));
        groups.into_iter().map(|(answer, clusters)| (answer.words, clusters)).collect()
    }

    /// The releases that the goal means, nearly always one.
    fn goals(&self) -> BTreeSet<&str> {
        let answers = self.fleet.classes.iter().filter_map(|counted| counted.outlook.goal.as_ref());
        let ends = answers.filter_map(|answer| match answer {
            GoalAnswer::Path(path) => path.through.last(),
            _ => None,
        });
        ends.map(String::as_str).collect()
    }

    /// How many clusters are stuck because of the mirror.
    fn stuck_clusters(&self) -> u64 {
        let Some(mirror) = &self.mirror else { return 0 };
        let classes = self.fleet.classes.iter().enumerate();
        let stuck = classes.filter(|(at, _)| mirror.is_stuck(*at));
        stuck.map(|(_, counted)| counted.clusters).fold(0, u64::saturating_add)
    }

    /// The clusters that refuse updates to another minor version, although their path to the goal
    /// has some: the first ones, and how many there are.
    fn refusals(&self) -> (Vec<&Refusing>, u64) {
        let classes = 0..self.fleet.classes.len();
        let is_held: Vec<bool> = classes.map(|at| self.leaves_minor(at)).collect();
        let refusals = self.fleet.refusals.iter().filter(|one| is_held[one.class]);
        let classes = self.fleet.classes.iter().zip(&is_held).filter(|(_, is_held)| **is_held);
        let all = classes.map(|(counted, _)| counted.refusing).fold(0, u64::saturating_add);
        (refusals.collect(), all)
    }

    /// Whether the path of a class to the goal leads to another minor version.
    fn leaves_minor(&self, class: usize) -> bool {
        let counted = &self.fleet.classes[class];
        let path = match &self.mirror {
            Some(mirror) => mirror.outlook.answers.get(class).and_then(MirrorAnswer::path),
            None => counted.outlook.goal.as_ref().and_then(GoalAnswer::path),
        };
        let minor = |text: &str| version::parse(text).map(|version| Minor::of(&version));
        let last = path.and_then(|path| path.through.last());
        last.is_some_and(|last| minor(last) != minor(&counted.class.version))
    }

    /// What a class loses, in words.
    fn lost(&self, counted: &CountedClass) -> String {
        let mut lost: Vec<String> = Vec::new();
        if counted.loses_updates() {
            lost.push("its last recommended update".to_owned());
        }
        lost.extend(counted.lost_paths().into_iter().filter_map(|goal| match goal {
            // This is its last update.
            Goal::Any => None,
            Goal::Patch => Some("its path to the newest patch".to_owned()),
            Goal::Minor => Some("its path to the channel's minor version".to_owned()),
        }));
        if let Some(goal) = self.goal.filter(|_| counted.loses_goal()) {
            lost.push(format!("its recommended path to {}", printable(goal)));
        }
        listed(&lost, "and")
    }
}
