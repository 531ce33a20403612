//! What the objects of a cluster say counts: `cluster` with files, lists, and must-gathers.

use std::fs;
use std::path::Path;

use exitpath::testing::cluster::object::{ClusterVersion, Release};
use exitpath::testing::cluster::{
    InCluster, Level, Operator, Response, ServiceAnswer, Settings, Surroundings, summary,
};
use exitpath::testing::domain::Named;
use exitpath::testing::metrics::SampleCluster;
use exitpath::testing::schema;
use promql::Dialect;
use serde_json::{Value as Json, json};

use crate::{Run, Scratch, exitpath, real_data};

/// An answer with a patch and a minor update, of which a risk holds one.
fn graph(folder: &Scratch) -> String {
    let channels = "candidate-4.19,stable-4.18,stable-4.19,stable-4.20";
    let node = |version: &str| {
        let metadata = json!({"io.openshift.upgrades.graph.release.channels": channels});
        json!({"version": version, "payload": format!("image/release@sha256:{version}"), "metadata": metadata})
    };
    let nodes = ["4.18.10", "4.18.11", "4.19.3"].map(node);
    let risk = json!({"name": "SlowDisk", "url": "https://example.com/1", "message": "Disks get slow.", "matchingRules": [{"type": "Always"}]});
    let held = json!({"edges": [{"from": "4.18.10", "to": "4.18.11"}], "risks": [risk]});
    let answer = json!({"nodes": nodes, "edges": [[0, 2]], "conditionalEdges": [held]});
    folder.write("stable-4.19.json", answer.to_string()).to_str().unwrap().to_owned()
}

fn cluster_version(conditions: &Json, channel: &str) -> Json {
    json!({
        "apiVersion": "config.openshift.io/v1",
        "kind": "ClusterVersion",
        "metadata": {"name": "version"},
        "spec": {"channel": channel, "upstream": "https://updates.example.com/graph", "clusterID": "01234567-0123-0123-0123-0123456789ab"},
        "status": {"desired": {"version": "4.18.10", "image": "image/release@sha256:4.18.10"}, "conditions": conditions},
    })
}

fn held_back() -> Json {
    json!([{"type": "Upgradeable", "status": "False", "reason": "KubeletMinorVersion", "message": "Kubelets are too old."}])
}

fn cluster_operator(status: &str) -> Json {
    let upgradeable = json!({"type": "Upgradeable", "status": status, "reason": "R", "message": "Disks must be migrated."});
    json!({"apiVersion": "config.openshift.io/v1", "kind": "ClusterOperator", "metadata": {"name": "storage"}, "status": {"conditions": [upgradeable]}})
}

fn config_map(namespace: &str, name: &str, data: &Json) -> Json {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": data})
}

fn run(graph: &str, paths: &[&str], arguments: &[&str]) -> Run {
    let common = ["cluster", "--graph", graph, "--sample", "aws"];
    exitpath(common.iter().chain(paths).chain(arguments))
}

#[test]
fn an_operator_that_is_not_upgradeable_refuses_a_minor_update() {
    let folder = Scratch::new("objects-upgradeable");
    let graph = graph(&folder);
    let object = cluster_version(&held_back(), "stable-4.19").to_string();
    let file = folder.write("version.json", object);
    let file = file.to_str().unwrap();
    let request = run(&graph, &["--clusterversion", file], &["--to", "4.19.3"]);
    assert_eq!(request.status, 1, "{}", request.out);
    assert!(request.out.contains("The operator does not take the update.\n"), "{}", request.out);
    assert!(request.out.contains("\"KubeletMinorVersion\": Kubelets are too old."));
    assert!(request.out.contains("Update the nodes first"), "{}", request.out);
    let shown = run(&graph, &[file], &["--as", "status"]);
    let status: Json = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(status["conditions"][1]["reason"], "KubeletMinorVersion");
    let oc = run(&graph, &[file], &["--", "adm", "upgrade"]);
    assert!(oc.out.contains("Upgradeable=False\n"), "{}", oc.out);
    assert!(oc.out.contains("Upstream: https://updates.example.com/graph\n"), "{}", oc.out);
    let recommend = run(&graph, &[file], &["--as", "oc-adm-upgrade-recommend"]);
    assert!(recommend.out.contains("Kubelets are too old."), "{}", recommend.out);
    let summary = run(&graph, &[file], &[]);
    let refusal = "The operator takes no update to 4.19: Upgradeable=False, KubeletMinorVersion.\n  \
                   Kubelets are too old.\n";
    assert!(summary.out.contains(refusal), "{}", summary.out);
    let note = "the files have no ClusterOperators, admin-gates, and admin-acks: `Upgradeable` is \
                what the ClusterVersion says";
    assert!(summary.err.contains(note), "{}", summary.err);
}

