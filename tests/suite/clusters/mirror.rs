//! `exitpath fleet --mirror`: what is mirrored, and who gets stuck with it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use exitpath::testing::schema;
use serde_json::{Value, json};

use crate::{Run, Scratch, exitpath};

const CLUSTERS: &str = "fixtures/fleet/clusters.csv";
const RELEASES: &str = "fixtures/graphs/releases.json";

fn fleet(flags: &[&str]) -> Run {
    let repository = ["fleet", "--repo", "fixtures/graph-data"];
    exitpath(repository.into_iter().chain(flags.iter().copied()))
}

/// The report for some clusters with a configuration, and the status.
fn report(scratch: &Scratch, clusters: &str, mirror: &Value, flags: &[&str]) -> (Value, u8) {
    let file = configured(scratch, mirror);
    let run = fleet(
        &[&[clusters, "--releases", RELEASES, "--mirror", &file, "--format", "json"], flags]
            .concat(),
    );
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    let faults = schema::FLEET.validator().iter_errors(&report).map(|fault| fault.to_string());
    assert_eq!(faults.collect::<Vec<_>>(), [""; 0]);
    (report, run.status)
}

/// Writes a configuration. JSON is YAML.
fn configured(scratch: &Scratch, mirror: &Value) -> String {
    let set = json!({
        "kind": "ImageSetConfiguration",
        "apiVersion": "mirror.openshift.io/v2alpha1",
        "mirror": mirror,
    });
    scratch.write("imageset.yaml", set.to_string()).to_str().unwrap().to_owned()
}

fn channels(channels: &Value) -> Value {
    json!({"platform": {"graph": true, "channels": channels}})
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect()
}

/// For each release, whether its clusters are stuck.
fn states(report: &Value) -> Vec<(&str, &str)> {
    let kinds = report["kinds"].as_array().unwrap().iter();
    kinds
        .map(|kind| (kind["release"].as_str().unwrap(), kind["mirror"]["state"].as_str().unwrap()))
        .collect()
}

#[test]
fn clusters_whose_releases_are_not_mirrored_are_stuck() {
    let run = fleet(&[
        CLUSTERS,
        "--releases",
        RELEASES,
        "--mirror",
        "fixtures/fleet/imageset.yaml",
        "--list",
    ]);
    let shown = run.out.split("To the newest").nth(1).unwrap();
    assert_eq!(
        shown,
        " mirrored release (4.14.3), with the 1 release that fixtures/fleet/imageset.yaml mirrors
  at the goal already, or newer: 2 clusters
  without a path, with or without the mirror: 1 cluster
  stuck because of the mirror: 35 clusters

Stuck because of the mirror
  4.13.10 in stable-4.14: 30 clusters, 4.13.10 is not mirrored
    one
  4.13.9 in stable-4.14: 5 clusters, 4.13.9 is not mirrored
    two

Smallest addition
  4.13.9 and 4.13.10 (no smaller set of releases unblocks all of them)

As entries of the configuration, for which oc-mirror takes 2 more releases:

  mirror:
    platform:
      # in addition, or in place of the same channel
      channels:
      - name: fast-4.14
        minVersion: 4.13.9
        maxVersion: 4.13.10

Tried: with these entries, all stuck clusters get to the goal.
"
    );
    assert_eq!(run.status, 1);
}

/// What oc-mirror takes for an entry of `channels`.
#[test]
fn ranges_are_those_of_oc_mirror() {
    let scratch = Scratch::new("mirror-ranges");
    let taken = |entries: Value| {
        let (report, _) = report(&scratch, CLUSTERS, &channels(&entries), &[]);
        let releases = report["mirror"]["releases"].clone();
        words(&releases).iter().map(|text| text.replace("+amd64", "")).collect::<Vec<_>>().join(" ")
    };
    let stable = |more: Value| {
        let mut entry = json!({"name": "stable-4.14"});
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        taken(json!([entry]))
    };
    assert_eq!(stable(json!({})), "4.14.3", "the newest release only");
    assert_eq!(stable(json!({"minVersion": "4.14.2"})), "4.14.2 4.14.3");
    assert_eq!(stable(json!({"maxVersion": "4.13.9"})), "4.13.8 4.13.9");
    assert_eq!(stable(json!({"full": true})), "4.13.8 4.13.9 4.13.10 4.14.0 4.14.1 4.14.2 4.14.3");
    let path = json!({"minVersion": "4.13.8", "maxVersion": "4.14.3", "shortestPath": true});
    assert_eq!(stable(path), "4.13.8 4.14.3");
}

