//! Stranded releases, compared with a slow computation that tries all sets of risks.

use std::collections::BTreeSet;
use std::fs;

use exitpath::testing::analysis::{
    AffectingRisks, Budget, Cause, ChannelGraph, ChannelQuestion, ChosenRisks, Goal, RiskNameId,
    RiskNames, Stranded, Targets, stranded,
};
use exitpath::testing::domain::{Arch, ChannelName, Named};
use exitpath::testing::graph::cincinnati::GraphFile;
use exitpath::testing::graph::{Served, UpdateGraph};
use exitpath::testing::text::SourceId;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{cases, files_below, real_data};

/// Version, goal, cause, risks, sets, exits, and the risks that help if one of them is removed.
type StrandedRelease = (
    String,
    &'static str,
    bool,
    Vec<String>,
    Vec<Vec<String>>,
    Vec<(String, Vec<String>)>,
    Vec<String>,
);

fn stranded_by_exitpath(
    graph: &UpdateGraph,
    channel: &str,
    affecting: &AffectingRisks,
) -> Vec<StrandedRelease> {
    let served = Served::of(graph, graph.channel(channel).unwrap(), Arch::Amd64);
    let names = RiskNames::of(graph);
    let channel_graph = ChannelGraph::of(&served, &names);
    let is_checked = channel_graph.members.iter().map(|_| true).collect();
    let minor = ChannelName::parse(channel).map(|name| name.minor);
    let targets = Targets { minor, ..Targets::default() };
    let question =
        ChannelQuestion { targets: &targets, is_checked: &is_checked, affecting, largest_set: 3 };
    let mut budget = Budget::default();
    let found = stranded(&channel_graph, &names, &question, &mut budget);
    assert!(!budget.is_spent());
    found.iter().map(|one| stranded_release(one, &channel_graph, &names)).collect()
}

fn stranded_release(one: &Stranded, graph: &ChannelGraph, names: &RiskNames) -> StrandedRelease {
    let text = |ids: &Vec<RiskNameId>| ids.iter().map(|id| names.name(*id).to_owned()).collect();
    let exits = one.exits.iter().map(|exit| (graph.version(exit.to).to_owned(), text(&exit.risks)));
    (
        graph.version(one.release).to_owned(),
        one.goal.name(),
        one.cause == Cause::Risks,
        text(&one.risks),
        one.sets.iter().map(text).collect(),
        exits.collect(),
        text(&one.unblocked_by),
    )
}

