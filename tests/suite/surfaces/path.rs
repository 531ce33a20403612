//! `exitpath path`.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::data::lineage::GrowingRepository;
use crate::{Run, Scratch, cases, exitpath};

fn path(arguments: &[&str]) -> Run {
    let repository =
        ["--repo", "fixtures/graph-data", "--releases", "fixtures/graphs/releases.json", "-q"];
    exitpath(["path"].into_iter().chain(arguments.iter().copied()).chain(repository))
}

#[test]
fn a_path_is_shown_hop_by_hop_with_channels_and_risks() {
    let run = path(&["4.13.8", "4.15.1"]);
    assert_eq!(
        run.out,
        "without risks, 2 hops:\n  4.13.8 → 4.14.3  stable-4.14\n  4.14.3 → 4.15.1  stable-4.15\n  \
         channel: first stable-4.14, then stable-4.15 (from 4.14.3 on)\n"
    );
    let run = path(&["4.13.8", "4.14.2", "--channel", "stable-4.14"]);
    assert_eq!(
        (run.status, run.out.as_str()),
        (
            0,
            "with the fewest risks, 1 hop:\n  4.13.8 → 4.14.2  stable-4.14  risks: VSphereNodesLoseTheirNames\n\
             a path without risks opens once VSphereNodesLoseTheirNames is removed\n"
        )
    );
}

#[test]
fn a_path_uses_pre_releases_only_if_there_is_no_other() {
    let run = path(&["4.14.0-ec.0", "4.14.3"]);
    let words = "4.14.0-ec.0 → 4.14.0-rc.0  candidate-4.14\n";
    assert!(run.out.contains(words), "{}", run.out);
    assert_eq!(run.status, 0);
    let run = path(&["4.13.8", "4.14.3"]);
    assert!(!run.out.contains("-rc."), "{}", run.out);
}

#[test]
fn without_a_path_the_report_says_what_closes_it() {
    for (from, to, words) in [
        (
            "4.13.8",
            "4.14.0",
            "4.13.8 → 4.14.0 is blocked by blocked-edges/4.14.0.yaml\n\
             a path opens once blocked-edges/4.14.0.yaml is removed",
        ),
        ("4.14.0", "4.13.8", "4.13.8 is older: updates only go to newer releases"),
        ("4.14.3", "4.14.2", "4.14.2 is older: updates only go to newer releases"),
    ] {
        let run = path(&[from, to]);
        assert_eq!(run.status, 1);
        assert_eq!(run.out, format!("no path from {from} to {to}: {words}\n"));
    }
}

#[test]
fn without_any_updates_the_report_says_which_are_missing() {
    let nodes: Vec<Value> = (0..5)
        .map(|patch| {
            let key = "io.openshift.upgrades.graph.release.channels";
            json!({"version": format!("4.1.{patch}"), "payload": format!("quay.io/r:{patch}"),
                "metadata": {key: "stable-4.1"}})
        })
        .collect();
    let scratch = Scratch::new("paths");
    let graph =
        json!({"version": 1, "nodes": nodes, "edges": [[0, 1], [2, 3]], "conditionalEdges": []});
    let file = scratch.write("graph.json", graph.to_string());
    for (from, to, words) in [
        ("4.1.0", "4.1.3", "updates from 4.1.0 do not lead to 4.1.3"),
        ("4.1.0", "4.1.4", "no update leads to 4.1.4"),
        ("4.1.1", "4.1.3", "4.1.1 has no updates to other releases"),
        ("4.1.3", "4.1.1", "4.1.1 is older: updates only go to newer releases"),
    ] {
        let run = exitpath(["path", from, to, "--graph", file.to_str().unwrap()]);
        assert_eq!(run.status, 1, "{}", run.err);
        assert_eq!(run.out, format!("no path from {from} to {to}: {words}\n"));
    }
    let run = exitpath(["path", "4.1.3", "4.1.3", "--graph", file.to_str().unwrap()]);
    let words = "both are the same release, 4.1.3: there is nothing to update\n";
    assert_eq!((run.status, run.out.as_str()), (0, words));
}

#[test]
fn json_has_the_same_path() {
    let run = path(&["4.13.8", "4.14.2", "--channel", "stable-4.14", "--format", "json"]);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert!(exitpath::testing::schema::PATH.validator().is_valid(&found), "{}", run.out);
    assert_eq!(
        found,
        json!({"version": 1,
            "not_loaded": [], "asked_for": null, "newest": null, "needs_candidates": false,
            "accepted": [], "from": "4.13.8", "to": "4.14.2", "paths": [
            {"kind": "fewest-risks", "hops": [
                {"from": "4.13.8", "to": "4.14.2", "channel": "stable-4.14", "risks": ["VSphereNodesLoseTheirNames"]}]}],
            "paths_incomplete": false,
            "unblocked_by": ["VSphereNodesLoseTheirNames"], "unblocked_by_files": []})
    );
}