/// The update service of a mirror offers what it would offer from a graph with the mirrored
/// releases.
#[test]
fn a_mirror_is_a_graph_with_fewer_releases() {
    let scratch = Scratch::new("mirror-graph");
    let entries = json!([{"name": "stable-4.14", "minVersion": "4.13.9", "maxVersion": "4.14.2"}]);
    let (report, _) = report(&scratch, CLUSTERS, &channels(&entries), &[]);
    let mirrored: BTreeSet<&str> = words(&report["mirror"]["releases"]).into_iter().collect();
    let mut graph: Value = serde_json::from_str(&fs::read_to_string(RELEASES).unwrap()).unwrap();
    let nodes = graph["nodes"].as_array().unwrap().clone();
    let version = |node: &Value| node["version"].as_str().unwrap().to_owned();
    let kept: Vec<usize> =
        (0..nodes.len()).filter(|at| mirrored.contains(&*version(&nodes[*at]))).collect();
    let place = |at: &Value| kept.iter().position(|one| json!(one) == *at);
    let edges = graph["edges"].as_array().unwrap().iter();
    let edges = edges.filter_map(|edge| Some(json!([place(&edge[0])?, place(&edge[1])?])));
    let edges: Vec<Value> = edges.collect();
    assert!(edges.len() > 3);
    graph["edges"] = edges.into();
    graph["nodes"] = kept.iter().map(|at| nodes[*at].clone()).collect();
    let smaller = scratch.write("smaller.json", graph.to_string());
    let run = fleet(&[CLUSTERS, "--releases", smaller.to_str().unwrap(), "--format", "json"]);
    let without_mirror: Value = serde_json::from_str(&run.out).unwrap();
    for (one, other) in
        report["kinds"].as_array().unwrap().iter().zip(without_mirror["kinds"].as_array().unwrap())
    {
        for key in ["release", "in_channel", "recommended", "not_recommended", "stranded"] {
            assert_eq!(one[key], other[key], "{key} of {one}");
        }
    }
}

#[test]
fn the_entries_unblock_the_clusters() {
    let scratch = Scratch::new("mirror-entries");
    let entries = json!([{"name": "stable-4.14"}]);
    let (before, code) = report(&scratch, CLUSTERS, &channels(&entries), &[]);
    assert_eq!(code, 1);
    assert!(states(&before).contains(&("4.13.10", "stuck")));
    let added = before["mirror"]["addition"]["entries"]["channels"].as_array().unwrap();
    let all: Vec<Value> = entries.as_array().unwrap().iter().chain(added).cloned().collect();
    let (after, code) = report(&scratch, CLUSTERS, &channels(&all.into()), &[]);
    assert_eq!(code, 0, "{after}");
    assert!(states(&after).contains(&("4.13.9", "recommended")));
}

