//! `exitpath path`.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

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
        "without risks, 2 hops:\n  4.13.8 → 4.14.3  stable-4.14\n  4.14.3 → 4.15.1  stable-4.15\n"
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
    let scratch = Scratch::new("ways");
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
            "not_loaded": [], "from": "4.13.8", "to": "4.14.2", "ways": [
            {"kind": "fewest-risks", "hops": [
                {"from": "4.13.8", "to": "4.14.2", "channel": "stable-4.14", "risks": ["VSphereNodesLoseTheirNames"]}]}],
            "ways_cut": false,
            "freed_by": ["VSphereNodesLoseTheirNames"], "unblocked_by": []})
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
    prop::collection::vec((to, from, name), 1..9).prop_map(|mut all| {
        // Of several blocks of a release, only the last one counts.
        let mut blocked = BTreeSet::new();
        all.retain(|(to, _, name)| name.is_some() || blocked.insert(*to));
        all
    })
}

proptest! {
    #![proptest_config(cases(20))]

    #[test]
    fn removing_each_risk_and_each_block_opens_what_the_report_says(declared in declarations()) {
        let is_open = |found: &Value| {
            found["ways"].as_array().unwrap().iter().any(|path| path["kind"] == "open")
        };
        let has_path = |found: &Value| found["ways"] != json!([]);
        for ends in [("4.13.8", "4.15.1"), ("4.13.9", "4.14.3"), ("4.14.1", "4.15.0")] {
            let now = report(ends, &declared, None);
            let risks = ["A", "B", "C", "EtcdSlowStart", "VSphereNodesLoseTheirNames"];
            let risks = risks.into_iter().filter(|name| {
                !is_open(&now) && is_open(&report(ends, &declared, Some(name)))
            });
            prop_assert_eq!(&now["freed_by"], &json!(risks.collect::<Vec<_>>()));
            let blocks = (0..declared.len()).filter(|at| declared[*at].2.is_none());
            let blocks = blocks.filter(|at| {
                let mut others = declared.clone();
                others.remove(*at);
                !has_path(&now) && has_path(&report(ends, &others, None))
            });
            let blocks = blocks.map(|at| format!("blocked-edges/zz-what-if-{at}.yaml"));
            prop_assert_eq!(&now["unblocked_by"], &json!(blocks.collect::<Vec<_>>()));
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
