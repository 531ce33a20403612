//! What `cluster` shows.

use std::collections::BTreeSet;
use std::fs;

use exitpath::testing::cluster::ServiceAnswer;
use exitpath::testing::schema;
use serde_json::{Value as Json, json};

use crate::{Run, Scratch, exitpath, git, real_data};

const REPOSITORY: &str = "fixtures/risk-tests/passing";
const RELEASES: &str = "fixtures/graphs/candidate-4.18.json";

/// Runs `cluster` for a cluster in the fixture's channel.
fn cluster(version: &str, arguments: &[&str]) -> Run {
    let common = [
        "cluster",
        "-q",
        "--version",
        version,
        "--channel",
        "candidate-4.18",
        "--repo",
        REPOSITORY,
        "--releases",
        RELEASES,
    ];
    exitpath(common.iter().chain(arguments))
}

fn status(version: &str, arguments: &[&str]) -> Json {
    let run = cluster(version, &[arguments, &["--as", "status"]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let json: Json = serde_json::from_str(&run.out).unwrap();
    assert!(schema::CLUSTER_STATUS.validator().is_valid(&json), "{json}");
    json
}

fn versions(list: &Json) -> Vec<&str> {
    list.as_array().into_iter().flatten().map(|one| one["version"].as_str().unwrap()).collect()
}

#[test]
fn risks_apply_to_one_cluster_and_not_to_another() {
    let on_aws = status("4.18.10", &["--sample", "aws"]);
    assert_eq!(versions(&on_aws["availableUpdates"]), ["4.18.12", "4.18.11"]);
    let on_vsphere = status("4.18.10", &["--sample", "vsphere"]);
    assert_eq!(versions(&on_vsphere["availableUpdates"]), ["4.18.12"]);
    let recommended = &on_vsphere["conditionalUpdates"][0]["conditions"][0];
    assert_eq!(recommended["status"], "False");
}

/// A missing answer is never a guess.
#[test]
fn without_series_the_cluster_cannot_tell() {
    let status = status("4.18.10", &[]);
    let recommended = &status["conditionalUpdates"][0]["conditions"][0];
    assert_eq!(recommended["status"], "Unknown");
    assert_eq!(recommended["reason"], "EvaluationFailed");
    let run = cluster("4.18.10", &[]);
    assert!(run.err.contains("no series are given"), "{}", run.err);
}

#[test]
fn an_accepted_risk_does_not_hold_the_update_back() {
    let accept = ["--sample", "vsphere", "--accept", "NodesLoseTheirClock"];
    let newer = ["--operator", "4.22"];
    let accepted = status("4.18.10", &[&accept[..], &newer].concat());
    let reason = &accepted["conditionalUpdates"][0]["conditions"][0]["reason"];
    assert_eq!(reason, "AllExposedRisksAccepted");
    assert_eq!(accepted["conditionalUpdateRisks"].as_array().unwrap().len(), 2);
    let run = cluster("4.18.10", &accept);
    assert!(run.err.contains("the operator of 4.18 does not know accepted risks"), "{}", run.err);
    assert!(run.out.contains("1 update is not recommended"), "{}", run.out);
}

#[test]
fn operators_of_old_versions_use_other_words() {
    let recommended = |level: &str| {
        let status = status("4.18.10", &["--sample", "aws", "--operator", level]);
        status["conditionalUpdates"][0]["conditions"][0]["reason"].clone()
    };
    assert_eq!(recommended("4.10"), "AsExpected");
    assert_eq!(recommended("4.16"), "NotExposedToRisks");
    let old = status("4.18.10", &["--sample", "aws", "--operator", "4.9"]);
    assert_eq!(old["conditionalUpdates"], Json::Null);
    assert_eq!(versions(&old["availableUpdates"]), ["4.18.12"]);
}

#[test]
fn oc_shows_the_update_and_how_to_take_it() {
    let vsphere = ["--sample", "vsphere"];
    let shown = cluster("4.18.10", &[&vsphere[..], &["--as", "oc-adm-upgrade"]].concat());
    assert!(shown.out.contains("  4.18.12     registry.example.com/release@sha256:12\n"));
    assert!(shown.out.contains("re-run the command with --include-not-recommended"));
    let all = ["--as", "oc-adm-upgrade", "--include-not-recommended"];
    let all = cluster("4.18.10", &[&vsphere[..], &all].concat());
    assert!(all.out.contains("Updates with known issues:\n\n  Version: 4.18.11\n"), "{}", all.out);
    let requested = cluster("4.18.10", &[&vsphere[..], &["--to", "4.18.11"]].concat());
    assert_eq!(requested.status, 1);
    assert!(requested.err.contains("use --allow-not-recommended"), "{}", requested.err);
    let forced = ["--to", "4.18.11", "--allow-not-recommended"];
    let taken = cluster("4.18.10", &[&vsphere[..], &forced].concat());
    assert_eq!(taken.status, 0);
    assert!(taken.out.contains("Requested update to 4.18.11\n"), "{}", taken.out);
    assert!(taken.out.contains("The operator takes the update."), "{}", taken.out);
    assert!(taken.out.contains("is not recommended:"), "{}", taken.out);
}

#[test]
fn a_version_outside_the_channel_is_found_elsewhere() {
    let run = exitpath([
        "cluster",
        "--version",
        "4.15.0",
        "--channel",
        "fast-4.14",
        "--sample",
        "aws",
        "--repo",
        "fixtures/graph-data",
        "--releases",
        "fixtures/graphs/releases.json",
    ]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("RetrievedUpdates=False, VersionNotFound"), "{}", run.out);
    let place = "4.15.0 is not in fast-4.14, but we have found it in stable-4.15, fast-4.15, and \
                 candidate-4.15";
    assert!(run.err.contains(place), "{}", run.err);
}

/// `path` says it with the same words, and so does `simulate`.
#[test]
fn other_commands_find_the_version_elsewhere_too() {
    let source = ["--repo", "fixtures/graph-data", "--releases", "fixtures/graphs/releases.json"];
    let commands = [
        &["path", "4.14.1", "4.15.0", "--channel", "fast-4.14"][..],
        &["simulate", "--explain", "4.15.0", "--channel", "fast-4.14"][..],
    ];
    for command in commands {
        let run = exitpath(command.iter().chain(&source));
        assert_eq!(run.status, 2, "{}", run.out);
        let words = "4.15.0 is not in fast-4.14, but we have found it in stable-4.15, fast-4.15, and \
                     candidate-4.15.\nWould you like to change the configured channel to one of \
                     those options? For example: `oc adm upgrade channel stable-4.15`\nTo help you \
                     decide, here are their channel descriptions:\n  stable-4.15: The releases of \
                     fast-4.15, after a delay";
        assert!(run.err.contains(words), "{}", run.err);
    }
}

#[test]
fn the_status_is_yaml_too() {
    let json = status("4.18.10", &["--sample", "vsphere"]);
    let arguments = ["--sample", "vsphere", "--as", "status", "--format", "yaml"];
    let yaml: Json = serde_yaml::from_str(&cluster("4.18.10", &arguments).out).unwrap();
    assert_eq!(yaml, json);
}

#[test]
fn a_change_is_shown_by_what_it_does_to_the_cluster() {
    let scratch = Scratch::new("cluster-change");
    for file in crate::files_below(std::path::Path::new(REPOSITORY)) {
        let inside = file.strip_prefix(REPOSITORY).unwrap().to_str().unwrap();
        scratch.write(inside, fs::read_to_string(&file).unwrap());
    }
    git(scratch.path(), &["init", "-q"]);
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-qm", "base"]);
    let repository = scratch.path().to_str().unwrap();
    let changed = |sample: &str| {
        let run = exitpath([
            "cluster",
            "-q",
            "--version",
            "4.18.10",
            "--channel",
            "candidate-4.18",
            "--repo",
            repository,
            "--releases",
            RELEASES,
            "--sample",
            sample,
            "--base",
            "HEAD",
        ]);
        assert_eq!(run.status, 0, "{}", run.err);
        run.out
            .split_once("The change")
            .or(run.out.split_once("What the change"))
            .map_or(String::new(), |(_, change)| change.to_owned())
    };
    assert_eq!(changed("vsphere"), " does nothing to this cluster.\n");
    fs::remove_file(scratch.path().join("blocked-edges/4.18.11-NodesLoseTheirClock.yaml")).unwrap();
    assert_eq!(
        changed("vsphere"),
        " does to this cluster:\n  4.18.11: recommended, was not recommended \
         (NodesLoseTheirClock)\n"
    );
    assert_eq!(changed("aws"), " does nothing to this cluster.\n");
}

#[test]
fn a_real_object_is_read() {
    let folder = Scratch::new("cluster-object");
    let object = "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata:\n  name: \
                  version\nspec:\n  channel: candidate-4.18\n  clusterID: \
                  01234567-0123-0123-0123-0123456789ab\nstatus:\n  desired:\n    version: 4.18.10\n    \
                  image: registry.example.com/release@sha256:10\n  availableUpdates: null\n";
    let read = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        let file = file.display().to_string();
        let arguments = [
            "cluster",
            "--clusterversion",
            &file,
            "--repo",
            REPOSITORY,
            "--releases",
            RELEASES,
            "--sample",
            "aws",
            "-q",
        ];
        exitpath(arguments)
    };
    let run = read("version.yaml", object);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("  4.18.12, 4.18.11\n"), "{}", run.out);
    let cases = [
        (object.replace("ClusterVersion", "ClusterOperator"), "the files have no ClusterVersion"),
        (object.replace("/v1", "/v2"), "it is of the API `config.openshift.io/v2`"),
        ("{\"kind\": ".to_owned(), "it is not valid JSON"),
        ("kind: [".to_owned(), "it is not valid YAML: the error is in line"),
    ];
    for (text, why) in cases {
        let run = read("bad.yaml", &text);
        assert_eq!(run.status, 2);
        assert!(run.err.contains(why), "{}", run.err);
        assert!(run.err.lines().count() <= 2, "{}", run.err);
    }
}