/// Without `architectures`, oc-mirror takes amd64. With some, it takes only these.
#[test]
fn a_new_architecture_stands_beside_the_old_ones() {
    let scratch = Scratch::new("mirror-arch");
    let mut graph: Value = serde_json::from_str(&fs::read_to_string(RELEASES).unwrap()).unwrap();
    let nodes = graph["nodes"].as_array().unwrap().clone();
    let arm = |node: &Value| {
        let text = node.to_string().replace("+amd64", "+arm64").replace(":\"amd64", ":\"arm64");
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let edges = graph["edges"].as_array().unwrap().clone();
    let moved = |at: &Value| at.as_u64().unwrap() + nodes.len() as u64;
    let others = edges.iter().map(|edge| json!([moved(&edge[0]), moved(&edge[1])]));
    graph["edges"] = edges.iter().cloned().chain(others).collect();
    graph["nodes"] = nodes.iter().cloned().chain(nodes.iter().map(arm)).collect();
    let releases = scratch.write("releases.json", graph.to_string());
    let table = "version,channel,arch\n4.14.2,stable-4.14,arm64\n4.14.2,stable-4.14,amd64\n";
    let table = scratch.write("clusters.csv", table);
    let told = |mirror: &Value| {
        let file = configured(&scratch, mirror);
        let [table, releases] = [&table, &releases].map(|path| path.to_str().unwrap());
        let run = fleet(&[table, "--releases", releases, "--mirror", &file, "--format", "json"]);
        serde_json::from_str::<Value>(&run.out).unwrap_or_else(|_| panic!("{}", run.err))
    };
    let mut mirror = channels(&json!([{"name": "stable-4.14", "minVersion": "4.14.2"}]));
    let before = told(&mirror);
    assert_eq!(before["kinds"][0]["mirror"]["why"], "architecture", "{before}");
    let addition = &before["mirror"]["addition"];
    assert_eq!(addition["architectures"], json!(["arm64"]));
    assert_eq!(addition["entries"]["architectures"], json!(["amd64", "arm64"]));
    mirror["platform"]["architectures"] = addition["entries"]["architectures"].clone();
    assert_eq!(states(&told(&mirror)), [("4.14.2", "recommended"); 2]);
}

#[test]
fn what_oc_mirror_refuses_is_an_error() {
    let scratch = Scratch::new("mirror-refused");
    let fault = |mirror: &Value, flags: &[&str]| {
        let file = configured(&scratch, mirror);
        let run = fleet(&[&[CLUSTERS, "--releases", RELEASES, "--mirror", &file], flags].concat());
        assert_eq!(run.status, 2, "{}", run.out);
        run.err.replace(&file, "imageset.yaml")
    };
    let unknown = fault(&channels(&json!([{"name": "stable-4.41"}])), &[]);
    assert!(unknown.contains("stable-4.14"), "{unknown}");
    let path = json!([{"name": "stable-4.14", "minVersion": "4.13.1", "maxVersion": "4.14.3", "shortestPath": true}]);
    assert!(fault(&channels(&path), &[]).contains("stable-4.14 has no release 4.13.1"));
    let nothing = json!([{"name": "stable-4.14", "minVersion": "4.14.9", "maxVersion": "4.14.9"}]);
    assert!(fault(&channels(&nothing), &[]).contains("oc-mirror finds no releases"));
    let good = channels(&json!([{"name": "stable-4.14"}]));
    let catalog = ["--catalog", "4.13=fixtures/catalogs/bridge/v4.13"];
    assert!(fault(&good, &catalog).contains("does not mirror one catalog `4.13`"));
}

/// A cluster on 4.13.9 with one operator.
fn cluster(scratch: &Scratch, name: &str, version: &str, limit: Option<&str>) -> String {
    let package = name.split('.').next().unwrap();
    let properties = limit.map(|limit| {
        json!({"properties": [{"type": "olm.maxOpenShiftVersion", "value": limit}]}).to_string()
    });
    let items = json!([
        {"kind": "ClusterVersion", "metadata": {"name": "version"},
         "spec": {"channel": "stable-4.14", "clusterID": "abc"},
         "status": {"desired": {"version": "4.13.9"}, "history": [{"state": "Completed", "version": "4.13.9"}]}},
        {"kind": "Subscription", "metadata": {"name": package, "namespace": "coast"},
         "spec": {"name": package, "channel": "stable"}, "status": {"installedCSV": name}},
        {"kind": "ClusterServiceVersion",
         "metadata": {"name": name, "namespace": "coast",
                      "annotations": {"operatorframework.io/properties": properties}},
         "spec": {"version": version}},
    ]);
    let list = json!({"kind": "List", "apiVersion": "v1", "items": items});
    scratch.write("cluster.json", list.to_string()).to_str().unwrap().to_owned()
}

const CATALOG: [&str; 2] = ["--catalog", "harbor-index:v4.13=fixtures/catalogs/bridge/v4.13"];

/// A configuration in which only operators can be stuck.
fn with_packages(packages: &Value) -> Value {
    json!({
        "platform": {"graph": true, "channels": [{"name": "stable-4.14", "full": true}]},
        "operators": [{"catalog": "registry.example.com/coast/harbor-index:v4.13", "packages": packages}],
    })
}

/// Why the operator is stuck, and the package that unblocks it, after trying that.
fn operator(scratch: &Scratch, cluster: &str, packages: &Value) -> (String, Value) {
    let (before, _) = report(scratch, cluster, &with_packages(packages), &CATALOG);
    let stuck = &before["mirror"]["stuck_operators"];
    let why = stuck[0]["why"].as_str().unwrap_or("free").to_owned();
    let addition = before["mirror"]["package_additions"][0].clone();
    if !addition.is_null() {
        let others = packages.as_array().unwrap().iter();
        let others = others.filter(|one| one["name"] != addition["package"]["name"]).cloned();
        let packages: Vec<Value> = others.chain([addition["package"].clone()]).collect();
        let (after, _) = report(scratch, cluster, &with_packages(&packages.into()), &CATALOG);
        assert_eq!(after["mirror"]["stuck_operators"], json!([]), "{addition}");
    }
    (why, addition)
}

#[test]
fn an_operator_needs_the_bundles_between() {
    let scratch = Scratch::new("mirror-operators");
    let cluster = cluster(&scratch, "compass.v1.1.0", "1.1.0", None);
    let heads = json!([{"name": "compass", "channels": [{"name": "stable"}]}]);
    let (why, addition) = operator(&scratch, &cluster, &heads);
    assert_eq!(why, "no-update");
    assert_eq!(words(&addition["bundles"]), ["compass.v1.2.0"]);
    assert_eq!(addition["package"]["channels"][0]["minVersion"], "1.2.0");
    let enough = json!([{"name": "compass", "minVersion": "1.2.0"}]);
    assert_eq!(operator(&scratch, &cluster, &enough).0, "free");
}

#[test]
fn packages_and_channels_that_are_not_mirrored_are_added() {
    let scratch = Scratch::new("mirror-packages");
    let cluster = cluster(&scratch, "compass.v1.2.0", "1.2.0", None);
    let (why, addition) = operator(&scratch, &cluster, &json!([{"name": "buoy"}]));
    assert_eq!(why, "package");
    assert_eq!(words(&addition["bundles"]), ["compass.v1.3.0"], "the head is enough");
}

/// An update of the cluster needs a newer bundle than what is mirrored.
#[test]
fn an_operator_holds_its_cluster_back_for_want_of_a_bundle() {
    let scratch = Scratch::new("mirror-bridge");
    let cluster = cluster(&scratch, "lighthouse.v1.0.0", "1.0.0", Some("4.13"));
    let old = json!([{"name": "lighthouse", "maxVersion": "1.0.0", "minVersion": "1.0.0"}]);
    let (why, addition) = operator(&scratch, &cluster, &old);
    assert_eq!(why, "holds-back");
    assert_eq!(words(&addition["bundles"]), ["lighthouse.v1.1.0"]);
}

/// A path that ends in a catalog without the package is of no use.
#[test]
fn later_catalogs_need_the_package_too() {
    let scratch = Scratch::new("mirror-later");
    let cluster = cluster(&scratch, "lighthouse.v1.1.0", "1.1.0", Some("4.14"));
    let mirror = |now: &Value, next: &Value| {
        let catalog = |minor: &str, packages: &Value| json!({"catalog": format!("registry.example.com/harbor-index:v{minor}"), "packages": packages});
        json!({
            "platform": {"graph": true, "channels": [{"name": "stable-4.14", "full": true}]},
            "operators": [catalog("4.13", now), catalog("4.14", next)],
        })
    };
    let catalogs = [
        "--catalog",
        "4.13=fixtures/catalogs/bridge/v4.13",
        "--catalog",
        "4.14=fixtures/catalogs/bridge/v4.14",
    ];
    let told = |now: &Value, next: &Value| {
        let (report, _) = report(&scratch, &cluster, &mirror(now, next), &catalogs);
        let mirror = &report["mirror"];
        let additions = mirror["package_additions"].as_array().unwrap().iter();
        let catalogs = additions.map(|one| one["catalog"].as_str().unwrap().to_owned());
        (mirror["stuck_operators"][0]["why"].clone(), catalogs.collect::<Vec<_>>().join(" "))
    };
    let (has, lacks) = (json!([{"name": "lighthouse"}]), json!([{"name": "foghorn"}]));
    let [now, next] = ["4.13", "4.14"].map(|it| format!("registry.example.com/harbor-index:v{it}"));
    assert_eq!(told(&has, &has), (Value::Null, String::new()));
    assert_eq!(told(&has, &lacks), (json!("loses-updates"), next.clone()));
    assert_eq!(told(&lacks, &lacks), (json!("package"), format!("{now} {next}")));
}

/// Nobody can accept a risk of which the cluster cannot tell whether it affects it.
#[test]
fn stuck_clusters_may_have_risks_that_nobody_can_accept() {
    let scratch = Scratch::new("mirror-cannot-tell");
    let table = scratch.write("c.csv", "version,channel\n4.13.9,stable-4.14\n");
    let risk = "to: 4.14.3\nfrom: 4[.]13[.]9\nurl: https://example.com/a\nname: NineOnly\nmessage: It is slow.\nmatchingRules:\n- type: PromQL\n  promql:\n    promql: group(unknown_series)\n";
    let risk = scratch.write("4.14.3-NineOnly.yaml", risk);
    let entries = json!([
        {"name": "stable-4.14", "minVersion": "4.13.9", "maxVersion": "4.13.9"},
        {"name": "fast-4.14", "minVersion": "4.14.3", "maxVersion": "4.14.3"},
    ]);
    let table = table.to_str().unwrap();
    let flags = ["--add", risk.to_str().unwrap()];
    let mut mirror = channels(&entries);
    // oc-mirror goes around conditional updates, over 4.13.10.
    mirror["blockedImages"] = json!([{"name": "0000002$"}]);
    let (report, _) = report(&scratch, table, &mirror, &flags);
    let kind = &report["kinds"][0]["mirror"];
    assert_eq!(kind["why"], "risks", "{kind}");
    assert_eq!((&kind["cannot_tell"], &kind["accept"]), (&json!(["NineOnly"]), &Value::Null));
    assert_eq!(kind["through_without_mirror"], json!(["4.13.10", "4.14.3"]));
}

#[test]
fn catalogs_without_a_goal_are_an_error() {
    let run = fleet(&[CLUSTERS, "--releases", RELEASES, CATALOG[0], CATALOG[1]]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("`--catalog` has no effect without a goal"), "{}", run.err);
}

#[test]
fn operators_and_conditions_hold_clusters_back_from_a_goal() {
    let cluster = "fixtures/fleet/cluster.yaml";
    let flags = [cluster, "--releases", RELEASES, "--to", "4.14.3"];
    let catalog = ["--catalog", "4.13=fixtures/catalogs/bridge/v4.13"];
    let run = fleet(&[&flags[..], &catalog].concat());
    for line in [
        "Upgradeable=False: 1 cluster on the path to another minor version",
        "(4.13.9 in stable-4.14): IncompatibleOperatorsInstalled: lighthouse.v1.0.0",
        "    4.13.9 → 4.14.3  held back by lighthouse.v1.0.0",
        "      1. on 4.13, update lighthouse.v1.0.0 → lighthouse.v1.1.0",
    ] {
        assert!(run.out.contains(line), "{line}\n{}{}", run.out, run.err);
    }
    let same_minor = fleet(&[cluster, "--releases", RELEASES, "--to", "4.13.10"]);
    assert!(!same_minor.out.contains("Upgradeable"), "{}", same_minor.out);
    assert!(!same_minor.out.contains("Installed operators"), "{}", same_minor.out);
    let run = fleet(&[&flags[..], &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert!(schema::FLEET.validator().is_valid(&report));
    assert!(schema::CATALOG_BRIDGE.validator().is_valid(&report["operators"]));
    assert_eq!(report["all_refusing"], 1);
}

#[test]
fn a_table_may_say_that_clusters_refuse_another_minor_version() {
    let scratch = Scratch::new("mirror-upgradeable");
    let table = "version,channel,count,upgradeable\n4.13.9,stable-4.14,5,no\n4.13.9,stable-4.14,7,yes\n4.13.8,stable-4.14,2,maybe\n";
    let table = scratch.write("clusters.csv", table);
    let run = fleet(&[table.to_str().unwrap(), "--releases", RELEASES, "--to", "4.14.3"]);
    assert!(run.out.contains("Upgradeable=False: 5 clusters"), "{}", run.out);
    assert!(
        run.out.contains("column `upgradeable`: `maybe` is neither `yes` nor `no`"),
        "{}",
        run.out
    );
}

#[test]
fn a_file_with_several_clusters_says_nothing_about_their_operators() {
    let scratch = Scratch::new("mirror-several");
    let one = fs::read_to_string(Path::new("fixtures/fleet/cluster.yaml")).unwrap();
    let two = scratch.write("clusters.yaml", format!("{one}\n---\n{one}"));
    let run = fleet(&[two.to_str().unwrap(), "--releases", RELEASES, "--to", "4.14.3"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("it has operators and several clusters"), "{}", run.err);
}
