//! Releases that a change strands or unblocks, compared with a simple reachable over both graphs.

use std::collections::BTreeSet;

use exitpath::testing::analysis::Simulation;
use exitpath::testing::assembly::{Consumer, assemble};
use exitpath::testing::change::{Effect, ExitChange, ExitEntry, ExitQuestion};
use exitpath::testing::domain::{Arch, Named};
use exitpath::testing::graph::cincinnati::{Readers, write_served};
use exitpath::testing::graph::{Served, UpdateGraph};
use exitpath::testing::graph_data::{self, GraphData};
use exitpath::testing::history::Cache;
use exitpath::testing::lineage::{Lineage, Past};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::data::exit_paths::{NaiveGraph, answer, graph_of, minor_of};
use crate::{Run, Scratch, cases, exitpath, git, real_data};

/// A release, a goal, and the effect of a change.
type Effects = BTreeSet<(String, &'static str, Effect)>;

/// What is lost and what is won in one channel, by exitpath.
fn effects_by_exitpath(
    before: &UpdateGraph,
    after: &UpdateGraph,
    channel: &str,
) -> (Effects, Effects) {
    let change = ExitChange::of(&ExitQuestion {
        before,
        after,
        channels: &|name| name == channel,
        architectures: &[Arch::Amd64],
        is_supported: &|_, version| version.pre.is_empty(),
    });
    let effects = |simulation: &Simulation<'_>, entries: &[ExitEntry]| -> Effects {
        let found = entries.iter().map(|entry| {
            let (channel, one) = entry.of(simulation);
            (channel.graph.version(one.release).to_owned(), one.goal.name(), entry.effect)
        });
        found.collect()
    };
    let mut lost = effects(&change.after, &change.stranded);
    lost.extend(effects(&change.after, &change.conditional_only));
    (lost, effects(&change.before, &change.unblocked))
}

/// The releases that clusters can reach from one, step by step, over updates without these risks.
fn reachable(graph: &NaiveGraph, from: usize, gone: &BTreeSet<String>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::from([from]);
    let mut next = vec![from];
    while let Some(at) = next.pop() {
        let open = graph.out[at].iter().filter(|(_, risks)| risks.is_disjoint(gone));
        next.extend(open.map(|(to, _)| *to).filter(|to| seen.insert(*to)));
    }
    seen
}

fn minor(version: &semver::Version) -> (u64, u64) {
    (version.major, version.minor)
}

/// The newest generally available release, or that of a minor.
fn newest(graph: &NaiveGraph, of: Option<(u64, u64)>) -> Option<usize> {
    let is_it = |at: &usize| {
        let version = &graph.versions[*at];
        version.pre.is_empty() && of.is_none_or(|of| minor(version) == of)
    };
    (0..graph.versions.len()).rev().find(is_it)
}

/// Whether a release reaches a goal. For patches, that is one at least as new as `patch`.
fn reaches(
    graph: &NaiveGraph,
    at: usize,
    goal: &str,
    (channel, patch): (&str, Option<&semver::Version>),
    gone: &BTreeSet<String>,
) -> bool {
    let version = &graph.versions[at];
    let newest = newest(graph, Some(minor(version)));
    if goal == "any" {
        return graph.out[at].iter().any(|(_, risks)| risks.is_disjoint(gone));
    }
    let is_goal = |other: &usize| {
        let target = &graph.versions[*other];
        if goal == "minor" {
            return Some(minor(target)) == minor_of(channel);
        }
        let is_new_enough = Some(*other) == newest || patch.is_some_and(|p| p <= target);
        minor(target) == minor(version) && target.pre.is_empty() && is_new_enough
    };
    reachable(graph, at, gone).iter().any(is_goal)
}

