//! `catalog bridge`: the command over small catalogs, and random ones against a slow reading.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use exitpath::testing::bridge::{Arrival, Bridge, Ending, Installed, Outcome, Stage, Step, Stop};
use exitpath::testing::catalog::{Package, Resolver, load_texts, packages};
use exitpath::testing::domain::Minor;
use exitpath::testing::schema::CATALOG_BRIDGE;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::Value as Json;

use crate::shared::scratch::Scratch;

const NOW: &str = "fixtures/catalogs/bridge/v4.13";
const NEXT: &str = "fixtures/catalogs/bridge/v4.14";

fn bridge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_exitpath"))
        .args(["catalog", "bridge", "-q"])
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The report, which follows its schema, and the exit status.
fn report(arguments: &[&str]) -> (Json, Option<i32>) {
    let run = bridge(&[arguments, &["--format", "json"]].concat());
    let words = String::from_utf8_lossy(&run.stderr);
    let report = serde_json::from_slice(&run.stdout).unwrap_or_else(|e| panic!("{e}: {words}"));
    let validator = CATALOG_BRIDGE.validator();
    let faults: Vec<String> = validator.iter_errors(&report).map(|e| e.to_string()).collect();
    assert!(faults.is_empty(), "{arguments:?}: {faults:?}");
    (report, run.status.code())
}

/// What is installed, and what the report says of the only channel, in short.
fn told(name: &str, to: &str) -> (Option<String>, Vec<String>, Json) {
    let named = ["--from", "4.13", "--to", to, "--installed", name];
    let (report, _) = report(&[&[NOW, "--next-catalog", NEXT], &named[..]].concat());
    let operator = &report["clusters"][0]["operators"][0];
    let channel = &operator["channels"][0];
    let held = operator["holds_back_on"].as_str().map(str::to_owned);
    (held, in_short(&channel["steps"]), channel["stopped"].clone())
}

fn in_short(steps: &Json) -> Vec<String> {
    let short = |step: &Json| {
        let text = |key: &str| step[key].as_str().unwrap_or_default().to_owned();
        match step["step"].as_str().unwrap() {
            "update-cluster" => format!("cluster {} {}", text("to"), text("next_catalog")),
            _ => format!("{} {}", text("on"), text("to")),
        }
    };
    steps.as_array().unwrap().iter().map(short).collect()
}

#[test]
fn an_operator_is_updated_before_the_cluster() {
    let (held, steps, stopped) = told("lighthouse.v1.0.0@stable", "4.15");
    assert_eq!(held.as_deref(), Some("4.13"));
    assert_eq!(
        steps,
        [
            "4.13 lighthouse.v1.1.0",
            "cluster 4.14 entry",
            "4.14 lighthouse.v1.2.0",
            "cluster 4.15 unknown"
        ]
    );
    assert!(stopped.is_null());
    let (held, steps, _) = told("lighthouse.v1.1.0", "4.15");
    assert_eq!(held.as_deref(), Some("4.14"), "the channel is found");
    assert_eq!(steps, ["cluster 4.14 entry", "4.14 lighthouse.v1.2.0", "cluster 4.15 unknown"]);
    let (held, steps, _) = told("foghorn.v1.3.0", "4.15");
    assert_eq!((held, steps.len()), (None, 2));
}

#[test]
fn a_version_of_the_next_catalog_comes_too_late() {
    let (held, steps, stopped) = told("buoy.v1.0.0", "4.14");
    assert_eq!((held.as_deref(), steps.len()), (Some("4.13"), 0));
    assert_eq!(stopped["last"], "buoy.v1.0.0");
    assert!(stopped["why"].as_str().unwrap().contains("it is the head of the channel"));
}

#[test]
fn a_version_that_updates_do_not_reach_does_not_help() {
    let (held, steps, stopped) = told("foghorn.v1.0.0", "4.14");
    assert_eq!((held.as_deref(), steps.len()), (Some("4.13"), 0));
    assert_eq!(stopped["unreached"], "foghorn.v1.3.0");
    assert!(stopped["why"].as_str().unwrap().contains("foghorn.v1.2.0 skips that"));
}

#[test]
fn another_channel_can_help() {
    let (_, steps, stopped) = told("sextant.v1.0.0@stable-4.13", "4.15");
    assert!(steps.is_empty());
    assert_eq!(
        in_short(&stopped["with_other_channels"]),
        ["4.13 stable-4.14", "4.13 sextant.v1.1.0", "cluster 4.14 entry", "cluster 4.15 unknown"]
    );
}