/// The `to`, the `from`, and the name of the risk. `None` for a block.
type Declaration = (&'static str, &'static str, Option<&'static str>);

/// The report for two releases with some more declarations, and without one risk.
fn report((from, to): (&str, &str), declared: &[Declaration], without: Option<&str>) -> Value {
    let mut arguments = vec![from.to_owned(), to.to_owned(), "--format=json".to_owned()];
    for (to, from, name) in declared.iter().filter(|(.., name)| name.is_none() || *name != without)
    {
        let name = name.map(|name| format!(" name={name}")).unwrap_or_default();
        arguments.extend(["--with".to_owned(), format!("to={to} from={from}{name}")]);
    }
    // The other risks are declared in the repository.
    arguments.extend(without.filter(|name| name.len() > 1).map(|name| format!("--without={name}")));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let found = serde_json::from_str(&path(&arguments).out).unwrap();
    assert!(exitpath::testing::schema::PATH.validator().is_valid(&found), "{found}");
    found
}

fn declarations() -> impl Strategy<Value = Vec<Declaration>> {
    let to = select(vec!["4.13.9", "4.13.10", "4.14.1", "4.14.2", "4.14.3", "4.15.0", "4.15.1"]);
    let from = select(vec![".*", "4[.]13[.].*", "4[.]14[.].*", ".*[.][1-9]", "4[.]1[34][.][0-8]"]);
    let name = select(vec![None, None, Some("A"), Some("B"), Some("C")]);
    prop::collection::vec((to, from, name), 1..9)
}

proptest! {
    #![proptest_config(cases(20))]

    #[test]
    fn removing_each_risk_and_each_block_opens_what_the_report_says(declared in declarations()) {
        let is_open = |found: &Value| {
            found["paths"].as_array().unwrap().iter().any(|path| path["kind"] == "open")
        };
        let has_path = |found: &Value| found["paths"] != json!([]);
        for ends in [("4.13.8", "4.15.1"), ("4.13.9", "4.14.3"), ("4.14.1", "4.15.0")] {
            let now = report(ends, &declared, None);
            let risks = ["A", "B", "C", "EtcdSlowStart", "VSphereNodesLoseTheirNames"];
            let risks = risks.into_iter().filter(|name| {
                !is_open(&now) && is_open(&report(ends, &declared, Some(name)))
            });
            prop_assert_eq!(&now["unblocked_by"], &json!(risks.collect::<Vec<_>>()));
            // The blocks of one target are one.
            let is_block = |one: &Declaration, target: &str| one.2.is_none() && one.0 == target;
            let mut targets: Vec<&str> = Vec::new();
            for one in declared.iter().filter(|one| one.2.is_none()) {
                if !targets.contains(&one.0) {
                    targets.push(one.0);
                }
            }
            let targets = targets.into_iter().filter(|target| {
                let mut others = declared.clone();
                others.retain(|one| !is_block(one, target));
                !has_path(&now) && has_path(&report(ends, &others, None))
            });
            let blocks = targets.map(|target| {
                let own = declared.iter().filter(|one| is_block(one, target));
                let words = own.map(|one| format!("--with 'to={target} from={}'", one.1));
                words.collect::<Vec<_>>().join(", ")
            });
            let blocks: BTreeSet<String> = blocks.collect();
            let found = now["unblocked_by_files"].as_array().unwrap().iter();
            let found: BTreeSet<String> =
                found.map(|block| block.as_str().unwrap().to_owned()).collect();
            prop_assert_eq!(found, blocks);
        }
    }
}

#[test]
fn an_unknown_release_is_an_error_with_a_suggestion() {
    let run = path(&["4.13.8", "4.14.33"]);
    assert_eq!(run.status, 2);
    assert!(
        run.err.contains("there is no release `4.14.33`\n          did you mean `4.14.3`?"),
        "{}",
        run.err
    );
}

/// An answer in which only a risk or a candidate channel leads further.
fn graph(folder: &Scratch) -> String {
    let node = |version: &str, channels: &str| {
        let metadata = json!({"io.openshift.upgrades.graph.release.channels": channels});
        json!({"version": version, "payload": version, "metadata": metadata})
    };
    let nodes = [
        node("4.16.1", "stable-4.16,stable-4.17"),
        node("4.16.2", "stable-4.16,stable-4.17"),
        node("4.17.3", "candidate-4.18,stable-4.17,stable-4.18"),
        node("4.18.4", "candidate-4.18,stable-4.18"),
        node("4.18.5", "candidate-4.18"),
        node("4.18.6-rc.0", "candidate-4.18"),
    ];
    let risk = json!({"name": "SlowDisk", "url": "u", "message": "m", "matchingRules": [{"type": "PromQL", "promql": {"promql": "up"}}]});
    let held = json!({"edges": [{"from": "4.17.3", "to": "4.18.4"}], "risks": [risk]});
    let answer = json!({"version": 1, "nodes": nodes, "edges": [[0, 1], [0, 2], [1, 2], [3, 4], [2, 5]], "conditionalEdges": [held]});
    folder.write("graph.json", answer.to_string()).to_str().unwrap().to_owned()
}

fn asked(arguments: &[&str]) -> Run {
    let folder = Scratch::new("path-asked");
    let graph = graph(&folder);
    exitpath(["path", "--graph", &graph, "-q"].iter().chain(arguments))
}

#[test]
fn a_minor_a_channel_and_the_latest_are_their_newest_release() {
    for to in ["4.18", "4.18.x", "stable-4.18", "latest"] {
        let run = asked(&["4.16.1", to]);
        let words = format!("to {to}: 4.18.4 is the newest that can be reached\n");
        assert!(run.out.starts_with(&words), "{}{}", run.out, run.err);
        assert_eq!(run.status, 0);
    }
    let several = asked(&["4.16.1", "4.17", "4.18"]);
    assert!(
        several.out.starts_with(
            "to 4.17, 4.18: 4.17.3 is the newest that can be reached without risks, of 4.18.4\n"
        ),
        "{}",
        several.out
    );
    let done = asked(&["4.17.3", "4.17"]);
    assert!(
        done.out.starts_with("4.17.3 is the newest release of 4.17 that can be reached"),
        "{}",
        done.out
    );
    let none = asked(&["4.16.1", "4.19"]);
    assert_eq!(none.status, 2);
    assert!(none.err.contains("there is no release of 4.19"), "{}", none.err);
    let unknown = asked(&["4.16.1", "stable-4.81"]);
    assert!(unknown.err.contains("there is no channel `stable-4.81`"), "{}", unknown.err);
}

/// Candidates only when they are asked for, or said loudly.
#[test]
fn candidate_channels_are_used_only_if_nothing_else_leads_there() {
    let loud = asked(&["4.16.1", "4.18.5"]);
    let words = "warning: supported channels have no path; candidate channels are for tests only\n";
    assert!(loud.out.contains(words), "{}", loud.out);
    let named = asked(&["4.17.3", "4.18", "--channel", "candidate-4.18"]);
    assert!(!named.out.contains("warning"), "{}", named.out);
    assert!(named.out.starts_with("to 4.18: 4.18.5 is the newest"), "{}", named.out);
}

#[test]
fn several_channels_say_when_to_change() {
    let run = asked(&["4.16.1", "4.18.4", "--channel", "stable-4.17,stable-4.18"]);
    let words = "  channel: first stable-4.17, then stable-4.18 (from 4.17.3 on)\n";
    assert!(run.out.contains(words), "{}", run.out);
    let json = asked(&["4.16.1", "4.18", "--format", "json"]);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert!(exitpath::testing::schema::PATH.validator().is_valid(&json), "{json}");
    assert_eq!(json["asked_for"], "4.18");
    assert_eq!(json["paths"][0]["hops"][1]["channel"], "stable-4.18");
}

#[test]
fn risks_can_be_accepted_and_releases_avoided() {
    let accepted = asked(&["4.16.1", "4.18.4", "--accept", "SlowDisk"]);
    assert!(
        accepted.out.starts_with("accepted: SlowDisk\nwithout risks, 2 hops:"),
        "{}",
        accepted.out
    );
    let unknown = asked(&["4.16.1", "4.18.4", "--accept", "SlowDisc"]);
    assert!(unknown.err.contains("did you mean `SlowDisk`?"), "{}", unknown.err);
    let avoided = asked(&["4.16.1", "4.18.4", "--avoid", "4.17.3"]);
    assert_eq!(avoided.status, 1, "{}", avoided.out);
}

#[test]
fn blocks_of_one_target_add_up() {
    let block = |from: &str| format!("to=4.14.3 from={from}");
    let (first, second) = (block("4[.]13[.].*"), block("4[.]14[.].*"));
    let leads = |from: &str, with: &[&str]| {
        let mut arguments = vec![from, "4.14.3"];
        arguments.extend(with.iter().flat_map(|words| ["--with", words]));
        path(&arguments)
    };
    for from in ["4.13.8", "4.14.1"] {
        assert_eq!(leads(from, &[]).status, 0);
        let run = leads(from, &[&first, &second]);
        assert_eq!(run.status, 1, "{from}: {}", run.out);
        assert!(run.out.contains("--with 'to=4.14.3"), "{}", run.out);
        assert!(!run.out.contains("zz-what-if"), "{}", run.out);
    }
}

#[test]
fn a_service_answers_instead_of_a_repository() {
    let refused = asked(&["4.16.1", "4.18", "--service", "http://127.0.0.1:1"]);
    assert_eq!(refused.status, 2);
    let words = "`--graph` has no effect with `--service`";
    assert!(refused.err.contains(words), "{}", refused.err);
    let run = exitpath(["path", "4.16.1", "4.18", "--service", "http://127.0.0.1:1"]);
    assert!(run.err.contains("a service is asked for one channel at a time"), "{}", run.err);
}

/// 4.1.0 waited two days for 4.2.0, and 4.1.1 seven for 4.2.1. 4.1.2 still waits.
#[test]
fn a_release_without_a_path_is_told_how_long_others_waited() {
    const DAY: i64 = 24;
    let repository = GrowingRepository::new("waits");
    let first = ["candidate", "fast-4.1", "fast-4.2"];
    repository
        .enable(1, "4.1.0", &first)
        .enable(1 + 2 * DAY, "4.2.0", &["candidate", "fast-4.2"])
        .enable(30 * DAY, "4.1.1", &first)
        .enable(37 * DAY, "4.2.1", &["candidate", "fast-4.2"])
        .enable(80 * DAY, "4.1.2", &first);
    let root = repository.path().to_str().unwrap();
    let ask = |more: &[&str]| {
        let first = ["path", "4.1.2", "4.2", "--wait", "--no-cache", "-q", "--repo", root];
        exitpath(first.iter().copied().chain(more.iter().copied()))
    };
    let run = ask(&[]);
    assert_eq!(run.status, 1, "{}", run.out);
    let words = "no release of 4.2 can be reached from 4.1.2 yet; 2 releases of the last year \
                 waited 2–7 days (median 7)\n";
    assert!(run.out.ends_with(words), "{}", run.out);
    let json: Value = serde_json::from_str(&ask(&["--format", "json"]).out).unwrap();
    assert_eq!(json["waiting"]["days"]["most"], 7, "{json}");

    // A channel for tests has a path already, and a channel that is named may lack the release.
    repository.enable(81 * DAY, "4.1.3", &["candidate", "fast-4.1"]);
    let ask_from = |more: &[&str]| {
        let first = ["path", "4.1.3", "4.2", "--wait", "--no-cache", "-q", "--repo", root];
        exitpath(first.iter().copied().chain(more.iter().copied()))
    };
    let run = ask_from(&["--channel", "fast-4.2"]);
    assert_eq!(run.status, 1, "{}{}", run.out, run.err);
    let reason = "no path from 4.1.3 to 4.2.1: 4.1.3 is not in fast-4.2 yet\n";
    assert!(run.out.contains(reason), "{}", run.out);
    let words = "no release of 4.2 can be reached from 4.1.3 yet; 2 releases of the last year \
                 waited 2–7 days (median 7)\n";
    assert!(run.out.ends_with(words), "{}", run.out);

    repository.enable(82 * DAY, "4.1.3", &["candidate-4.2"]);
    repository.enable(83 * DAY, "4.2.2", &["candidate", "candidate-4.2"]);
    let run = ask_from(&[]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("4.1.3 → 4.2.2  candidate-4.2\n"), "{}", run.out);
    let words = "no release of 4.2 can be reached from 4.1.3 in supported channels yet; \
                 2 releases of the last year waited 2–7 days (median 7)\n";
    assert!(run.out.ends_with(words), "{}", run.out);
}

#[test]
fn a_release_to_avoid_must_exist() {
    let around = path(&["4.13.8", "4.15.1", "--avoid", "4.14.3"]);
    assert!(!around.out.contains("4.14.3"), "{}", around.out);
    let run = path(&["4.13.8", "4.15.1", "--avoid", "4.14.33"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("there is no release `4.14.33`"), "{}", run.err);
}