/// What is lost and what is won between two answers, release by release and goal by goal.
fn effects_by_walking(before: &Value, after: &Value, channel: &str) -> (Effects, Effects) {
    let (was, is) = (NaiveGraph::of(before), NaiveGraph::of(after));
    let all = |answer: &Value| {
        let groups = answer["conditionalEdges"].as_array().unwrap().iter();
        let risks = groups.flat_map(|group| group["risks"].as_array().unwrap().clone());
        risks.collect::<Vec<Value>>()
    };
    let names = |risks: Vec<Value>, only_always: bool| -> BTreeSet<String> {
        let is_always = |risk: &&Value| risk["matchingRules"][0]["type"] == "Always";
        let some = risks.iter().filter(|risk| !only_always || is_always(risk));
        some.map(|risk| risk["name"].as_str().unwrap().to_owned()).collect()
    };
    let affected = (names(all(before), false), names(all(after), false));
    let luckiest = (names(all(before), true), names(all(after), true));
    let head = |graph: &NaiveGraph| newest(graph, None).unwrap_or(0);
    let (mut lost, mut won) = (Effects::new(), Effects::new());
    for (at, version) in is.versions.iter().enumerate() {
        if !version.pre.is_empty() || at >= head(&is) {
            continue;
        }
        let Some(place) = was.versions.iter().position(|known| known == version) else {
            if is.out[at].is_empty() {
                lost.insert((version.to_string(), "any", Effect::DeadEnd));
            } else if !is.out[at].iter().any(|(_, risks)| risks.is_disjoint(&affected.1)) {
                lost.insert((version.to_string(), "any", Effect::ConditionalOnly));
            }
            continue;
        };
        if place >= head(&was) {
            continue;
        }
        let old = newest(&was, Some(minor(version))).map(|at| &was.versions[at]);
        for goal in ["any", "patch", "minor"] {
            if goal == "minor" && Some(minor(version)) == minor_of(channel) {
                continue;
            }
            let could = |gone| reaches(&was, place, goal, (channel, None), gone);
            let can = |gone| reaches(&is, at, goal, (channel, old), gone);
            let entry = |effect| (version.to_string(), goal, effect);
            match (could(&affected.0), can(&affected.1)) {
                (true, false) => _ = lost.insert(entry(Effect::Lost)),
                (false, true) => _ = won.insert(entry(Effect::Unblocked)),
                (false, false) if could(&luckiest.0) && !can(&luckiest.1) => {
                    lost.insert(entry(Effect::LostForAll));
                }
                _ => {}
            }
        }
    }
    (lost, won)
}

fn without_releases(answer: &Value, missing: &BTreeSet<usize>) -> Value {
    let nodes = answer["nodes"].as_array().unwrap();
    let kept: Vec<usize> = (0..nodes.len()).filter(|at| !missing.contains(at)).collect();
    let version = |at: usize| nodes[at]["version"].clone();
    let place = |at: &Value| kept.iter().position(|kept| Some(*kept as u64) == at.as_u64());
    let edges = answer["edges"].as_array().unwrap().iter();
    let edges = edges.filter_map(|edge| Some(json!([place(&edge[0])?, place(&edge[1])?])));
    let is_kept = |end: &Value| kept.iter().any(|at| version(*at) == *end);
    let groups = answer["conditionalEdges"].as_array().unwrap().iter().map(|group| {
        let edges = group["edges"].as_array().unwrap().iter();
        let edges = edges.filter(|edge| is_kept(&edge["from"]) && is_kept(&edge["to"]));
        json!({"edges": edges.collect::<Vec<_>>(), "risks": group["risks"]})
    });
    let kept_nodes: Vec<&Value> = kept.iter().map(|at| &nodes[*at]).collect();
    json!({"version": 1, "nodes": kept_nodes, "edges": edges.collect::<Vec<_>>(),
           "conditionalEdges": groups.collect::<Vec<_>>()})
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn exitpath_and_walking_find_the_same(
        before in answer(),
        after in answer(),
        old in prop::collection::btree_set(0..7_usize, 0..4),
        gone in prop::collection::btree_set(0..7_usize, 0..3),
    ) {
        let (before, after) = (without_releases(&before, &old), without_releases(&after, &gone));
        let found = effects_by_exitpath(&graph_of(&before), &graph_of(&after), "stable-4.2");
        prop_assert_eq!(found, effects_by_walking(&before, &after, "stable-4.2"));
    }
}

/// The answer to the clusters of a channel.
fn served(graph: &UpdateGraph, channel: &str) -> Option<Value> {
    let served = Served::of(graph, graph.channel(channel)?, Arch::Amd64);
    let mut text = Vec::new();
    write_served(&served, Readers { know_conditions: true }, &mut text).unwrap();
    Some(serde_json::from_slice(&text).unwrap())
}