#[test]
fn bad_input_is_one_clear_line() {
    let folder = Scratch::new("cluster-answers");
    let file = folder.path().join("candidate-4.18.json");
    fs::write(&file, "{\"nodes\": [").unwrap();
    let graph = file.display().to_string();
    let run = exitpath(["cluster", "--version", "4.18.10", "--graph", &graph, "--sample", "aws"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("as an answer: unexpected end of JSON input"), "{}", run.err);
    let unknown = exitpath([
        "cluster",
        "--version",
        "4.18.10",
        "--channel",
        "candidate-4.81",
        "--repo",
        REPOSITORY,
        "--releases",
        RELEASES,
        "--sample",
        "aws",
    ]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("there is no channel `candidate-4.81`"), "{}", unknown.err);
    let text = cluster("4.18", &["--sample", "aws"]);
    assert_eq!(text.status, 2);
    assert!(text.err.contains("`4.18` is not a version"), "{}", text.err);
}

/// Nothing of an object reaches the terminal as a command.
#[test]
fn control_characters_are_escaped() {
    let folder = Scratch::new("cluster-hostile");
    let file = folder.path().join("x.json");
    let risk = json!({"name": "A\u{1b}[31m", "url": "u", "message": "m\u{1b}]0;x\u{7}\r::error::x",
        "matchingRules": [{"type": "Always"}]});
    let answer = json!({
        "nodes": [{"version": "4.18.10", "payload": "a"}, {"version": "4.18.11", "payload": "b"}],
        "conditionalEdges": [{"edges": [{"from": "4.18.10", "to": "4.18.11"}], "risks": [risk]}],
    });
    fs::write(&file, answer.to_string()).unwrap();
    let graph = file.display().to_string();
    for view in ["summary", "status", "oc-adm-upgrade", "oc-adm-upgrade-recommend"] {
        let run = exitpath([
            "cluster",
            "--version",
            "4.18.10",
            "--graph",
            &graph,
            "--sample",
            "aws",
            "--as",
            view,
            "--operator",
            "5.0",
        ]);
        assert_eq!(run.status, 0, "{}", run.err);
        let printed = format!("{}{}", run.out, run.err);
        assert!(printed.chars().all(|c| c == '\n' || !c.is_control()), "{printed:?}");
    }
}

/// A few kilobytes can describe an object of gigabytes.
#[test]
fn an_answer_that_unfolds_to_a_huge_object_is_refused() {
    let folder = Scratch::new("cluster-huge");
    let targets = 20_000;
    let message = "x".repeat(20_000);
    let nodes: Vec<Json> = (0..targets)
        .map(|patch| json!({"version": format!("4.18.{patch}"), "payload": patch.to_string()}))
        .collect();
    let edges: Vec<Json> = (1..targets)
        .map(|patch| json!({"from": "4.18.0", "to": format!("4.18.{patch}")}))
        .collect();
    let risk = json!({"name": "A", "url": "u", "message": message,
        "matchingRules": [{"type": "Always"}]});
    let answer = json!({"nodes": nodes, "conditionalEdges": [{"edges": edges, "risks": [risk]}]});
    let file = folder.write("x.json", answer.to_string());
    let graph = file.to_str().unwrap();
    let run = exitpath(["cluster", "--version", "4.18.0", "--graph", graph, "--sample", "aws"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("the answer is too large for a cluster"), "{}", run.err);
    let other = exitpath(["cluster", "--version", "4.18.1", "--graph", graph, "--sample", "aws"]);
    assert_eq!(other.status, 0, "{}", other.err);
}

/// The graphs of the operator's own test: some have no `edges`.
#[test]
fn graphs_of_the_operator_are_read() {
    let Some(folder) = real_data::data("cvo-getupdates/01.json") else {
        return;
    };
    let mut read = 0;
    for entry in fs::read_dir(folder.parent().unwrap()).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        ServiceAnswer::parse(&text).unwrap();
        read += 1;
    }
    assert_eq!(read, 12);
}

/// For each release of the served channels, the targets are those that a plain walk over the answer
/// finds.
#[test]
fn targets_are_those_of_the_answer() {
    let Some(folder) = real_data::data("served/stable-4.18.json") else {
        return;
    };
    for entry in fs::read_dir(folder.parent().unwrap()).unwrap() {
        let file = entry.unwrap().path();
        let text = fs::read_to_string(&file).unwrap();
        let json: Json = serde_json::from_str(&text).unwrap();
        let answer = ServiceAnswer::parse(&text).unwrap();
        let nodes: Vec<&str> = versions(&json["nodes"]);
        for (place, version) in nodes.iter().enumerate() {
            let mut open: BTreeSet<&str> = BTreeSet::new();
            for edge in json["edges"].as_array().unwrap() {
                if edge[0] == json!(place) {
                    let to = usize::try_from(edge[1].as_u64().unwrap()).unwrap();
                    open.insert(nodes[to]);
                }
            }
            let mut conditional: BTreeSet<&str> = BTreeSet::new();
            for group in json["conditionalEdges"].as_array().unwrap() {
                let edges = group["edges"].as_array().unwrap().iter();
                let own = edges.filter(|edge| edge["from"] == *version);
                conditional.extend(own.map(|edge| edge["to"].as_str().unwrap()));
            }
            let open: BTreeSet<&str> = open.difference(&conditional).copied().collect();
            let offered = answer.offered_to(version, "any").unwrap();
            let found: BTreeSet<&str> =
                offered.updates.iter().map(|release| release.version.as_str()).collect();
            assert_eq!(found, open, "{version} in {}", file.display());
            let found: BTreeSet<&str> = offered
                .conditional_updates
                .iter()
                .map(|update| update.release.version.as_str())
                .collect();
            assert_eq!(found, conditional, "{version} in {}", file.display());
        }
    }
}