#[test]
fn values_that_olm_cannot_read_hold_back_always() {
    for (name, kind) in [
        ("compass.v1.0.0", "up-to"),
        ("compass.v1.1.0", "invalid"),
        ("compass.v1.2.0", "invalid"),
        ("compass.v1.3.0", "none"),
    ] {
        let (report, status) = report(&[NOW, "--from", "4.13.8", "--installed", name]);
        let operator = &report["clusters"][0]["operators"][0];
        assert_eq!(operator["limit"]["kind"], kind, "{name}");
        assert_eq!(status, Some(i32::from(kind != "none")));
        assert_eq!(operator["channels"][0]["reached"], true, "the head has no limit");
    }
}

#[test]
fn the_update_graph_says_where_a_cluster_is_held_back() {
    let graph =
        ["--graph-repo", "fixtures/graph-data", "--releases", "fixtures/graphs/releases.json"];
    let arguments =
        [NOW, "--next-catalog", NEXT, "--to", "4.15", "--installed", "lighthouse.v1.0.0"];
    let (report, status) = report(&[&arguments[..], &graph[..], &["--from", "4.13.8"]].concat());
    assert_eq!(status, Some(1));
    let hops = report["clusters"][0]["paths"][0]["hops"].as_array().unwrap().clone();
    let held: Vec<(&str, Option<&str>)> = hops
        .iter()
        .map(|hop| (hop["from"].as_str().unwrap(), hop["held_back_by"][0].as_str()))
        .collect();
    assert_eq!(
        held,
        [("4.13.8", Some("lighthouse.v1.0.0")), ("4.14.3", Some("lighthouse.v1.1.0"))]
    );
    let minor = bridge(&[&arguments[..], &graph[..], &["--from", "4.13"]].concat());
    assert_eq!(minor.status.code(), Some(2), "a graph has releases");
    let patch = bridge(&[NOW, "--from", "4.13.8", "--to", "4.13.9", "--installed", "buoy.v1.0.0"]);
    assert_eq!(patch.status.code(), Some(0), "patches are never held back");
}

#[test]
fn objects_of_a_cluster_say_what_is_installed() {
    let file = "fixtures/catalogs/bridge/cluster.yaml";
    let (report, status) = report(&[NOW, "--operators", file, "--next-catalog", NEXT]);
    assert_eq!(status, Some(1));
    let cluster = &report["clusters"][0];
    assert_eq!((cluster["from"].as_str(), cluster["to"].as_str()), (Some("4.13.8"), Some("4.14")));
    let operators: Vec<(&str, bool)> = cluster["operators"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["holds_back_on"].is_string()))
        .collect();
    assert_eq!(operators, [("compass.v1.3.0", false), ("lighthouse.v1.0.0", true)], "no copies");
    assert_eq!(cluster["operators"][1]["channels"][0]["channel"], "stable");
}

#[test]
fn metrics_say_what_a_fleet_has() {
    let file = "fixtures/catalogs/bridge/fleet.prom";
    let (report, status) =
        report(&["4.13=fixtures/catalogs/bridge/v4.13", "--next-catalog", NEXT, "--metrics", file]);
    assert_eq!(status, Some(1));
    let clusters = report["clusters"].as_array().unwrap();
    let told: Vec<(Json, bool, bool)> = clusters
        .iter()
        .map(|one| {
            let operators = one["operators"].as_array().unwrap();
            let is_held = operators.iter().any(|operator| operator["holds_back_on"].is_string());
            (one["names"].clone(), is_held, one["not_checked"].is_string())
        })
        .collect();
    assert_eq!(
        told,
        [
            (serde_json::json!(["a1", "b2"]), true, false),
            (serde_json::json!(["c3"]), false, false),
            (serde_json::json!(["d4"]), false, false),
            (serde_json::json!(["e5"]), false, true),
        ]
    );
}

#[test]
fn without_installed_operators_all_entries_are_judged() {
    let (report, status) = report(&[NOW, "--from", "4.13"]);
    let operators = report["clusters"][0]["operators"].as_array().unwrap();
    let held = operators.iter().filter(|one| one["holds_back_on"].is_string()).count();
    assert_eq!((status, operators.len(), held), (Some(1), 13, 9));
    let human = bridge(&[NOW, "--from", "4.13", "--package", "lighthouse"]);
    assert_eq!(
        String::from_utf8_lossy(&human.stdout),
        "✗ 1 of 2 entries holds the cluster back (OLM v0)\n"
    );
}