/// `EXITPATH_MERGES=300` tests that many changes of the real repository, besides those that strand
/// a release or once seemed to.
#[test]
fn exitpath_and_walking_find_the_same_in_real_merges() {
    let Some(history) = real_data::history() else { return };
    let count = std::env::var("EXITPATH_MERGES").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let merges = real_data::revisions(history, &["--min-parents=2"]);
    let some = merges.iter().step_by((merges.len() / count).max(1)).take(count);
    let known = ["ee805130", "2c2bd6a2", "02326a75"].map(str::to_owned);
    let mut found = 0;
    for merge in known.iter().chain(some) {
        let read = |revision: &str| {
            GraphData::from_blobs(graph_data::blobs(history, Some(revision)).unwrap())
        };
        let (before, after) = (read(&format!("{merge}^1")), read(merge));
        let past = Past::read(history, Some(merge), &Cache::none()).unwrap();
        let lineage = Lineage::predicted(&after, &past, &[Arch::Amd64]);
        let graph = |data| assemble(data, &lineage, Consumer::Schema1_1);
        let (was, is) = (graph(&before), graph(&after));
        let channels = is.advised_channels().map(|id| is.channels[id].clone());
        for channel in channels.filter(|name| was.channel(name).is_some()) {
            let (old, new) = (served(&was, &channel).unwrap(), served(&is, &channel).unwrap());
            if old == new {
                continue;
            }
            let (ours, theirs) = (
                effects_by_exitpath(&was, &is, &channel),
                effects_by_walking(&old, &new, &channel),
            );
            assert_eq!(ours, theirs, "{merge} {channel}");
            found += ours.0.len() + ours.1.len();
        }
    }
    eprintln!("{found} releases and goals lost or won");
    assert!(found > 40, "only {found} were lost or won");
}

/// What `check --base` and `diff` report for one merge of the real repository: the findings about
/// exit paths by severity, and how many releases are stranded and unblocked.
fn report_of_merge(
    history: &std::path::Path,
    merge: &str,
) -> (Vec<(String, String)>, usize, usize) {
    let (repository, base) = (history.to_str().unwrap(), format!("{merge}^1"));
    let check = ["check", "--repo", repository, "--rev", merge, "--base", &base];
    let check = exitpath(check.into_iter().chain(["--select=newly-stranded", "--format=json"]));
    let check: Value = serde_json::from_str(&check.out).unwrap();
    let diff = exitpath(["diff", &base, merge, "--repo", repository, "--format", "json"]);
    let diff: Value = serde_json::from_str(&diff.out).unwrap();
    for key in ["stranded", "conditional_only", "unblocked"] {
        assert_eq!(check["change"][key], diff[key], "{merge}: both say the same");
    }
    let versions = |key: &str| {
        let list = diff[key].as_array().unwrap();
        list.iter().map(|one| one["version"].as_str().unwrap()).collect::<BTreeSet<_>>().len()
    };
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let findings = check["findings"].as_array().unwrap();
    let findings = findings.iter().map(|one| (text(one, "severity"), text(one, "message")));
    (findings.collect(), versions("stranded"), versions("unblocked"))
}

#[test]
fn promotions_that_strand_no_release_are_not_errors() {
    let Some(history) = real_data::history() else { return };
    // A promotion that unblocks, a removed risk, and one more patch.
    for (merge, unblocked) in [("ee805130", 44), ("826abbb8", 42), ("0f89834e", 0)] {
        let (findings, stranded, now_free) = report_of_merge(history, merge);
        assert_eq!((stranded, now_free), (0, unblocked), "{merge}");
        assert!(findings.iter().all(|(severity, _)| severity == "info"), "{merge}: {findings:?}");
    }
}

#[test]
fn a_promotion_into_a_dead_end_is_an_error() {
    let Some(history) = real_data::history() else { return };
    for (merge, version) in
        [("2c2bd6a2", "`4.12.71` joins `stable-4.13`"), ("289dae23", "`4.6.60`")]
    {
        let (findings, stranded, _) = report_of_merge(history, merge);
        let [(severity, message)] = findings.as_slice() else { panic!("{merge}: {findings:?}") };
        assert_eq!((severity.as_str(), stranded), ("error", 1), "{merge}: {message}");
        assert!(message.contains(version), "{merge}: {message}");
        assert!(message.contains("where it has no updates"), "{merge}: {message}");
    }
}

