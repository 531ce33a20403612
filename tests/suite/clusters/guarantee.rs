//! What a certificate guarantees, walked: clusters of small random graphs take updates, while the
//! answers of risks change all the time. The operator's own rules say what is recommended.

use std::collections::{BTreeMap, BTreeSet};

use exitpath::testing::analysis::{
    AimProof, ChannelGraph, Goal, Guarantee, MemberId, RiskNames, Targets,
};
use exitpath::testing::cluster::{
    Applies, EvaluatedRisk, Exposure, Level, Offer, Recommendation, RiskText, ServiceAnswer, Status,
};
use exitpath::testing::domain::{Arch, Minor};
use exitpath::testing::graph::Served;
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::cases;
use crate::data::exit_paths::{answer, graph_of};

const CHANNEL: &str = "stable-4.2";

/// The number of risks in a graph.
const RISKS: usize = 5;

/// The number of sequences of answers for each graph.
const SEQUENCES: u32 = 100;

/// The updates that a cluster takes at most in one sequence.
const MOST_STEPS: u32 = 12;

/// What each risk answers at one moment, and which risks are accepted.
struct Moment {
    applies: Vec<Applies>,
    accepted: Vec<bool>,
}

impl Moment {
    /// A moment at which these risks apply, the others do not, and none is accepted.
    fn with(affecting: &BTreeSet<usize>) -> Self {
        let exposure =
            |risk| if affecting.contains(&risk) { Exposure::Exposed } else { Exposure::NotExposed };
        let applies = (0..RISKS).map(|risk| applies(&exposure(risk))).collect();
        Self { applies, accepted: vec![false; RISKS] }
    }

    fn random(random: &mut Random) -> Self {
        let answer = |random: &mut Random| match random.below(3) {
            0 => Exposure::Exposed,
            1 => Exposure::NotExposed,
            _ => Exposure::Unknown("the server does not answer".to_owned()),
        };
        let applies = (0..RISKS).map(|_| applies(&answer(random))).collect();
        Self { applies, accepted: (0..RISKS).map(|_| random.below(4) == 0).collect() }
    }
}

fn text(name: &str) -> RiskText<'_> {
    RiskText { name, message: "m", url: "https://example.com" }
}

fn applies(exposure: &Exposure) -> Applies {
    Applies::of(text("Risk"), exposure, Level::NEWEST)
}

/// A small generator, so that 100 sequences cost less than one graph.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// What the operator makes of a service's answer on each release.
struct Clusters {
    offers: BTreeMap<String, Offer>,
}

impl Clusters {
    fn of(answer: &Json) -> Self {
        let parsed = ServiceAnswer::parse(&answer.to_string()).unwrap();
        let versions = answer["nodes"].as_array().unwrap().iter();
        let versions = versions.map(|node| node["version"].as_str().unwrap().to_owned());
        // An operator that refuses an answer offers nothing.
        let offer = |version: &String| parsed.offered_to(version, CHANNEL).unwrap_or_default();
        Self { offers: versions.map(|version| (version.clone(), offer(&version))).collect() }
    }

    /// The releases to which updates are offered, recommended or not.
    fn offered(&self, version: &str) -> Vec<&str> {
        let offer = &self.offers[version];
        let conditional = offer.conditional_updates.iter().map(|update| &update.release);
        offer.updates.iter().chain(conditional).map(|release| release.version.as_str()).collect()
    }

    /// The releases to which updates are recommended at one moment.
    fn recommended(&self, version: &str, moment: &Moment) -> Vec<&str> {
        let offer = &self.offers[version];
        let conditional = offer.conditional_updates.iter().filter(|update| {
            let risks = update.risks.iter().flatten();
            let evaluated: Vec<EvaluatedRisk<'_>> = risks
                .map(|risk| {
                    let id: usize = risk.name.trim_start_matches("Risk").parse().unwrap();
                    let (applies, is_accepted) = (&moment.applies[id], moment.accepted[id]);
                    EvaluatedRisk { text: text(&risk.name), applies, is_accepted }
                })
                .collect();
            Recommendation::of_all(&evaluated, Level::NEWEST).status == Status::True
        });
        let conditional = conditional.map(|update| &update.release);
        offer.updates.iter().chain(conditional).map(|release| release.version.as_str()).collect()
    }

    /// Whether recommended updates lead to one of some releases, if the answers stay as they are.
    fn can_get_to(&self, from: &str, targets: &BTreeSet<&str>, moment: &Moment) -> bool {
        let (mut seen, mut left) = (BTreeSet::from([from]), vec![from]);
        while let Some(at) = left.pop() {
            if targets.contains(at) {
                return true;
            }
            let next = self.recommended(at, moment);
            left.extend(next.into_iter().filter(|to| seen.insert(to)));
        }
        false
    }
}

/// A channel with a guarantee for clusters that begin at each release of 4.1.
struct Guaranteed {
    channel: ChannelGraph,
    names: RiskNames,
    guarantee: Guarantee,
}