#[test]
fn with_all_objects_the_condition_is_calculated() {
    let folder = Scratch::new("objects-all");
    let graph = graph(&folder);
    let with = |operator: &str, acks: &Json| {
        let gates = json!({"ack-4.18-api": "Read https://example.com/api first."});
        let items = [
            cluster_version(&held_back(), "stable-4.19"),
            cluster_operator(operator),
            config_map("openshift-config-managed", "admin-gates", &gates),
            config_map("openshift-config", "admin-acks", acks),
        ];
        let list = json!({"apiVersion": "v1", "kind": "List", "items": items});
        let file = folder.write("all.json", list.to_string());
        run(&graph, &[file.to_str().unwrap()], &[])
    };
    let held = with("True", &json!({}));
    assert!(held.out.contains("Upgradeable=False, AdminAckRequired"), "{}", held.out);
    assert!(held.out.contains("'{\"data\":{\"ack-4.18-api\":\"true\"}}'"), "{}", held.out);
    assert!(!held.err.contains("the files have no"), "{}", held.err);
    let acked = json!({"ack-4.18-api": "true"});
    assert!(!with("True", &acked).out.contains("Upgradeable"));
    let operator = with("False", &acked);
    let words = "Cluster operator storage should not be upgraded between minor versions: Disks must \
                 be migrated.";
    assert!(operator.out.replace("\n    ", " ").contains(words), "{}", operator.out);
    assert!(operator.out.contains("Make Upgradeable of storage true."), "{}", operator.out);
}

#[test]
fn objects_come_in_files_documents_and_from_standard_input() {
    let folder = Scratch::new("objects-forms");
    let graph = graph(&folder);
    let version = serde_yaml::to_string(&cluster_version(&json!([]), "stable-4.19")).unwrap();
    let operator = serde_yaml::to_string(&cluster_operator("False")).unwrap();
    let documents = folder.write("documents.yaml", format!("{version}---\n{operator}"));
    let documents = run(&graph, &[documents.to_str().unwrap()], &[]);
    let first = folder.write("version.yaml", &version);
    let second = folder.write("operator.yaml", &operator);
    let files = run(&graph, &[first.to_str().unwrap(), second.to_str().unwrap()], &[]);
    assert!(files.out.contains("Make Upgradeable of storage true."), "{}", files.out);
    assert_eq!(documents.out, files.out);
    let twice = run(&graph, &[first.to_str().unwrap(), first.to_str().unwrap()], &[]);
    assert_eq!(twice.status, 2);
    assert!(twice.err.contains("the ClusterVersion `version` appears twice"), "{}", twice.err);
    let alone = run(&graph, &[second.to_str().unwrap()], &["--channel", "stable-4.19"]);
    assert!(alone.err.contains("the files have no ClusterVersion"), "{}", alone.err);
    let both = run(&graph, &[first.to_str().unwrap()], &["--version", "4.18.10"]);
    assert!(both.err.contains("`--version` has no effect"), "{}", both.err);
}