/// A repository of three releases, of which 4.14.1 can be updated to 4.14.2, before and after a
/// change.
fn repository_with_change(name: &str, before: &[(&str, &str)], after: &[(&str, &str)]) -> Scratch {
    let fixture = "fixtures/rules/newly-stranded/bad/before";
    let scratch = Scratch::copy_of(name, fixture.as_ref());
    scratch.write("releases.json", std::fs::read("fixtures/graphs/patches.json").unwrap());
    scratch.write("exitpath.toml", "[supported]\nrange = \">=4.0\"\n");
    let write = |files: &[(&str, &str)]| {
        for (path, text) in files {
            scratch.write(path, text);
        }
    };
    write(before);
    git(scratch.path(), &["init", "-q"]);
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "-m", "before"]);
    write(after);
    scratch
}

fn run(scratch: &Scratch, command: &[&str]) -> Run {
    let root = scratch.path().to_str().unwrap();
    let releases = format!("{root}/releases.json");
    exitpath(command.iter().copied().chain(["--repo", root, "--releases", &releases]))
}

const RISK: &str = "to: 4.14.2\nfrom: ^4[.]14[.]1[+].*$\n\
    url: https://issues.example.com/browse/BUG-1\nname: ExampleRisk\nmessage: Nodes may hang.\n\
    matchingRules:\n";
const FOR_SOME_CLUSTERS: &str = "- type: PromQL\n  promql:\n    promql: |\n      \
    group(cluster_infrastructure_provider{_id=\"\",type=\"AWS\"})\n      or\n      \
    0 * group(cluster_infrastructure_provider{_id=\"\"})\n";
const FILE: &str = "blocked-edges/4.14.2-ExampleRisk.yaml";

#[test]
fn a_risk_that_now_affects_all_clusters_is_reported_by_check_and_diff() {
    let (some, all) = (format!("{RISK}{FOR_SOME_CLUSTERS}"), format!("{RISK}- type: Always\n"));
    let scratch = repository_with_change("always", &[(FILE, &some)], &[(FILE, &all)]);
    let diff = run(&scratch, &["diff", "HEAD"]);
    assert!(diff.out.contains("1 release newly stranded"), "{}", diff.out);
    let check = run(&scratch, &["check", "--base", "HEAD", "--info"]);
    assert!(check.out.contains("EP805 newly-stranded"), "{}", check.out);
    assert!(check.out.contains("`ExampleRisk` strands `4.14.1` in `fast-4.14`, for all clusters"));
    assert_eq!(check.status, 0, "a risk is declared on purpose: {}", check.out);
    // A second run without a change reports nothing.
    git(scratch.path(), &["commit", "-qam", "all"]);
    assert!(!run(&scratch, &["check", "--base", "HEAD"]).out.contains("EP805"));
    // Without a base, it is a warning too.
    let check = run(&scratch, &["check"]);
    assert!(check.out.contains("⚠ `ExampleRisk` strands `4.14.1`"), "{}", check.out);
}

#[test]
fn an_allow_comment_accepts_newly_stranded_releases() {
    let all = format!("{RISK}- type: Always\n");
    let allowed = format!("# exitpath: allow(newly-stranded): no fix yet\n{all}");
    let scratch = repository_with_change("allowed", &[], &[(FILE, &allowed)]);
    let check = run(&scratch, &["check", "--base", "HEAD"]);
    assert!(!check.out.contains("EP805"), "{}", check.out);
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-qm", "all"]);
    for arguments in [&["check"][..], &["check", "--base", "HEAD"]] {
        let check = run(&scratch, arguments);
        assert!(!check.out.contains("unused-allow"), "{}", check.out);
    }
}

