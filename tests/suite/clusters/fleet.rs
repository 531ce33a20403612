//! `exitpath fleet`: many clusters at once.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use exitpath::testing::schema;
use serde_json::Value;

use crate::checks::real_data::history;
use crate::{Run, Scratch, exitpath, files_below, git};

const REPOSITORY: [&str; 4] =
    ["--repo", "fixtures/graph-data", "--releases", "fixtures/graphs/releases.json"];

fn fleet_with(table: &str, flags: &[&str]) -> Run {
    named_fleet("clusters.csv", table, flags)
}

fn named_fleet(name: &str, text: &str, flags: &[&str]) -> Run {
    let scratch = Scratch::new(&format!("fleet-{}", std::thread::current().name().unwrap()));
    let file = scratch.write(name, text);
    let path = file.to_str().unwrap();
    let mut run =
        exitpath(["fleet", path].into_iter().chain(REPOSITORY).chain(flags.iter().copied()));
    run.out = run.out.replace(path, name);
    run.err = run.err.replace(path, name);
    run
}

fn json(run: &Run) -> Value {
    let report = serde_json::from_str(&run.out);
    report.unwrap_or_else(|_| panic!("{}{}", run.out, run.err))
}

#[test]
fn reports_match_their_schema() {
    let change = ["--with", "to=4.14.3 from=.* name=Example", "--list", "--to", "latest"];
    for flags in [&[][..], &change] {
        let report = json(&fleet_with(TABLE, &[flags, &["--format", "json"]].concat()));
        assert!(schema::FLEET.validator().is_valid(&report), "{report}");
    }
}

const TABLE: &str = include_str!("../../../fixtures/fleet/clusters.csv");

#[test]
fn clusters_without_an_update_are_counted_with_the_reason() {
    let risk = "to=4.14.3 from=.* name=Example";
    let run = fleet_with(TABLE, &["--with", risk, "--list"]);
    assert_eq!(
        run.out,
        "\
38 clusters of 4 kinds, with updates of which none is recommended: 30
on a release that their channel does not have: 1
losing their last recommended update, or a path: 30

By release
  4.13.10 in stable-4.14: 30 clusters, 30 without a recommended update, 30 without a path, 30 losing something
    because of Example and VSphereNodesLoseTheirNames
  4.12.1 in stable-4.14: 1 cluster, 1 not in the channel

By risk
  Example keeps updates from 35 clusters
  VSphereNodesLoseTheirNames keeps updates from 30 clusters

Clusters that lose something
  one (4.13.10 in stable-4.14): its last recommended update and its path to the channel's minor version
"
    );
    assert_eq!(run.status, 1);
}

/// Each cluster by itself gets what `cluster` says.
#[test]
fn counts_are_those_of_each_cluster_by_itself() {
    let versions = ["4.13.8", "4.13.9", "4.13.10", "4.14.0", "4.14.1", "4.14.2"];
    let samples = ["aws", "azure", "vsphere", "none", "hosted", "bare-metal"];
    let mut table = "name,version,channel,platform\n".to_owned();
    let mut expected: BTreeSet<(String, String, usize, usize)> = BTreeSet::new();
    for version in versions {
        for channel in ["stable-4.14", "candidate-4.14"] {
            for sample in samples {
                let _ = writeln!(table, "x,{version},{channel},{sample}");
                let cluster = ["cluster", "--version", version, "--channel", channel];
                let flags = ["--sample", sample, "--format", "json"];
                let run = exitpath(cluster.into_iter().chain(REPOSITORY).chain(flags));
                let said = json(&run);
                let length = |key: &str| said[key].as_array().unwrap().len();
                let key = (format!("{version} {channel}"), sample.to_owned());
                expected.insert((key.0, key.1, length("recommended"), length("not_recommended")));
            }
        }
    }
    let report = json(&fleet_with(&table, &["--format", "json"]));
    let kinds = report["kinds"].as_array().unwrap().iter();
    let counts = kinds.map(|kind| {
        let text = |key: &str| kind[key].as_str().unwrap().to_owned();
        let number = |key: &str| usize::try_from(kind[key].as_u64().unwrap()).unwrap();
        let release = format!("{} {}", text("release"), text("channel"));
        (release, text("platform"), number("recommended"), number("not_recommended"))
    });
    assert_eq!(counts.collect::<BTreeSet<_>>(), expected);
}