#[test]
fn a_must_gather_is_read_as_it_lies() {
    let folder = Scratch::new("objects-gathered");
    let graph = graph(&folder);
    let put = |path: &str, object: &Json| {
        let path = format!("gathered/quay-io-image-sha256-1/{path}");
        folder.write(&path, serde_yaml::to_string(object).unwrap());
    };
    let config = "cluster-scoped-resources/config.openshift.io";
    put(
        &format!("{config}/clusterversions/version.yaml"),
        &cluster_version(&json!([]), "stable-4.19"),
    );
    let operators = json!({"kind": "ClusterOperatorList", "apiVersion": "config.openshift.io/v1", "items": [cluster_operator("True")]});
    put(&format!("{config}/clusteroperators.yaml"), &operators);
    let gates = json!({"ack-4.18-api": "Read https://example.com/api first."});
    let gates = config_map("openshift-config-managed", "admin-gates", &gates);
    let maps = json!({"kind": "ConfigMapList", "apiVersion": "v1", "items": [gates]});
    put("namespaces/openshift-config-managed/core/configmaps.yaml", &maps);
    let acks = config_map("openshift-config", "admin-acks", &json!({}));
    put("namespaces/openshift-config/core/configmaps/admin-acks.yaml", &acks);
    let alert = json!({"labels": {"alertname": "DiskFull", "severity": "critical"}, "annotations": {}, "state": "firing", "activeAt": "2026-01-01T00:00:00Z"});
    let rules = json!({"status": "success", "data": {"groups": [{"rules": [{"alerts": [alert]}, {"name": "recording"}]}]}});
    folder.write(
        "gathered/quay-io-image-sha256-1/monitoring/prometheus/rules.json",
        rules.to_string(),
    );
    let gathered = folder.path().join("gathered");
    let gathered = gathered.to_str().unwrap();
    let summary = run(&graph, &[gathered], &[]);
    assert!(summary.out.contains("AdminAckRequired"), "{}{}", summary.out, summary.err);
    let recommend = run(&graph, &[gathered], &["--as", "oc-adm-upgrade-recommend"]);
    assert!(recommend.out.contains("DiskFull"), "{}", recommend.out);
    let none = run(&graph, &[folder.path().to_str().unwrap()], &[]);
    assert_eq!(none.status, 2);
    assert!(none.err.contains("it is no must-gather"), "{}", none.err);
}

/// A must-gather can be from anybody.
#[cfg(unix)]
#[test]
fn links_in_a_must_gather_are_not_followed() {
    let folder = Scratch::new("objects-links");
    let graph = graph(&folder);
    let secret = cluster_version(&json!([]), "stable-4.19").to_string();
    let secret = folder.write("secret.yaml", secret);
    let place = folder.path().join("gathered/cluster-scoped-resources/config.openshift.io");
    fs::create_dir_all(place.join("clusterversions")).unwrap();
    std::os::unix::fs::symlink(secret, place.join("clusterversions/version.yaml")).unwrap();
    let read = run(&graph, &[folder.path().join("gathered").to_str().unwrap()], &[]);
    assert_eq!(read.status, 2);
    assert!(read.err.contains("the files have no ClusterVersion"), "{}", read.err);
}

#[test]
fn the_summary_says_why_and_what_would_change_that() {
    let folder = Scratch::new("objects-why");
    let graph = graph(&folder);
    let at = |version: &str| {
        let arguments = ["--version", version, "--channel", "stable-4.19", "-q"];
        run(&graph, &[], &arguments).out
    };
    let newest = at("4.19.3");
    let words = "No update is recommended:\n  4.19: 4.19.3 is the newest 4.19 release in \
                 stable-4.19.\n  4.20: stable-4.19 has no later minor version. 4.19.3 is also in \
                 stable-4.20: to ask there,\n  `oc adm upgrade channel stable-4.20`.\n";
    assert!(newest.contains(words), "{newest}");
    let no_update = at("4.18.11");
    let words = "  4.19: stable-4.19 has 4.19.3, but no update leads there from 4.18.11.\n";
    assert!(no_update.contains(words), "{no_update}");
    let json = run(&graph, &[], &["--version", "4.18.10", "--format", "json", "-q"]);
    let json: Json = serde_json::from_str(&json.out).unwrap();
    assert!(schema::CLUSTER.validator().is_valid(&json), "{json}");
    assert_eq!(json["recommended"], json!(["4.19.3"]));
    assert_eq!(json["forward"][0]["state"], "held");
    assert_eq!(json["forward"][0]["risks"], json!(["SlowDisk"]));
    assert_eq!(json["forward"][1]["state"], "recommended");
}