#[test]
fn releases_stranded_by_removed_updates_are_an_error() {
    let block = "to: 4.14.2\nfrom: ^4[.]14[.]1[+].*$\n";
    let scratch = repository_with_change("block", &[], &[("blocked-edges/4.14.2.yaml", block)]);
    let check = run(&scratch, &["check", "--base", "HEAD"]);
    assert_eq!(check.status, 1, "{}", check.out);
    let words = "`4.14.1` has no updates to other releases";
    assert!(check.out.contains(words), "{}", check.out);
    assert!(check.out.contains("blocked-edges/4.14.2.yaml:1:5"), "{}", check.out);
}

#[test]
fn check_and_diff_report_broken_expectations() {
    let risk = format!("{RISK}{FOR_SOME_CLUSTERS}");
    let scratch = repository_with_change("expected", &[], &[(FILE, &risk)]);
    for (statements, broken) in [
        (&["strands nobody"][..], Some("the change strands 4.14.1 in fast-4.14")),
        (&["strands 4.14.1 in fast-4.14"], None),
        (&["strands 4.14.1"], None),
        (&["strands 4.14.0..4.14.2 in fast-4.14"], None),
        (&["strands 4.14.0 in fast-4.14"], Some("the change does not strand 4.14.0 in fast-4.14")),
        (&["strands 4.14.0"], Some("the change also strands 4.14.1 in fast-4.14")),
        (&["blocks nothing", "only fast-4.14, candidate-4.14"], None),
        (&["blocks 4.14.1 -> 4.14.2"], Some("the change does not block 4.14.1 -> 4.14.2")),
        (&["only fast-4.14"], Some("the change also changes candidate-4.14")),
        (&["conditional 4.14.2..4.14.3"], None),
        (&["conditional 4.14.1 -> 4.14.2"], None),
        (&["conditional nothing"], Some("the change makes conditional 4.14.1 -> 4.14.2")),
        (&["conditional 4.14.3"], Some("the change also makes conditional 4.14.1 -> 4.14.2")),
    ] {
        let flags = statements.iter().flat_map(|statement| ["--expect", statement]);
        let command: Vec<&str> = ["diff", "HEAD"].into_iter().chain(flags).collect();
        let diff = run(&scratch, &command);
        assert_eq!(diff.status, u8::from(broken.is_some()), "{statements:?}: {}", diff.out);
        let words = broken.unwrap_or("1 update made conditional");
        assert!(diff.out.contains(words), "{statements:?}: {}", diff.out);
        let report = run(&scratch, &[&command[..], &["--format", "json"]].concat());
        let report: Value = serde_json::from_str(&report.out).unwrap();
        assert!(exitpath::testing::schema::DIFF.validator().is_valid(&report), "{report:#}");
        let holds = report["expectations"].as_array().unwrap().iter().all(|e| e["holds"] == true);
        assert_eq!(holds, broken.is_none());
    }
    let unreadable = run(&scratch, &["diff", "HEAD", "--expect", "strand nobody"]);
    assert_eq!(unreadable.status, 2);
    assert!(
        unreadable.err.contains("`--expect 'strand nobody'` cannot be read: `strand` is not a")
    );

    // Expectations in a commit message work in the same way.
    git(scratch.path(), &["add", "-A"]);
    let message =
        "Declare ExampleRisk\n\nExitpath-Expect: strands nobody\nexitpath-expect: hides it\n";
    git(scratch.path(), &["commit", "-qm", message]);
    let diff = run(&scratch, &["diff", "HEAD~1", "HEAD"]);
    assert_eq!(diff.status, 1, "{}", diff.out);
    assert!(diff.out.contains("`hides it` of commit "), "{}", diff.out);
    let check = run(&scratch, &["check", "--base", "HEAD~1", "--format", "json"]);
    assert_eq!(check.status, 1, "{}", check.out);
    let check: Value = serde_json::from_str(&check.out).unwrap();
    let broken = check["findings"].as_array().unwrap().iter();
    let broken: Vec<&str> = broken
        .filter(|finding| finding["rule"] == "broken-expectation")
        .map(|finding| finding["message"].as_str().unwrap())
        .collect();
    assert_eq!(broken.len(), 2, "{broken:?}");
    assert!(broken.iter().any(|message| message.contains("the change strands 4.14.1")));
    assert!(broken.iter().any(|message| message.contains("cannot be read: `hides` is not a kind")));
}