/// The answers that somebody gives count more than the series of a platform.
#[test]
fn answers_for_a_risk_decide() {
    let table = "\
version,channel,platform,risk:VSphereNodesLoseTheirNames
4.13.10,stable-4.14,vsphere,no
4.13.10,stable-4.14,aws,yes
4.13.10,stable-4.14,aws,unknown
4.13.10,stable-4.14,,
";
    let report = json(&fleet_with(table, &["--format", "json"]));
    let kinds: Vec<(u64, u64, bool)> = report["kinds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| {
            let number = |key: &str| kind[key].as_u64().unwrap();
            let cannot_tell = kind["cannot_tell"].as_bool().unwrap();
            (number("recommended"), number("not_recommended"), cannot_tell)
        })
        .collect();
    assert_eq!(kinds, [(2, 0, false), (1, 1, false), (1, 1, true), (1, 1, true)]);
}

/// What must be accepted is what `path` says: no other path has fewer risks.
#[test]
fn the_risks_to_accept_are_those_of_the_best_path() {
    let risk = "to=4.14.3 from=.* name=Example";
    let flags = ["--with", risk, "--to", "latest"];
    let run = fleet_with(TABLE, &[&flags[..], &["--format", "json"]].concat());
    let report = json(&run);
    let mut accepted = 0;
    for kind in report["kinds"].as_array().unwrap() {
        let goal = &kind["goal"];
        let names: Vec<&str> =
            goal["accept"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        if goal["state"] != "accept" {
            assert!(names.is_empty(), "{goal}");
            continue;
        }
        accepted += 1;
        assert_eq!(goal["fewest"], true);
        let version = kind["release"].as_str().unwrap();
        let with = |accept: &[&str]| {
            let path = ["path", version, "4.14.3", "--channel", "stable-4.14", "--with", risk];
            let accept = accept.iter().flat_map(|name| ["--accept", name]);
            let flags = REPOSITORY.into_iter().chain(accept).chain(["--format", "json"]);
            let report = json(&exitpath(path.into_iter().chain(flags)));
            report["paths"][0]["kind"] == "open"
        };
        assert!(with(&names), "{version}: {names:?}");
        for at in 0..names.len() {
            let mut fewer = names.clone();
            fewer.remove(at);
            assert!(!with(&fewer), "{version}: {fewer:?}");
        }
    }
    assert!(accepted > 0);
    let words = fleet_with(TABLE, &flags).out;
    assert!(words.contains("To latest (4.14.3)\n"), "{words}");
    assert!(words.contains("after accepting Example: 35 clusters"), "{words}");
    assert!(words.contains("at the goal already, or newer: 2 clusters"), "{words}");
}

#[test]
fn a_broken_row_has_its_place_and_the_others_are_counted() {
    let table = "\
name,version,channel,count
ok,4.14.3,stable-4.14,7
words,4.14.3,stable-4.14,many
version,four,stable-4.14,1
short,4.14.3
nothing,,stable-4.14,1
\"two
lines\",4.14.3,stable-4.14,1
";
    let run = fleet_with(table, &["--format", "json"]);
    assert_eq!(run.status, 1);
    let report = json(&run);
    assert_eq!(report["clusters"], 7);
    assert_eq!(report["all_not_counted"], 5);
    let faults: Vec<(u64, String)> = report["not_counted"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| {
            let column = fault["column"].as_str().unwrap_or("-");
            (
                fault["line"].as_u64().unwrap(),
                format!("{column}: {}", fault["message"].as_str().unwrap()),
            )
        })
        .collect();
    let (lines, words): (Vec<u64>, Vec<String>) = faults.into_iter().unzip();
    assert_eq!(lines, [3, 4, 5, 6, 7]);
    assert_eq!(words[0], "count: `many` is not a number of clusters or updates");
    assert!(words[1].starts_with("version: `four` is not a version"), "{words:?}");
    assert_eq!(words[2], "-: the row has 2 cells, and the first line has 4");
    assert_eq!(words[3], "-: the version is missing");
    assert_eq!(words[4], "name: it has several lines; is a quote not closed?");
}

#[test]
fn unusable_files_are_errors() {
    let error = |name: &str, text: &str| {
        let run = named_fleet(name, text, &[]);
        assert_eq!(run.status, 2, "{}", run.out);
        run.err
    };
    let unknown = error("clusters.csv", "version,chanel\n4.14.3,stable-4.14\n");
    assert!(unknown.contains("there is no column `chanel`"), "{unknown}");
    assert!(unknown.contains("did you mean `channel`?"), "{unknown}");
    let missing = error("clusters.csv", "name,channel\na,stable-4.14\n");
    assert!(missing.contains("there is no column `version`"), "{missing}");
    let twice = error("clusters.csv", "version,version\n4.14.3,4.14.3\n");
    assert!(twice.contains("the column `version` is there twice"), "{twice}");
    let none = error("clusters.csv", "version,channel\n");
    assert!(none.contains("the files have no clusters"), "{none}");
    let long = format!("version,channel,name\n4.14.3,stable-4.14,\"{}", "x".repeat(3 << 20));
    let long = error("clusters.csv", &long);
    assert!(long.contains("a row has more than 1 MiB"), "{long}");
    let other = error("objects.yaml", "kind: ConfigMap\nmetadata:\n  name: a\n");
    assert!(other.contains("it has neither a ClusterVersion nor a ManagedCluster"), "{other}");
    let risk = error("clusters.csv", "version,channel,risk:Vsphere\n4.14.3,stable-4.14,yes\n");
    assert!(risk.contains("there is no risk `Vsphere`"), "{risk}");
    let many = u64::MAX;
    let many = format!("version,channel,count\n4.14.3,stable-4.14,{many}\n4.14.2,stable-4.14,1\n");
    let many = error("clusters.csv", &many);
    assert!(many.contains("there are too many clusters to count"), "{many}");
    let list = fleet_with(TABLE, &["--list"]);
    assert!(list.err.contains("`--list` needs a change to compare with"), "{}", list.err);
    let goal = fleet_with(TABLE, &["--to", "stable-4.41"]);
    assert!(goal.err.contains("there is no channel `stable-4.41`"), "{}", goal.err);
    let goal = fleet_with(TABLE, &["--to", "4.99"]);
    assert!(goal.err.contains("there is no release of 4.99 to get to"), "{}", goal.err);
}

#[test]
fn lines_of_json_and_objects_are_clusters_too() {
    let lines = "\u{FEFF}{\"version\": \"4.13.10\", \"channel\": \"stable-4.14\", \"count\": 3, \"platform\": \"VSphere\"}\r
\r
{\"version\": \"4.13.10\", \"channel\": \"stable-4.14\", \"series\": [\"up 1\", \"up{job=\\\"a\\\"} 0\"]}\r
{\"version\": \"4.13.10\", \"channel\": true}\r
{\"version\": \"4.13.10\"\r
";
    let report = json(&named_fleet("clusters.jsonl", lines, &["--format", "json"]));
    assert_eq!((&report["clusters"], &report["all_not_counted"]), (&4.into(), &2.into()));
    assert_eq!(report["kinds"][0]["platform"], "vsphere");
    let objects = "\
kind: List
items:
- kind: ClusterVersion
  metadata: {name: version}
  spec: {channel: stable-4.14, clusterID: 1-2-3}
  status:
    desired: {version: 4.13.10}
    availableUpdates: [{version: 4.14.3}]
    conditions: [{type: RetrievedUpdates, status: 'True'}]
- kind: ManagedCluster
  metadata: {name: far, labels: {openshiftVersion: 4.13.10}}
  status:
    clusterClaims: [{name: platform.open-cluster-management.io, value: AWS}]
";
    let run =
        named_fleet("clusters.yaml", objects, &["--channel", "stable-4.14", "--format", "json"]);
    let report = json(&run);
    assert_eq!(report["clusters"], 2);
    let platforms: Vec<&Value> =
        report["kinds"].as_array().unwrap().iter().map(|kind| &kind["platform"]).collect();
    assert_eq!(platforms, [&Value::Null, &Value::from("aws")]);
    assert_eq!(report["all_differences"], 0, "{report}");
}

/// What is known of a platform without a sample cluster is its name.
#[test]
fn platforms_have_the_names_that_kubernetes_uses() {
    let platforms = ["Nutanix", "BareMetal", "bare-metal", "VSphere", "IBMCloud"];
    let rows = platforms.map(|name| format!("4.13.10,stable-4.14,{name}\n"));
    let table = format!("version,channel,platform\n{}", rows.concat());
    let report = json(&fleet_with(&table, &["--format", "json"]));
    let kinds: Vec<(&str, u64)> = report["kinds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| (kind["platform"].as_str().unwrap(), kind["recommended"].as_u64().unwrap()))
        .collect();
    let expected = [("Nutanix", 2), ("bare-metal", 2), ("vsphere", 1), ("IBMCloud", 2)];
    assert_eq!(kinds, expected, "the risk is about vSphere");
    let run = fleet_with("version,channel,platform\n4.13.10,stable-4.14,nutanics\n", &[]);
    assert!(
        run.out.contains("`nutanics` is not a platform; did you mean `Nutanix`?"),
        "{}",
        run.out
    );
}

/// An answer of the service is whole for one channel only.
#[test]
fn an_answer_is_for_the_clusters_of_its_channel() {
    let scratch = Scratch::new("fleet-answer");
    let graph = ["graph", "--channel", "stable-4.14", "--format", "json"];
    let answer = exitpath(graph.into_iter().chain(REPOSITORY)).out;
    let answer = scratch.write("stable-4.14.json", answer);
    let run = |channel: &str| {
        let table = format!("version,channel,platform\n4.13.9,{channel},aws\n");
        let table = scratch.write("clusters.csv", table);
        let [table, answer] = [&table, &answer].map(|file| file.to_str().unwrap());
        exitpath(["fleet", table, "--graph", answer, "--to", "4.14", "--format", "json"])
    };
    let own = json(&run("stable-4.14"));
    assert_eq!(own["kinds"][0]["goal"]["state"], "recommended", "{own}");
    let other = run("fast-4.14");
    assert_eq!(other.status, 2);
    assert!(
        other.err.contains("the graph is of stable-4.14, and a cluster is in fast-4.14"),
        "{}",
        other.err
    );
}

/// The goal may be in another channel than the clusters'.
#[test]
fn a_change_that_closes_the_path_to_the_goal_is_a_loss() {
    let table = "name,version,channel,platform\na,4.13.10,stable-4.13,aws\n";
    let goal = ["--to", "4.14.3", "--list"];
    let closed = ["--with", "to=4.14.3 from=.* name=Example"];
    let run = fleet_with(table, &[&goal[..], &closed].concat());
    assert_eq!(run.status, 1);
    assert!(
        run.out.contains("  a (4.13.10 in stable-4.13): its recommended path to 4.14.3\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("after accepting Example: 1 cluster"), "{}", run.out);
}

/// A cluster that says another number of updates than it should have.
#[test]
fn differences_from_what_clusters_say_are_shown() {
    let table = "name,version,channel,platform,available_updates\na,4.13.10,stable-4.14,aws,9\nb,4.13.10,stable-4.14,aws,2\n";
    let run = fleet_with(table, &[]);
    assert!(
        run.out.contains("1 cluster says a different number of recommended updates\n  a (4.13.10 in stable-4.14): 9, not 2\n"),
        "{}",
        run.out
    );
}

/// Two thousand real kinds of clusters: none of them fails, and the counts add up.
#[test]
fn real_releases_are_counted() {
    let Some(history) = history() else { return };
    let mut table = "version,channel,platform,count\n".to_owned();
    for (minor, channel) in
        [("4.14", "stable-4.14"), ("4.16", "stable-4.17"), ("4.19", "fast-4.20")]
    {
        for patch in 0..60 {
            for platform in ["aws", "azure", "gcp", "vsphere", "hosted", ""] {
                let _ = writeln!(table, "{minor}.{patch},{channel},{platform},3");
            }
        }
    }
    let scratch = Scratch::new("fleet-real");
    let file = scratch.write("clusters.csv", &table);
    let repository = ["--repo", history.to_str().unwrap(), "--rev", "HEAD"];
    let flags = ["--to", "4.20", "--format", "json"];
    let fleet = ["fleet", file.to_str().unwrap()];
    let report = json(&exitpath(fleet.into_iter().chain(repository).chain(flags)));
    assert_eq!(report["clusters"], 3 * 3 * 60 * 6);
    let kinds = report["kinds"].as_array().unwrap();
    assert_eq!(kinds.len(), 3 * 60 * 6);
    let count = |state: &str| kinds.iter().filter(|kind| kind["goal"]["state"] == state).count();
    assert!(count("recommended") > 100, "{}", count("recommended"));
    assert!(kinds.iter().all(|kind| kind["goal"]["fewest"] != false));
}

fn written(table: &str, flags: &[&str]) -> (Run, Vec<(String, String)>) {
    let scratch = Scratch::new(&format!("patches-{}", std::thread::current().name().unwrap()));
    let folder = scratch.path().join("patches");
    let run = fleet_with(table, &[flags, &["--write", folder.to_str().unwrap()]].concat());
    let below = if folder.exists() { files_below(&folder) } else { Vec::new() };
    let files = below.into_iter().map(|file| {
        (file.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(file).unwrap())
    });
    let mut files: Vec<(String, String)> = files.collect();
    files.sort();
    (run, files)
}

#[test]
fn patches_are_for_the_next_step_to_the_goal() {
    let table = "name,version,channel,platform\n\
        stays,4.13.10,stable-4.14,aws\nswitches,4.13.10,stable-4.13,aws\nis-there,4.14.3,stable-4.14,aws\n";
    let (run, files) = written(table, &["--to", "4.14.3"]);
    assert!(run.err.contains("2 patch files written to"), "{}", run.err);
    let stays = "\
# From 4.13.10 in stable-4.14: 4.14.3.
# oc patch clusterversion version --type merge --patch-file stays.yaml
spec:
  desiredUpdate:
    architecture: ''
    version: 4.14.3
    image: ''
    force: false
";
    let switches = "\
# From 4.13.10 in stable-4.13: 4.14.3.
# After this patch, the cluster retrieves the updates of its new channel.
# oc patch clusterversion version --type merge --patch-file switches.yaml
spec:
  channel: stable-4.14
";
    let expected = [("stays.yaml", stays), ("switches.yaml", switches)];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(files, expected);
}

#[test]
fn names_that_lead_elsewhere_name_no_file() {
    for name in ["../a", "a/b", ".a", "-a", "", "a b", "\u{1b}[2J"] {
        let table = format!("name,version,channel,platform\n{name},4.13.10,stable-4.14,aws\n");
        let (run, files) = written(&table, &["--to", "4.14.3"]);
        assert_eq!((run.status, files.len()), (2, 0), "{name}: {}{}", run.out, run.err);
    }
    let twice =
        "name,version,channel,platform\na,4.13.10,stable-4.14,aws\na,4.13.10,stable-4.14,aws\n";
    let (run, files) = written(twice, &["--to", "4.14.3"]);
    assert!(run.err.contains("two clusters have the name `a`"), "{}", run.err);
    assert!(files.is_empty());
}

/// The clusters of a fleet count in the headline of `diff`, where they run a stranded release.
#[test]
fn diff_says_how_many_clusters_are_stranded() {
    let scratch = Scratch::copy_of("diff-fleet", Path::new("fixtures/graph-data"));
    git(scratch.path(), &["init", "-q"]);
    git(scratch.path(), &["add", "."]);
    git(scratch.path(), &["commit", "-qm", "The data"]);
    let table = "version,channel,count\n4.13.10,stable-4.14,30\n4.13.10,fast-4.14,7\n4.14.2,stable-4.14,100\n";
    let table = scratch.write("clusters.csv", table);
    let repository = ["--repo", scratch.path().to_str().unwrap()];
    let releases = ["--releases", "fixtures/graphs/releases.json"];
    let strands = ["--with", "to=4.14.3 from=4[.]13[.]10 name=Example", "--channel", "stable-4.14"];
    let fleet = ["--fleet", table.to_str().unwrap()];
    let diff = |more: &[&str]| {
        let flags = repository.into_iter().chain(releases).chain(strands).chain(fleet);
        exitpath(["diff", "HEAD"].into_iter().chain(flags).chain(more.iter().copied()))
    };
    let run = diff(&[]);
    assert!(
        run.out.contains("1 release with 30 clusters newly stranded"),
        "{}{}",
        run.out,
        run.err
    );
    let report = json(&diff(&["--format", "json"]));
    assert!(schema::DIFF.validator().is_valid(&report), "{report}");
    assert_eq!(report["stranded"][0]["clusters"], 30, "{report}");
}

/// A patch never requests an update that is not recommended.
#[test]
fn risks_are_accepted_by_name_or_by_hand() {
    let table = "name,version,channel,platform\nold,4.13.10,stable-4.14,vsphere\n";
    let (run, files) = written(table, &["--to", "4.14.2"]);
    assert!(files.is_empty(), "{files:?}");
    assert!(
        run.err.contains("their operators do not let anybody accept the risks by name: 1 cluster"),
        "{}",
        run.err
    );
}

/// Releases of a repository have an architecture, and those of clusters do not.
#[test]
fn clusters_whose_channel_lacks_their_release_are_counted_in_a_note() {
    let scratch = Scratch::new("fleet-elsewhere");
    let note = |table: &str| {
        let table = scratch.write("clusters.csv", format!("version,channel,count\n{table}"));
        let flags = ["--repo", "fixtures/graph-data", "--fleet", table.to_str().unwrap()];
        let run = exitpath(["simulate"].into_iter().chain(flags));
        let notes = run.err.lines().filter(|line| line.contains("not counted")).map(str::to_owned);
        notes.collect::<String>()
    };
    assert_eq!(note("4.13.10,stable-4.14,30\n4.14.2,,5\n"), "");
    let words =
        "exitpath: on a release that their channel does not have, and not counted: 8 clusters";
    assert_eq!(note("4.13.10,stable-4.14,30\n8.8.8,stable-4.14,7\n4.13.10,none,1\n"), words);
}