/// Nobody is sent to a channel that is for tests only.
#[test]
fn the_next_channel_is_a_supported_one() {
    let folder = Scratch::new("objects-next");
    let told = |channels: &str| {
        let metadata = json!({"io.openshift.upgrades.graph.release.channels": channels});
        let node =
            json!({"version": "4.19.3", "payload": "image/release@sha256:1", "metadata": metadata});
        let answer = json!({"nodes": [node], "edges": [], "conditionalEdges": []});
        let file = folder.write("stable-4.19.json", answer.to_string());
        let graph = file.to_str().unwrap();
        let out = run(graph, &[], &["--version", "4.19.3", "--channel", "stable-4.19", "-q"]).out;
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let both = told("candidate-4.20,fast-4.20,stable-4.19");
    let words = "4.19.3 is also in fast-4.20 and candidate-4.20: to ask there, `oc adm upgrade \
                 channel fast-4.20`.";
    assert!(both.contains(words), "{both}");
    let tests = told("candidate-4.20,stable-4.19");
    assert!(tests.contains("4.19.3 is also in candidate-4.20, for tests only."), "{tests}");
    assert!(!tests.contains("oc adm upgrade channel"), "{tests}");
}

#[test]
fn a_request_that_is_refused_says_what_would_help() {
    let folder = Scratch::new("objects-request");
    let graph = graph(&folder);
    let to = |version: &str| {
        let arguments = ["--version", "4.18.10", "-q", "--to", version];
        let run = run(&graph, &[], &arguments);
        assert_eq!(run.status, 1, "{}", run.out);
        run.out
    };
    assert!(to("4.18.11").contains("`--allow-not-recommended` requests it all the same"));
    assert!(to("4.18.9").contains("4.18.9 is older than 4.18.10"));
    assert!(to("4.20.1").contains("Update to 4.19 first"));
    assert!(to("4.19.9").contains("No update leads from 4.18.10 to 4.19.9 in stable-4.19."));
}

/// A real operator has an answer for a channel that does not exist, and for none.
#[test]
fn the_channel_of_a_real_object_can_be_wrong() {
    let folder = Scratch::new("objects-channel");
    let source = ["--repo", "fixtures/graph-data", "--releases", "fixtures/graphs/releases.json"];
    let at = |channel: &str| {
        let mut object = cluster_version(&json!([]), channel);
        object["status"]["desired"]["version"] = "4.15.0".into();
        let file = folder.write("version.json", object.to_string());
        let file = file.to_str().unwrap().to_owned();
        exitpath(["cluster", &file, "--sample", "aws"].iter().copied().chain(source))
    };
    let unknown = at("does-not-exist-4.15");
    assert_eq!(unknown.status, 0, "{}", unknown.err);
    assert!(unknown.out.contains("RetrievedUpdates=False, VersionNotFound"), "{}", unknown.out);
    let found =
        "there is no channel `does-not-exist-4.15`, but we have found 4.15.0 in stable-4.15";
    assert!(unknown.err.contains(found), "{}", unknown.err);
    let none = at("");
    assert!(none.out.contains("RetrievedUpdates=False, NoChannel"), "{}", none.out);
    assert!(none.err.contains("the cluster has no channel, but we have found 4.15.0"));
}

/// The alert fires an hour after the cluster could not tell for the first time.
#[test]
fn the_summary_says_when_the_alert_fires() {
    let folder = Scratch::new("objects-alert");
    let graph = graph(&folder);
    let text = fs::read_to_string(&graph).unwrap();
    let query = json!({"type": "PromQL", "promql": {"promql": "absent_metric"}});
    let text = text.replace("{\"type\":\"Always\"}", &query.to_string());
    fs::write(&graph, text).unwrap();
    let mut object = cluster_version(&json!([]), "stable-4.19");
    let unknown = json!({"type": "Recommended", "status": "Unknown", "lastTransitionTime": "2026-01-01T10:00:00Z"});
    object["status"]["conditionalUpdates"] = json!([{
        "release": {"version": "4.18.11", "image": "image/release@sha256:4.18.11"},
        "risks": [], "conditions": [unknown],
    }]);
    let file = folder.write("version.json", object.to_string());
    let at = |time: &str| run(&graph, &[file.to_str().unwrap()], &["--time", time, "-q"]).out;
    let before = at("2026-01-01T10:30:00Z");
    assert!(before.contains("fires at 2026-01-01T11:00:00Z"), "{before}");
    let after = at("2026-01-02T10:00:00Z");
    assert!(after.contains("has fired since 2026-01-01T11:00:00Z"), "{after}");
}

#[test]
fn a_flag_without_effect_is_an_error() {
    let folder = Scratch::new("objects-flags");
    let graph = graph(&folder);
    let cases: [&[&str]; 5] = [
        &["--format", "json", "--as", "oc-adm-upgrade"],
        &["--format", "yaml"],
        &["--format", "human", "--as", "status"],
        &["--include-not-recommended"],
        &["--show-outdated-releases", "--as", "status"],
    ];
    for arguments in cases {
        let run = run(&graph, &["--version", "4.18.10"], arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.out);
    }
}

/// For each release of the served channels, on three platforms, with and without
/// `Upgradeable=False`: where no update is recommended, the summary says why.
#[test]
fn no_update_without_a_cause() {
    let Some(folder) = real_data::data("served/stable-4.18.json") else {
        return;
    };
    let (mut without_update, mut without_cause) = (0, Vec::new());
    for entry in fs::read_dir(folder.parent().unwrap()).unwrap() {
        let file = entry.unwrap().path();
        let answer = ServiceAnswer::parse(&fs::read_to_string(&file).unwrap()).unwrap();
        for sample in ["aws", "vsphere", "none"] {
            for conditions in [json!([]), held_back()] {
                for node in &answer.nodes {
                    let version = node.version.to_string();
                    let text = summary_of(&file, &answer, &version, sample, &conditions);
                    let Some((_, after)) = text.split_once("No update is recommended:\n") else {
                        continue;
                    };
                    without_update += 1;
                    let causes = after.lines().take_while(|line| line.starts_with("  ")).count();
                    if causes < 2 {
                        without_cause.push(version);
                    }
                }
            }
        }
    }
    assert!(without_update > 100);
    assert!(without_cause.is_empty(), "{without_cause:?}");
}

fn summary_of(
    file: &Path,
    answer: &ServiceAnswer,
    version: &str,
    sample: &str,
    conditions: &Json,
) -> String {
    let channel = file.file_stem().unwrap().to_str().unwrap();
    let mut object = cluster_version(conditions, channel);
    object["status"]["desired"]["version"] = version.into();
    let cluster: ClusterVersion = serde_json::from_value(object).unwrap();
    let running =
        Release { image: answer.image_of(version).into(), ..cluster.status.desired.clone() };
    let series = SampleCluster::named(sample).unwrap().series(Some(1_755_896_700_000));
    let source = exitpath::testing::metrics::Source::Series(series, Dialect::Three);
    let mut surroundings = Surroundings {
        now: 1_755_896_700_000,
        running: &running,
        cluster: &cluster,
        inside: &InCluster { missing: vec!["ClusterOperators"], ..InCluster::default() },
        service: &mut |_| Response::Read(answer.clone()),
        ask: &mut |query, _| source.ask(query),
    };
    let outcome = Operator::new(Settings::of(Level::NEWEST)).sync(&mut surroundings).unwrap();
    summary(answer, &outcome, &cluster)
}