pub(crate) fn minor_of(channel: &str) -> Option<(u64, u64)> {
    let (_, minor) = channel.split_once('-')?;
    let (major, minor) = minor.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// A graph as in its JSON: versions in order, and updates with the names of their risks.
pub(crate) struct NaiveGraph {
    pub(crate) versions: Vec<semver::Version>,
    /// The updates from each release, by target, with the names of their risks.
    pub(crate) out: Vec<Vec<(usize, BTreeSet<String>)>>,
}

impl NaiveGraph {
    pub(crate) fn of(answer: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let nodes = answer["nodes"].as_array().unwrap();
        let mut versions: Vec<semver::Version> =
            nodes.iter().map(|node| text(&node["version"]).parse().unwrap()).collect();
        let listed = versions.clone();
        versions.sort();
        let place = |version: &semver::Version| versions.iter().position(|v| v == version).unwrap();
        let end = |edge: &Value, i: usize| {
            place(&listed[usize::try_from(edge[i].as_u64().unwrap()).unwrap()])
        };
        let mut conditional: Vec<(usize, usize, BTreeSet<String>)> = Vec::new();
        let mut twice = BTreeSet::new();
        for group in answer["conditionalEdges"].as_array().unwrap() {
            let risks = group["risks"].as_array().unwrap();
            let names: BTreeSet<String> = risks.iter().map(|risk| text(&risk["name"])).collect();
            for edge in group["edges"].as_array().unwrap() {
                let ends = [&edge["from"], &edge["to"]];
                let [from, to] = ends.map(|end| place(&text(end).parse().unwrap()));
                if conditional.iter().any(|(a, b, _)| (*a, *b) == (from, to)) {
                    twice.insert((from, to));
                }
                conditional.push((from, to, names.clone()));
            }
        }
        let pairs: BTreeSet<(usize, usize)> =
            conditional.iter().map(|(a, b, _)| (*a, *b)).collect();
        conditional.retain(|(from, to, _)| !twice.contains(&(*from, *to)));
        let mut edges = conditional;
        for edge in answer["edges"].as_array().unwrap() {
            let (from, to) = (end(edge, 0), end(edge, 1));
            if !pairs.contains(&(from, to)) {
                edges.push((from, to, BTreeSet::new()));
            }
        }
        let mut out = vec![Vec::new(); versions.len()];
        for (from, to, risks) in edges {
            out[from].push((to, risks));
        }
        Self { versions, out }
    }

    fn minor(&self, at: usize) -> (u64, u64) {
        (self.versions[at].major, self.versions[at].minor)
    }

    /// Whether a release is stranded for a goal without the updates that have one of these risks.
    fn is_stranded(
        &self,
        at: usize,
        goal: Goal,
        own: Option<(u64, u64)>,
        gone: &BTreeSet<String>,
    ) -> bool {
        let open = |from: usize| {
            let out = self.out[from].iter().filter(|(_, risks)| risks.is_disjoint(gone));
            out.map(|(to, _)| *to)
        };
        let is_goal = |node: usize| match goal {
            Goal::Any => node != at,
            Goal::Patch => {
                let same = (0..self.versions.len()).filter(|n| self.minor(*n) == self.minor(at));
                self.newest(same) == Some(node)
            }
            Goal::Minor => Some(self.minor(node)) == own,
        };
        let mut seen = BTreeSet::from([at]);
        let mut next = vec![at];
        while let Some(node) = next.pop() {
            if is_goal(node) {
                return false;
            }
            next.extend(open(node).filter(|to| seen.insert(*to)));
        }
        true
    }

    /// The newest generally available one of these releases, or else the newest pre-release.
    fn newest(&self, releases: impl Iterator<Item = usize>) -> Option<usize> {
        releases.max_by_key(|at| (self.versions[*at].pre.is_empty(), *at))
    }

    /// Every stranded release, and every minimal set of up to three risks: tries all of them.
    fn stranded(&self, channel: &str, removed: &BTreeSet<String>) -> Vec<StrandedRelease> {
        let own = minor_of(channel);
        let all = 0..self.versions.len();
        let head = self.newest(all.clone()).unwrap();
        let mut found = Vec::new();
        // For the newest release, and the pre-releases of a later minor, there is nothing newer.
        for at in all.filter(|at| *at != head && self.minor(*at) <= self.minor(head)) {
            for goal in Goal::ALL.iter().copied() {
                if goal == Goal::Minor && (own.is_none() || own == Some(self.minor(at))) {
                    continue;
                }
                if !self.is_stranded(at, goal, own, removed) {
                    continue;
                }
                let version = self.versions[at].to_string();
                let is_graph = self.is_stranded(at, goal, own, &BTreeSet::new());
                let closed = self.out[at].iter().filter(|(_, risks)| !risks.is_disjoint(removed));
                let mut closed: Vec<_> = closed.collect();
                closed.sort_by_key(|(to, _)| std::cmp::Reverse(*to));
                let exits = closed.iter().map(|(to, risks)| {
                    (self.versions[*to].to_string(), risks.iter().cloned().collect())
                });
                let exits = exits.collect();
                if is_graph {
                    found.push((version, goal.name(), false, vec![], vec![vec![]], exits, vec![]));
                    continue;
                }
                let risks: BTreeSet<String> =
                    closed.iter().flat_map(|(_, risks)| risks.iter().cloned()).collect();
                let sets = self.sets(at, goal, own, removed);
                let helps = |risk: &&String| {
                    let mut others = removed.clone();
                    others.remove(*risk);
                    !self.is_stranded(at, goal, own, &others)
                };
                let unblocked_by = removed.iter().filter(helps).cloned().collect();
                let risks = risks.into_iter().collect();
                found.push((version, goal.name(), true, risks, sets, exits, unblocked_by));
            }
        }
        found
    }

    fn sets(
        &self,
        at: usize,
        goal: Goal,
        own: Option<(u64, u64)>,
        usable: &BTreeSet<String>,
    ) -> Vec<Vec<String>> {
        // Only risks on a path from here can matter.
        let mut seen = BTreeSet::from([at]);
        let mut next = vec![at];
        let mut matter: BTreeSet<&String> = BTreeSet::new();
        while let Some(node) = next.pop() {
            for (to, risks) in &self.out[node] {
                matter.extend(risks.iter().filter(|risk| usable.contains(*risk)));
                if seen.insert(*to) {
                    next.push(*to);
                }
            }
        }
        let matter: Vec<&String> = matter.into_iter().collect();
        let mut sets: Vec<Vec<String>> = Vec::new();
        let n = matter.len();
        let mut attempt = |set: Vec<String>| {
            let is_larger =
                sets.iter().any(|smaller| smaller.iter().all(|risk| set.contains(risk)));
            if !is_larger && self.is_stranded(at, goal, own, &set.iter().cloned().collect()) {
                sets.push(set);
            }
        };
        for risk in &matter {
            attempt(vec![(*risk).clone()]);
        }
        for a in 0..n {
            for b in a + 1..n {
                attempt(vec![matter[a].clone(), matter[b].clone()]);
            }
        }
        for a in 0..n {
            for b in a + 1..n {
                for c in b + 1..n {
                    attempt(vec![matter[a].clone(), matter[b].clone(), matter[c].clone()]);
                }
            }
        }
        sets
    }
}

pub(crate) fn graph_of(answer: &Value) -> UpdateGraph {
    let file = GraphFile::read(SourceId::at(0), &answer.to_string());
    assert_eq!(file.faults, []);
    UpdateGraph::adopt(&file, Arch::Amd64)
}

/// Small graphs of every kind: dense, sparse, with circles, duplicates, and risks on everything.
pub(crate) fn answer() -> impl Strategy<Value = Value> {
    let versions = ["4.1.0", "4.1.1", "4.1.2-rc.0", "4.1.2", "4.2.0-rc.0", "4.2.0", "4.2.1"];
    let edge = (0..versions.len(), 0..versions.len());
    let risks = prop::collection::btree_set(0..5_usize, 1..4);
    (
        prop::collection::btree_set(edge.clone(), 0..9),
        prop::collection::vec((edge, risks), 0..16),
        any::<bool>(),
    )
        .prop_map(move |(open, conditional, circles)| {
            let is_way = |from: usize, to: usize| from < to || circles && from != to;
            let nodes = versions.map(|version| {
                json!({"version": version, "payload": version,
                       "metadata": {"io.openshift.upgrades.graph.release.channels": "stable-4.2"}})
            });
            let open: Vec<_> = open.into_iter().filter(|(a, b)| is_way(*a, *b)).collect();
            let groups = conditional.into_iter().filter(|((a, b), _)| is_way(*a, *b));
            let groups = groups.map(|((from, to), risks)| {
                let risks = risks.into_iter().map(|risk| {
                    let rule = if risk == 4 { "Always" } else { "PromQL" };
                    let mut rule = json!({"type": rule});
                    if risk != 4 {
                        rule["promql"] = json!({"promql": "vector(1)"});
                    }
                    json!({"url": "https://example.com", "name": format!("Risk{risk}"), "message": "m", "matchingRules": [rule]})
                });
                json!({"edges": [{"from": versions[from], "to": versions[to]}], "risks": risks.collect::<Vec<_>>()})
            });
            let groups: Vec<Value> = groups.collect();
            json!({"version": 1, "nodes": nodes, "edges": open, "conditionalEdges": groups})
        })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn exitpath_and_trying_all_sets_find_the_same(answer in answer()) {
        let graph = graph_of(&answer);
        let all: BTreeSet<String> = (0..5).map(|risk| format!("Risk{risk}")).collect();
        let naive = NaiveGraph::of(&answer);
        for (affecting, removed) in [
            (AffectingRisks::default(), all.clone()),
            (ChosenRisks::Always.into(), BTreeSet::from(["Risk4".to_owned()])),
            (ChosenRisks::Only(vec!["Risk1".to_owned(), "Risk2".to_owned()]).into(), BTreeSet::from(["Risk1".to_owned(), "Risk2".to_owned()])),
            (ChosenRisks::AllBut(vec!["Risk0".to_owned()]).into(), all.iter().skip(1).cloned().collect()),
        ] {
            let theirs = naive.stranded("stable-4.2", &removed);
            prop_assert_eq!(stranded_by_exitpath(&graph, "stable-4.2", &affecting), theirs, "{:?}", affecting);
        }
    }
}

/// Compares every release and goal of an answer, and the sets of those that are stranded.
fn compare(channel: &str, answer: &Value) -> usize {
    let graph = graph_of(answer);
    let naive = NaiveGraph::of(answer);
    let all: BTreeSet<String> = graph.risks.iter().map(|risk| risk.name.to_string()).collect();
    let always = graph.risks.iter().filter(|risk| risk.is_always());
    let always: BTreeSet<String> = always.map(|risk| risk.name.to_string()).collect();
    let mut found = 0;
    for (affecting, removed) in
        [(AffectingRisks::default(), all), (ChosenRisks::Always.into(), always)]
    {
        let ours = stranded_by_exitpath(&graph, channel, &affecting);
        assert!(ours == naive.stranded(channel, &removed), "{channel} {affecting:?}");
        found += ours.len();
    }
    found
}

#[test]
fn exitpath_and_trying_all_sets_find_the_same_in_answers_of_production() {
    let Some(folder) = real_data::data("served") else {
        return;
    };
    for file in files_below(&folder) {
        let channel = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let answer: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        eprintln!("{channel}: {} stranded", compare(&channel, &answer));
    }
}

#[test]
fn exitpath_and_trying_all_sets_find_the_same_in_other_years() {
    let Some(real) = real_data::history() else { return };
    let mut found = 0;
    for (revision, channel) in [
        ("HEAD~900", "stable-4.17"),
        ("HEAD~1600", "fast-4.19"),
        ("HEAD~2800", "stable-4.18"),
        ("HEAD~4100", "fast-4.16"),
        ("HEAD~5600", "fast-4.12"),
        ("HEAD~6500", "stable-4.11"),
        ("HEAD~7000", "eus-4.10"),
    ] {
        let arguments = ["graph", real.to_str().unwrap(), "--rev", revision, "--channel", channel];
        let run = crate::exitpath(arguments.into_iter().chain(["--no-cache"]));
        let answer: Value =
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        let stranded = compare(channel, &answer);
        eprintln!("{revision} {channel}: {stranded} stranded");
        found += stranded;
    }
    assert!(found > 10, "only {found} were stranded");
}