impl Guaranteed {
    fn of(answer: &Json) -> Self {
        let graph = graph_of(answer);
        let served = Served::of(&graph, graph.channel(CHANNEL).unwrap(), Arch::Amd64);
        let names = RiskNames::of(&graph);
        let channel = ChannelGraph::of(&served, &names);
        let minor = |minor| Minor { major: 4, minor };
        let begins = channel.members.iter().map(|member| member.minor == minor(1)).collect();
        let targets = Targets { minor: Some(minor(2)), ..Targets::default() };
        let goals = [Goal::Patch, Goal::Minor];
        let guarantee = Guarantee::of(&channel, &names, &targets, &begins, &goals);
        Self { channel, names, guarantee }
    }

    fn version(&self, at: MemberId) -> &str {
        self.channel.version(at)
    }

    fn targets(&self, aim: &AimProof) -> BTreeSet<&str> {
        aim.targets.iter().map(|at| self.version(*at)).collect()
    }

    /// Whether a release must reach the targets of a goal. A pre-release of a later patch need not
    /// reach an older one.
    fn must_reach(&self, at: MemberId, aim: &AimProof) -> bool {
        let is_before = || aim.targets.iter().all(|target| at <= *target);
        let is_of_minor = self.channel.members[at].minor == aim.minor;
        if aim.goal == Goal::Patch { is_of_minor && is_before() } else { !is_of_minor }
    }
}

/// Walks where updates are offered while the answers change. At each moment, recommended updates
/// lead to each goal that is guaranteed.
fn walk(guaranteed: &Guaranteed, clusters: &Clusters, random: &mut Random) {
    let begins: Vec<&str> = clusters
        .offers
        .keys()
        .map(String::as_str)
        .filter(|name| name.starts_with("4.1."))
        .collect();
    let mut at = begins[random.below(begins.len())];
    for _ in 0..random.below(MOST_STEPS as usize) {
        let moment = Moment::random(random);
        let members = guaranteed.guarantee.reached.iter();
        let here = members.copied().find(|member| guaranteed.version(*member) == at);
        let here = here.unwrap_or_else(|| panic!("no cluster can get to {at}, it said"));
        for aim in guaranteed.guarantee.aims.iter().filter(|aim| guaranteed.must_reach(here, aim)) {
            if aim.failures.iter().all(|failure| failure.release != here) {
                let targets = guaranteed.targets(aim);
                assert!(clusters.can_get_to(at, &targets, &moment), "{at} to {targets:?}");
            }
        }
        // Administrators can also take updates that are not recommended.
        let recommended = clusters.recommended(at, &moment);
        let is_careful = random.below(2) == 0;
        let next = if is_careful { recommended } else { clusters.offered(at) };
        if !next.is_empty() {
            at = next[random.below(next.len())];
        }
    }
}

/// Each listed set strands its release, no smaller one does, and no other set.
fn check_sets(guaranteed: &Guaranteed, clusters: &Clusters) -> usize {
    let id = |name: &str| name.trim_start_matches("Risk").parse::<usize>().unwrap();
    let mut checked = 0;
    for aim in &guaranteed.guarantee.aims {
        let targets = guaranteed.targets(aim);
        for failure in &aim.failures {
            let release = guaranteed.version(failure.release);
            let gets_there = |affecting: &BTreeSet<usize>| {
                clusters.can_get_to(release, &targets, &Moment::with(affecting))
            };
            let of = |set: &Vec<_>| -> BTreeSet<usize> {
                set.iter().map(|risk| id(guaranteed.names.name(*risk))).collect()
            };
            let sets: Vec<BTreeSet<usize>> = failure.sets.iter().map(of).collect();
            for set in &sets {
                checked += 1;
                assert!(!gets_there(set), "{set:?} does not strand {release}");
                for risk in set {
                    let fewer = set.iter().copied().filter(|one| one != risk).collect();
                    assert!(gets_there(&fewer), "{fewer:?} strands {release}");
                }
            }
            for bits in (0_u32..1 << RISKS).filter(|_| failure.are_all) {
                let set: BTreeSet<usize> = (0..RISKS).filter(|at| bits >> at & 1 == 1).collect();
                let is_listed = sets.iter().any(|one| one.is_subset(&set));
                assert!(gets_there(&set) != is_listed, "{set:?} and {release}");
            }
        }
    }
    checked
}

/// The number of graphs. `EXITPATH_GRAPHS` sets another one.
fn graphs() -> u32 {
    let wanted = std::env::var("EXITPATH_GRAPHS").ok();
    wanted.and_then(|wanted| wanted.parse().ok()).unwrap_or(500)
}

proptest! {
    #![proptest_config(cases(graphs()))]

    #[test]
    fn no_sequence_of_answers_strands_a_cluster(answer in answer(), seed in 1..u64::MAX) {
        let (guaranteed, clusters) = (Guaranteed::of(&answer), Clusters::of(&answer));
        let mut random = Random(seed);
        for _ in 0..SEQUENCES {
            walk(&guaranteed, &clusters, &mut random);
        }
        check_sets(&guaranteed, &clusters);
    }
}