#[test]
fn what_cannot_be_judged_is_not_a_pass() {
    for arguments in [
        &[NOW][..],
        &[NOW, "--from", "4.13", "--installed", "lighthouse.v9.0.0"],
        &[NOW, "--from", "4.13", "--installed", "lighthouse.v1.0.0@fast"],
        &[NOW, "--from", "4.13", "--package", "lighthause"],
        &[NOW, "--from", "4.13", "--to", "4.12"],
        &[NOW, "--from", "four"],
        &[NOW, "--from", "4.13", "--next-catalog", "4.13=fixtures/catalogs/bridge/v4.14"],
        &[NOW, "--from", "4.13", "--operators", "fixtures/graphs/none.json"],
        &[NOW, "--from", "4.13", "--metrics", "fixtures/catalogs/bridge/no-such-file"],
    ] {
        let run = bridge(arguments);
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
    assert!(Path::new(NOW).is_dir());
}

/// An entry of a random channel: what it replaces and skips, by number, and its limit.
#[derive(Clone, Debug)]
struct Entry {
    replaces: Option<usize>,
    skips: Vec<usize>,
    limit: Option<u64>,
}

/// The channel of one catalog. Entries that the catalog does not have are None.
type Channel = Vec<Option<Entry>>;

const NAMES: usize = 5;
const FIRST: u64 = 14;

fn channel() -> impl Strategy<Value = Channel> {
    let entry = (
        proptest::option::weighted(0.7, 0..NAMES),
        proptest::collection::vec(0..NAMES, 0..2),
        proptest::option::weighted(0.8, FIRST - 1..FIRST + 4),
    );
    let entry = entry.prop_map(|(replaces, skips, limit)| Entry { replaces, skips, limit });
    proptest::collection::vec(proptest::option::weighted(0.8, entry), NAMES)
}

fn name(number: usize) -> String {
    format!("p.e{number}")
}

fn written(channel: &Channel) -> Vec<Package> {
    let mut yaml = "schema: olm.package\nname: p\ndefaultChannel: c\n---\n".to_owned();
    yaml += "schema: olm.channel\npackage: p\nname: c\nentries:\n";
    let entries = || channel.iter().enumerate().filter_map(|(at, e)| Some((at, e.as_ref()?)));
    for (at, entry) in entries() {
        yaml += &format!("- name: {}\n", name(at));
        if let Some(replaces) = entry.replaces {
            yaml += &format!("  replaces: {}\n", name(replaces));
        }
        let skips: Vec<String> = entry.skips.iter().map(|skip| name(*skip)).collect();
        yaml += &format!("  skips: [{}]\n", skips.join(", "));
    }
    for (at, entry) in entries() {
        yaml += &format!("---\nschema: olm.bundle\npackage: p\nname: {}\nimage: a/b\n", name(at));
        yaml += &format!(
            "properties:\n- type: olm.package\n  value: {{packageName: p, version: \"1.{at}.0\"}}\n"
        );
        if let Some(limit) = entry.limit {
            yaml += &format!("- type: olm.maxOpenShiftVersion\n  value: \"4.{limit}\"\n");
        }
    }
    let loaded = load_texts(&BTreeMap::from([("catalog.yaml".to_owned(), yaml)]));
    packages(&loaded.catalogs[0].declared)
}

/// Where OLM v0 moves an install, from the description of its order.
fn slow_next(channel: &Channel, from: usize) -> Option<usize> {
    let entry = |at: usize| channel[at].as_ref();
    let all = || (0..NAMES).filter(|at| entry(*at).is_some());
    let skipped = |at: usize| all().any(|other| entry(other).unwrap().skips.contains(&at));
    let named = |at: usize| skipped(at) || all().any(|o| entry(o).unwrap().replaces == Some(at));
    let heads: Vec<usize> = all().filter(|at| !named(*at)).collect();
    let [head] = heads.as_slice() else { return None };
    let mut order = vec![*head];
    while let Some(next) = entry(*order.last().unwrap()).unwrap().replaces {
        if entry(next).is_none() {
            break;
        }
        if order.contains(&next) {
            return None;
        }
        order.push(next);
    }
    order.retain(|at| !skipped(*at));
    let updates = |at: &&usize| {
        let entry = entry(**at).unwrap();
        entry.replaces == Some(from) || entry.skips.contains(&from)
    };
    order.iter().find(updates).copied().filter(|to| *to != from)
}

/// Tries everything that can happen, in every order: an update of the operator, or of the cluster.
/// An install keeps the limit that it came with.
fn slow_reaches(catalogs: &[Channel], from: usize, limit: Option<u64>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![(0, from, limit)];
    while let Some((cluster, install, limit)) = open.pop() {
        if cluster == catalogs.len() {
            return true;
        }
        if !seen.insert((cluster, install, limit)) {
            continue;
        }
        if limit.is_none_or(|limit| limit > FIRST + cluster as u64) {
            open.push((cluster + 1, install, limit));
        }
        if let Some(to) = slow_next(&catalogs[cluster], install) {
            open.push((cluster, to, catalogs[cluster][to].as_ref().unwrap().limit));
        }
    }
    false
}

#[test]
fn verdicts_are_those_of_trying_everything() {
    let seed = std::env::var("EXITPATH_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let config = Config {
        cases: 10_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    let counts = std::cell::Cell::new([0_usize; 4]);
    let catalogs = proptest::collection::vec(channel(), 1..4);
    TestRunner::new(config)
        .run(&catalogs, |catalogs| {
            let packages: Vec<Vec<Package>> = catalogs.iter().map(written).collect();
            let minor = |at: usize| Minor { major: 4, minor: FIRST + at as u64 };
            let stages = packages.iter().enumerate();
            let mut stages: Vec<Stage<'_>> = stages
                .map(|(at, packages)| Stage { minor: minor(at), packages: Some(packages) })
                .collect();
            stages.push(Stage { minor: minor(catalogs.len()), packages: None });
            for (at, entry) in catalogs[0].iter().enumerate() {
                let Some(entry) = entry else { continue };
                let installed = [Installed {
                    name: name(at),
                    channel: Some("c".into()),
                    ..Installed::default()
                }];
                let bridge = Bridge { stages: &stages, resolver: Resolver::V0 };
                let verdicts = bridge.verdicts(&installed).unwrap();
                let is_free = (0..catalogs.len())
                    .all(|cluster| entry.limit.is_none_or(|limit| limit > FIRST + cluster as u64));
                prop_assert_eq!(verdicts[0].held_at.is_none(), is_free);
                let reaches = slow_reaches(&catalogs, at, entry.limit);
                let (_, outcome) = &verdicts[0].outcomes[0];
                prop_assert_eq!(matches!(outcome, Outcome::Reached(_)), reaches, "{:?}", catalogs);
                let mut known = counts.get();
                known[usize::from(is_free) * 2 + usize::from(reaches)] += 1;
                counts.set(known);
                follow(&catalogs, at, entry.limit, outcome)?;
            }
            Ok(())
        })
        .unwrap();
    let [held, lifted, none, free] = counts.get();
    assert!(held > 1_000 && lifted > 500 && free > 1_000, "{held} {lifted} {free}");
    assert_eq!(none, 0, "what never holds back always reaches the goal");
}

/// Does what the steps say.
fn follow(
    catalogs: &[Channel],
    from: usize,
    limit: Option<u64>,
    outcome: &Outcome<'_>,
) -> Result<(), TestCaseError> {
    let (steps, end) = match outcome {
        Outcome::Reached(steps) => (steps, catalogs.len()),
        Outcome::Stopped(Stop { steps, stage, .. }) => (steps, *stage),
    };
    let (mut cluster, mut install, mut limit) = (0, from, limit);
    for step in steps {
        match step {
            Step::Update { stage, from, to } => {
                prop_assert_eq!((*stage, (*from).to_owned()), (cluster, name(install)));
                install = slow_next(&catalogs[cluster], install).unwrap();
                prop_assert_eq!(*to, name(install));
                limit = catalogs[cluster][install].as_ref().unwrap().limit;
            }
            Step::Cluster { stage, with, arrival } => {
                prop_assert_eq!((*stage, (*with).to_owned()), (cluster, name(install)));
                prop_assert!(limit.is_none_or(|limit| limit > FIRST + cluster as u64));
                cluster += 1;
                let expected = match catalogs.get(cluster) {
                    None => "NoCatalog",
                    Some(channel) if channel[install].is_some() => "Entry",
                    Some(channel) if slow_next(channel, install).is_some() => "UpdatedTo",
                    Some(_) => "NoUpdate",
                };
                prop_assert!(format!("{arrival:?}").starts_with(expected), "{:?}", arrival);
            }
            Step::Switch { .. } => prop_assert!(false, "there is one channel"),
        }
    }
    prop_assert_eq!(cluster, end);
    if let Outcome::Stopped(stop) = outcome {
        prop_assert_eq!(stop.last, name(install));
        prop_assert_eq!(stop.ending == Ending::NoCatalog, false);
    }
    Ok(())
}

#[test]
fn the_last_minor_of_4_is_followed_by_5() {
    let limited = |limit| vec![Some(Entry { replaces: None, skips: vec![], limit: Some(limit) })];
    let minor = |major, minor| Minor { major, minor };
    for (limit, from, to, holds) in [
        (22, minor(4, 21), minor(4, 22), false),
        (22, minor(4, 22), minor(5, 0), true),
        (23, minor(4, 22), minor(5, 0), false),
        (23, minor(4, 22), minor(4, 23), false),
        (23, minor(5, 0), minor(5, 1), true),
        (23, minor(4, 23), minor(5, 0), true),
    ] {
        let packages = written(&limited(limit));
        let stages =
            [Stage { minor: from, packages: Some(&packages) }, Stage { minor: to, packages: None }];
        let installed = [Installed { name: name(0), ..Installed::default() }];
        let bridge = Bridge { stages: &stages, resolver: Resolver::V0 };
        let verdicts = bridge.verdicts(&installed).unwrap();
        assert_eq!(verdicts[0].held_at.is_some(), holds, "{limit} {from} {to}");
        if let (_, Outcome::Reached(steps)) = &verdicts[0].outcomes[0] {
            let arrival = Arrival::NoCatalog;
            assert_eq!(steps[..], [Step::Cluster { stage: 0, with: "p.e0", arrival }]);
        }
    }
}

#[test]
fn a_later_catalog_without_updates_is_no_success() {
    let (report, status) = report(&[
        NOW,
        "--next-catalog",
        NEXT,
        "--from",
        "4.13",
        "--to",
        "4.14",
        "--installed",
        "compass.v1.3.0",
    ]);
    assert_eq!(report["clusters"][0]["operators"][0]["loses_updates_on"], "4.14");
    assert_eq!(status, Some(1));
    let run =
        bridge(&[NOW, "--next-catalog", NEXT, "--from", "4.13", "--installed", "compass.v1.3.0"]);
    let words = String::from_utf8(run.stdout).unwrap();
    assert!(words.starts_with('✗') && words.contains("has no updates for 1 operator"), "{words}");
}

#[test]
fn an_unknown_channel_is_one_that_has_the_install_in_any_catalog() {
    let next = format!("4.14={NEXT}");
    let route = ["--from", "4.13", "--to", "4.15", "--installed"];
    let (later, status) = report(&[&[next.as_str()][..], &route, &["foghorn.v1.3.0"]].concat());
    let operator = &later["clusters"][0]["operators"][0];
    assert_eq!(operator["channels"][0]["channel"], "stable");
    assert_eq!(in_short(&operator["channels"][0]["steps"])[0], "cluster 4.14 entry");
    assert_eq!((&operator["loses_updates_on"], status), (&Json::Null, Some(0)));

    let text = "schema: olm.package
name: buoy
defaultChannel: stable
---
schema: olm.channel
package: buoy
name: stable
entries:
- name: buoy.v2.0.0
---
schema: olm.bundle
package: buoy
name: buoy.v1.0.0
image: quay.io/example/buoy:v1
properties:
- type: olm.package
  value: {packageName: buoy, version: 1.0.0}
- type: olm.maxOpenShiftVersion
  value: \"4.13\"
";
    let catalog = Scratch::with("unlisted", &[("catalog.yaml", text)]);
    let folder = catalog.path().to_str().unwrap();
    let (unlisted, _) = report(&[&[folder][..], &route, &["buoy.v1.0.0"]].concat());
    let channel = &unlisted["clusters"][0]["operators"][0]["channels"][0];
    assert_eq!(channel["channel"], Json::Null, "no channel has it");
    let why = channel["stopped"]["why"].as_str().unwrap();
    assert!(why.ends_with("no channel of the given catalogs has or updates it"), "{why}");
}
