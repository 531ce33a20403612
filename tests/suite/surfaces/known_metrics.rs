//! What `promql metrics` says of the dictionary, and of clusters that differ from it.

use std::collections::BTreeSet;
use std::fs;

use exitpath::testing::domain::Named;
use exitpath::testing::metrics::SampleCluster;
use serde_json::Value as Json;

use crate::data::dictionary::Dictionary;
use crate::data::random_clusters::written;
use crate::{Run, Scratch, exitpath};

fn metrics(arguments: &[&str]) -> Run {
    exitpath([&["promql", "metrics"][..], arguments].concat())
}

fn json(run: &Run) -> Json {
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn the_dictionary_is_printed() {
    let known: BTreeSet<String> = Dictionary::read().metrics.into_keys().collect();
    let list = metrics(&[]);
    assert_eq!(list.status, 0);
    assert!(known.iter().all(|name| list.out.lines().any(|line| line == name)), "{}", list.out);
    let all = json(&metrics(&["--format", "json"]));
    let names = all["metrics"].as_array().unwrap().iter();
    let names: BTreeSet<String> =
        names.map(|metric| metric["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(names, known);
}

#[test]
fn a_metric_is_shown_with_what_is_known() {
    let out = metrics(&["cluster_infrastructure_provider"]).out;
    for part in [
        "The platform. The value is 0 on the platform None",
        "cluster-kube-apiserver-operator/pkg/operator/configmetrics/configmetrics.go",
        "type: AWS, VSphere, Azure",
        "external (can be missing)",
        "group(cluster_infrastructure_provider{_id=\"\",type=\"AWS\"})",
    ] {
        assert!(out.contains(part), "{part}:\n{out}");
    }
    let out = metrics(&["csv_count"]).out.replace("\n            ", " ");
    assert!(out.contains("only if the capability OperatorLifecycleManager is on"), "{out}");
    let one = json(&metrics(&["csv_count", "--format", "json"]))["metrics"][0].clone();
    assert_eq!(one["capability"], "OperatorLifecycleManager");
    assert_eq!(one["series"], "one");
}

#[test]
fn an_unknown_metric_gets_the_closest_name() {
    let run = metrics(&["cluster_infrastructure_providr"]);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    assert!(run.err.contains("did you mean `cluster_infrastructure_provider`?"), "{}", run.err);
}

/// Nobody copies an example that is wrong.
#[test]
fn examples_have_no_errors() {
    let all = json(&metrics(&["--format", "json"]));
    for metric in all["metrics"].as_array().unwrap() {
        let example = metric["example"].as_str().unwrap();
        let run = exitpath(["promql", "check", example]);
        assert_eq!(run.status, 0, "{example}\n{}", run.out);
    }
}

/// The differences of a cluster with these series, as `metric: kind`.
fn against(series: &str) -> (u8, BTreeSet<String>) {
    let scratch = Scratch::new("against");
    let file = scratch.path().join("cluster.series");
    fs::write(&file, series).unwrap();
    let run = metrics(&["--against", file.to_str().unwrap(), "--format", "json"]);
    let found = json(&run)["differences"].as_array().unwrap().clone();
    let found = found.iter().map(|one| {
        let part = |key: &str| one[key].as_str().unwrap().to_owned();
        format!("{}: {}", part("metric"), part("kind"))
    });
    (run.status, found.collect())
}

fn sample(name: &str) -> String {
    let sample = SampleCluster::ALL.iter().find(|sample| sample.name() == name).unwrap();
    written(&sample.series(None).store)
}

/// The samples lack metrics that every cluster has, and differ in nothing else.
#[test]
fn sample_clusters_differ_only_in_what_they_lack() {
    for name in ["aws", "old", "no-capabilities", "single-node", "vsphere"] {
        let (_, found) = against(&sample(name));
        let others: Vec<&String> =
            found.iter().filter(|one| !one.ends_with(": missing-metric")).collect();
        assert!(others.is_empty(), "{name}: {others:?}");
    }
}

#[test]
fn differences_are_found() {
    let series = sample("aws")
        + r#"
cluster_feature_set{name="A"} 0
cluster_feature_set{name="B",color="red"} 1
cluster_version_capability{name="Insights"} 7
kube_node_info{node="x",new_label="y"} 1
cluster_proxy_enabled{type="ftp"} 0
"#;
    let (status, found) = against(&series);
    assert_eq!(status, 1);
    for one in [
        "cluster_feature_set: count",
        "cluster_feature_set: unknown-label",
        "cluster_feature_set: unknown-number",
        "cluster_proxy_enabled: count",
        "cluster_proxy_enabled: unknown-value",
        "cluster_version_capability: unknown-number",
    ] {
        assert!(found.contains(one), "{one}: {found:?}");
    }
    assert!(!found.iter().any(|one| one.starts_with("kube_node_info")), "{found:?}");
    let without = sample("aws").replace("cluster_proxy_enabled", "other");
    assert!(against(&without).1.contains("cluster_proxy_enabled: missing-metric"));
}
