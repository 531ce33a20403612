//! `exitpath diff`, also compared with the graphs that a second implementation of the service
//! builds before and after a change.

use std::collections::BTreeMap;
use std::fs;

use exitpath::testing::change::{Comparison, Fate, Seen, Side};
use exitpath::testing::graph_data::{self, GraphData};
use exitpath::testing::tree::Blob;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::data::assembly::{bits, graph_by_exitpath, raw, repository, service, versions};
use crate::{Run, Scratch, cases, exitpath, git, real_data};

/// The updates of a channel, with their risks.
type ChannelUpdates = BTreeMap<(String, String), Vec<String>>;
/// An update of a channel and an architecture, before and after.
type Difference = BTreeMap<[String; 4], (Option<Vec<String>>, Option<Vec<String>>)>;

/// The policy engine, for all channels and architectures at once.
fn updates_by_channel(whole: &Value) -> BTreeMap<(String, String), ChannelUpdates> {
    let key = "io.openshift.upgrades.graph.release";
    let nodes = whole["nodes"].as_array().unwrap();
    let list = |node: &Value, what: &str| -> Vec<String> {
        let list = node["metadata"][format!("{key}.{what}")].as_str().unwrap_or_default();
        list.split(',').map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
    };
    let version = |node: &Value| node["version"].as_str().unwrap().to_owned();
    let members: Vec<(String, Vec<String>, Vec<String>)> = nodes
        .iter()
        .map(|node| (version(node), list(node, "channels"), list(node, "arch")))
        .collect();
    let by_version: BTreeMap<&str, usize> =
        members.iter().enumerate().map(|(at, (version, ..))| (version.as_str(), at)).collect();
    let mut answers: BTreeMap<(String, String), ChannelUpdates> = BTreeMap::new();
    let mut put = |from: usize, to: usize, risks: &[String], is_conditional: bool| {
        let (from, to) = (&members[from], &members[to]);
        for arch in from.2.iter().filter(|arch| to.2.contains(arch)) {
            // Of conditional updates, the engine looks for the architecture in the versions.
            if is_conditional && !(from.0.contains(arch) && to.0.contains(arch)) {
                continue;
            }
            let strip = |version: &str| {
                version.strip_suffix(&format!("+{arch}")).unwrap_or(version).to_owned()
            };
            for channel in from.1.iter().filter(|channel| to.1.contains(channel)) {
                let answer = answers.entry((channel.clone(), arch.clone())).or_default();
                answer.insert((strip(&from.0), strip(&to.0)), risks.to_vec());
            }
        }
    };
    for edge in whole["edges"].as_array().unwrap() {
        let end = |at: usize| usize::try_from(edge[at].as_u64().unwrap()).unwrap();
        put(end(0), end(1), &[], false);
    }
    for group in whole["conditionalEdges"].as_array().unwrap() {
        let risks = group["risks"].as_array().unwrap().iter();
        let mut risks: Vec<String> =
            risks.map(|risk| risk["name"].as_str().unwrap().to_owned()).collect();
        risks.sort();
        risks.dedup();
        for edge in group["edges"].as_array().unwrap() {
            let end = |which: &str| by_version[edge[which].as_str().unwrap()];
            put(end("from"), end("to"), &risks, true);
        }
    }
    answers
}

/// The differences between the service's answers before and after.
fn differences_by_service(before: &[Blob], after: &[Blob], raw: &Value) -> Difference {
    let (before, after) =
        (updates_by_channel(&service(before, raw)), updates_by_channel(&service(after, raw)));
    let nothing = ChannelUpdates::new();
    let mut difference = Difference::new();
    for answer in before.keys().chain(after.keys()) {
        let was = before.get(answer).unwrap_or(&nothing);
        let is = after.get(answer).unwrap_or(&nothing);
        for pair in was.keys().chain(is.keys()) {
            let (was, is) = (was.get(pair).cloned(), is.get(pair).cloned());
            if was != is {
                let (channel, arch) = answer.clone();
                let (from, to) = pair.clone();
                difference.insert([channel, arch, from, to], (was, is));
            }
        }
    }
    difference
}

/// The differences in a comparison, update by update.
fn differences_by_exitpath(comparison: &Comparison) -> Difference {
    let mut difference = Difference::new();
    for change in &comparison.altered {
        let seen = |place| match &comparison.seen[place] {
            Seen::Nothing | Seen::Blocked => None,
            Seen::Open => Some(Vec::new()),
            Seen::Conditional(risks) => Some(risks.clone()),
        };
        let (was, is) = (seen(change.before), seen(change.after));
        let kind = match (&was, &is) {
            (None, _) => Fate::Gained,
            (_, None) => Fate::Lost,
            (Some(was), Some(is)) if was.is_empty() && !is.is_empty() => Fate::MadeConditional,
            (Some(_), Some(is)) if is.is_empty() => Fate::MadeUnconditional,
            _ => Fate::RisksChanged,
        };
        assert_eq!(change.fate, kind);
        let version = |place| comparison.versions[place].clone();
        for channel in &change.channels {
            for arch in change.architectures.iter() {
                let channel = comparison.channels[*channel].clone();
                let key = [channel, arch.to_string(), version(change.from), version(change.to)];
                let twice = difference.insert(key, (was.clone(), is.clone()));
                assert_eq!(twice, None, "an update is told twice");
            }
        }
    }
    difference
}

fn compare(before: &[Blob], after: &[Blob], raw: &Value, what: &str) {
    let (old, new) =
        (graph_by_exitpath(before.to_vec(), raw), graph_by_exitpath(after.to_vec(), raw));
    let data = [before, after].map(|blobs| GraphData::from_blobs(blobs.to_vec()));
    let side = |data, graph| Side { data, graph };
    let comparison = Comparison::of(side(&data[0], &old), side(&data[1], &new));
    let (ours, theirs) =
        (differences_by_exitpath(&comparison), differences_by_service(before, after, raw));
    let differs = |a: &Difference, b: &Difference| -> Vec<String> {
        let found = a.iter().filter(|(key, value)| b.get(*key) != Some(value));
        found.take(5).map(|(key, value)| format!("{key:?} {value:?}")).collect()
    };
    assert_eq!(differs(&ours, &theirs), [""; 0], "{what}: told, and not so");
    assert_eq!(differs(&theirs, &ours), [""; 0], "{what}: so, and not told");
    // Equal sides have no changed declarations either.
    let same = Comparison::of(side(&data[1], &new), side(&data[1], &new));
    assert!(same.is_idle(), "{what}");
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn random_changes_are_reported_exactly(
        before in repository(),
        after in repository(),
        several in any::<bool>(),
        chance in any::<u64>(),
    ) {
        let mut names = versions(&before);
        names.extend(versions(&after));
        names.insert("4.1.0".to_owned());
        let architectures: &[&str] = if several { &["amd64", "s390x"] } else { &["amd64"] };
        let raw = raw(&names, architectures, bits(chance));
        // A pattern that the service cannot join stops it.
        let served = |blobs: &[Blob]| std::panic::catch_unwind(|| service(blobs, &raw)).is_ok();
        prop_assume!(served(&before) && served(&after));
        compare(&before, &after, &raw, "random repositories");
    }
}

/// `EXITPATH_MERGES=300` tests that many changes of the real repository.
#[test]
fn changes_of_real_merges_are_reported_exactly() {
    let Some(history) = real_data::history() else { return };
    let count = std::env::var("EXITPATH_MERGES").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let merges = real_data::revisions(history, &["--min-parents=2"]);
    let step = (merges.len() / count).max(1);
    for merge in merges.iter().step_by(step).take(count) {
        let read = |revision: &str| graph_data::blobs(history, Some(revision)).unwrap();
        let (before, after) = (read(&format!("{merge}^1")), read(merge));
        let mut names = versions(&before);
        names.extend(versions(&after));
        // One architecture, and a third of all pairs: the second implementation is slow.
        let mut bits = bits(u64::from_str_radix(&merge[..15], 16).unwrap());
        let raw = raw(&names, &["amd64"], move || !bits());
        compare(&before, &after, &raw, merge);
    }
}

pub(crate) fn fixture(name: &str) -> Scratch {
    let scratch = Scratch::copy_of(name, "fixtures/graph-data".as_ref());
    scratch.write("releases.json", std::fs::read("fixtures/graphs/releases.json").unwrap());
    git(scratch.path(), &["init", "-q", "-b", "main"]);
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "-m", "before"]);
    scratch
}

fn diff(scratch: &Scratch, arguments: &[&str]) -> Run {
    let root = scratch.path().to_str().unwrap().to_owned();
    let releases = format!("{root}/releases.json");
    let tail = ["--repo", &root, "--releases", &releases];
    exitpath(["diff"].into_iter().chain(arguments.iter().copied()).chain(tail))
}

/// The fixture with a new risk that is not committed yet.
pub(crate) fn changed() -> Scratch {
    let scratch = fixture("changed");
    scratch.write("blocked-edges/4.14.3-Another.yaml", RISK);
    scratch
}

const RISK: &str = "to: 4.14.3\nfrom: 4[.]13[.].*\nurl: https://issues.example.com/browse/BUG-9\n\
     name: Another\nmessage: It breaks.\nmatchingRules:\n- type: Always\n";

/// Otherwise, what others merged meanwhile looks like something that this branch undoes.
#[test]
fn a_base_with_commits_of_others_gets_a_note() {
    let scratch = fixture("behind");
    git(scratch.path(), &["checkout", "-q", "-b", "topic"]);
    let noted = |base: &str| diff(&scratch, &[base]).err.contains("has commits that are not here");
    assert!(!noted("main"));
    git(scratch.path(), &["checkout", "-q", "main"]);
    scratch.write("blocked-edges/4.14.3-Another.yaml", RISK);
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "-m", "of others"]);
    git(scratch.path(), &["checkout", "-q", "topic"]);
    assert!(noted("main") && !noted("main..."));
    assert!(diff(&scratch, &["main..."]).out.contains("no change for clusters"));
}

#[test]
fn clusters_drop_updates_with_a_rule_that_they_do_not_know() {
    let scratch = fixture("unknown-rule");
    let file = scratch.path().join("blocked-edges/4.14.1-VSphereNodesLoseTheirNames.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("type: PromQL", "type: promql")).unwrap();
    let run = diff(&scratch, &["HEAD"]);
    let words = "now has no rule that clusters know, so all clusters drop the updates, for 4.14.1";
    assert!(run.out.contains(words), "{}", run.out);
}

#[test]
fn a_hypothetical_block_of_conditional_updates_has_no_effect_and_says_why() {
    let scratch = fixture("beside");
    let run = diff(&scratch, &["HEAD", "--with", "to=4.14.1 from=4[.]13[.].*"]);
    let words = "has no effect: every update to 4.14.1 that it matches is conditional because of \
                 `VSphereNodesLoseTheirNames`, and the service ignores blocks of conditional updates";
    assert!(run.err.contains(words), "{}", run.err);
    // The risk is only for updates from 4.13.
    let run = diff(&scratch, &["HEAD", "--with", "to=4.14.1 from=4[.]1[34][.].*"]);
    assert!(!run.err.contains("no effect"), "{}", run.err);
    assert!(run.out.contains("- 1 update is blocked\n"), "{}", run.out);
    let run = diff(
        &scratch,
        &[
            "HEAD",
            "--with",
            "to=4.14.1 from=4[.]14[.]0 name=Another",
            "--with",
            "to=4.14.1 from=4[.]1[34][.].*",
        ],
    );
    let words = "because of `Another` and `VSphereNodesLoseTheirNames`, and the service";
    assert!(run.err.contains(words), "{}", run.err);
    // The risk is only for one architecture.
    let on_amd64 = "to=4.14.1 from=4[.]14[.]0[+]amd64 name=Another";
    let run = diff(&scratch, &["HEAD", "--with", on_amd64, "--with", "to=4.14.1 from=4[.]14[.]0"]);
    assert!(!run.err.contains("no effect"), "{}", run.err);
}

/// The service serves the risk twice, and keeps the first file.
#[test]
fn another_file_of_a_risk_for_one_target_replaces_none() {
    let scratch = fixture("twice");
    let file = scratch.path().join("blocked-edges/4.14.1-VSphereNodesLoseTheirNames.yaml");
    let text = fs::read_to_string(file).unwrap();
    for another in [text.clone(), text.replace("from: ^4[.]13[.].*$", "from: 4[.]13[.]8[+].*")] {
        scratch.write("blocked-edges/4.14.1-zz.yaml", another);
        let run = diff(&scratch, &["HEAD", "--exit-code"]);
        let words = "VSphereNodesLoseTheirNames is also declared for updates to 4.14.1";
        assert!(run.out.contains(words), "{}", run.out);
        assert!(!run.out.contains("`from` was"), "{}", run.out);
        assert_eq!(run.status, 1);
    }
}

#[test]
fn a_new_risk_is_one_item() {
    let scratch = changed();
    let run = diff(&scratch, &["HEAD"]);
    assert_eq!(run.status, 0, "{}", run.err);
    for words in [
        "from HEAD to the work tree: 3 releases newly stranded",
        "Newly stranded, with every conditional update removed\n",
        "  ~ `Another` strands 3 releases in `fast-4.14` and `stable-4.14`, for the clusters that it \
         affects together with `VSphereNodesLoseTheirNames`\n",
        "      4.13.8 and 4.13.9 cannot reach 4.14 in fast-4.14 and stable-4.14\n",
        "updates are now conditional: Another\n",
        "+ Another is a new risk for updates to 4.14.3\n",
    ] {
        assert!(run.out.contains(words), "{words}\n{}", run.out);
    }
    assert_eq!(diff(&scratch, &["HEAD", "--exit-code"]).status, 1);
    let run = diff(&scratch, &["HEAD", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert!(exitpath::testing::schema::DIFF.validator().is_valid(&report), "{}", run.out);
    assert_eq!(report["risks"][0]["name"], "Another");
    assert_eq!(report["risks"][0]["targets_added"], json!(["4.14.3"]));
    let edges = diff(&scratch, &["HEAD", "--format", "edges", "--channel", "stable-4.14"]);
    let lines = "-4.13.10 -> 4.14.3\n+4.13.10 -(risks: Another)-> 4.14.3\n";
    assert!(edges.out.contains(lines), "{}", edges.out);
    let run = diff(&scratch, &["HEAD", "--format", "markdown"]);
    assert!(run.out.starts_with("### 🔀 3 releases newly stranded, "), "{}", run.out);
}

/// No update changes, but fewer clusters are affected.
#[test]
fn a_changed_rule_shows_in_the_channels_of_its_target() {
    let scratch = fixture("rule");
    let path = "blocked-edges/4.15.0-EtcdSlowStart.yaml";
    let text = std::fs::read_to_string(scratch.path().join(path)).unwrap();
    let (head, _) = text.split_once("matchingRules:").unwrap();
    scratch.write(
        path,
        format!("{head}matchingRules:\n- type: PromQL\n  promql:\n    promql: vector(1)\n"),
    );
    let run = diff(&scratch, &["HEAD", "--channel", "stable-4.15"]);
    assert!(run.out.contains("EtcdSlowStart"), "{}", run.out);
    assert!(run.out.contains("now affects some clusters, not all"), "{}", run.out);
    let run = diff(&scratch, &["HEAD", "--channel", "stable-4.14"]);
    assert!(run.out.contains("no change for clusters"), "{}", run.out);
}

#[test]
fn an_empty_change_reports_no_change() {
    let scratch = fixture("idle");
    let run = diff(&scratch, &["HEAD", "--exit-code"]);
    assert_eq!(run.out, "✓ from HEAD to the work tree: no change for clusters\n");
    assert_eq!(run.status, 0);
}

#[test]
fn a_changed_pattern_is_reported_with_the_releases_it_adds_and_drops() {
    let scratch = changed();
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "-m", "risk"]);
    scratch
        .write("blocked-edges/4.14.3-Another.yaml", RISK.replace("4[.]13[.].*", "4[.]13[.]8[+].*"));
    let run = diff(&scratch, &["HEAD"]);
    let words = "`from` was `4[.]13[.].*` and is now `4[.]13[.]8[+].*` for 4.14.3\n";
    assert!(run.out.contains(words), "{}", run.out);
    assert!(run.out.contains("narrower: no longer includes 4.13.9 and 4.13.10\n"), "{}", run.out);
    assert!(run.out.contains("\nUnblocked\n"), "{}", run.out);
    assert!(run.out.contains("are now unconditional: without Another\n"), "{}", run.out);
}

#[test]
fn a_release_that_joins_a_channel_is_reported_with_its_updates() {
    let scratch = fixture("joins");
    let path = scratch.path().join("channels/stable-4.14.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let without: Vec<&str> = text.lines().filter(|line| !line.contains("4.14.3")).collect();
    let without = without.join("\n") + "\n";
    assert_ne!(text, without);
    scratch.write("channels/stable-4.14.yaml", &without);
    let run = diff(&scratch, &["HEAD"]);
    assert!(run.out.contains("- 4.14.3 leaves stable-4.14\n      "), "{}", run.out);
    assert!(run.out.contains("updates led to it in stable-4.14"), "{}", run.out);
    git(scratch.path(), &["commit", "-q", "-a", "-m", "leaves"]);
    let run = diff(&scratch, &["HEAD", "HEAD~1"]);
    assert!(run.out.contains("+ 4.14.3 joins stable-4.14\n      "), "{}", run.out);
    assert_eq!(diff(&scratch, &["HEAD..HEAD~1"]).out.lines().nth(1), run.out.lines().nth(1));
}

#[test]
fn files_that_do_not_load_are_named() {
    let scratch = fixture("unloaded");
    scratch.write("blocked-edges/4.14.3.yaml", "to: 4.14.3\nform: .*\n");
    let run = diff(&scratch, &["HEAD"]);
    assert_eq!(run.out, "✓ from HEAD to the work tree: no change for clusters\n");
    let words = "exitpath: blocked-edges/4.14.3.yaml:1: the service does not load it: ";
    assert!(run.err.starts_with(words), "{}", run.err);
    scratch.write("channels/stable-4.14.yaml", "name: [\n");
    scratch.write("channels/stable-4.15.yaml", b"name: \xff\n");
    let run = diff(&scratch, &["HEAD"]);
    for file in ["channels/stable-4.14.yaml", "channels/stable-4.15.yaml"] {
        let line = run.err.lines().find(|line| line.starts_with(&format!("exitpath: {file}")));
        assert!(line.is_some_and(|line| line.contains("does not load it")), "{}", run.err);
    }
    scratch.write("blocked-edges/4.14.4.yaml", "to: 4.14.4\nfrom: []\n");
    let run = diff(&scratch, &["HEAD", "-q"]);
    assert!(run.err.contains("4.14.4.yaml: the service does not load it: it crashes"));
    for (path, text) in [("version", "2.0.0\n"), ("raw/metadata.json", "{")] {
        let before = fs::read(scratch.path().join(path)).unwrap();
        scratch.write(path, text);
        let run = diff(&scratch, &["HEAD"]);
        let line = run.err.lines().find(|line| line.starts_with(&format!("exitpath: {path}")));
        let line = line.unwrap_or_else(|| panic!("{}", run.err));
        assert!(line.contains("so it builds no new graph"), "{line}");
        scratch.write(path, before);
    }
}

#[test]
fn a_new_release_without_updates_strands_older_ones() {
    let scratch = fixture("joins-blocked");
    let path = scratch.path().join("channels/stable-4.14.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let without: Vec<&str> = text.lines().filter(|line| !line.contains("4.14.3")).collect();
    scratch.write("channels/stable-4.14.yaml", without.join("\n") + "\n");
    git(scratch.path(), &["commit", "-q", "-a", "-m", "without"]);
    scratch.write("channels/stable-4.14.yaml", text);
    scratch.write("blocked-edges/4.14.3.yaml", "to: 4.14.3\nfrom: .*\n");
    let run = diff(&scratch, &["HEAD"]);
    let words = "  ✗ even with all risks removed, `4.14.2` has no updates to other releases, which strands 3 releases in ";
    assert!(run.out.contains(words), "{}", run.out);
    assert!(run.out.contains("cannot reach the newest patch of their minor in"), "{}", run.out);
    // In the channels of the next minor, it has updates, but none to its newest patch.
    let words = "even with all risks removed, `4.14.2` has no updates to newer patches, which strands 3 \
                 releases in `fast-4.15` and `stable-4.15`";
    assert!(run.out.contains(words), "{}", run.out);
}

#[test]
fn a_risk_that_now_affects_all_clusters_strands_releases() {
    let scratch = fixture("for-all");
    let query = "\n- type: PromQL\n  promql:\n    promql: vector(1)\n";
    let some = RISK.replace("\n- type: Always\n", query).replace("from: 4[.]13[.].*", "from: .*");
    scratch.write("blocked-edges/4.14.3-Another.yaml", &some);
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "-m", "some"]);
    scratch
        .write("blocked-edges/4.14.3-Another.yaml", RISK.replace("from: 4[.]13[.].*", "from: .*"));
    let run = diff(&scratch, &["HEAD"]);
    assert!(run.out.contains("  ~ `Another` strands 3 releases in `fast-4.14`, `stable-4.14`, `fast-4.15`, and `stable-4.15`, for all clusters"), "{}", run.out);
    let words = "now affects all clusters, not only some, for 4.14.3\n";
    assert!(run.out.contains(words), "{}", run.out);
    // And back: releases that are still stranded for some clusters are not unblocked.
    git(scratch.path(), &["commit", "-q", "-a", "-m", "all"]);
    let run = diff(&scratch, &["HEAD", "HEAD~1"]);
    assert!(!run.out.contains("MadeUnconditional"), "{}", run.out);
}

#[test]
fn a_block_that_becomes_a_risk_leaves_a_conditional_update() {
    let scratch = fixture("block");
    scratch.write("blocked-edges/4.14.3.yaml", "to: 4.14.3\nfrom: 4[.]13[.].*\n");
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "-m", "block"]);
    git(scratch.path(), &["rm", "-q", "blocked-edges/4.14.3.yaml"]);
    scratch.write("blocked-edges/4.14.3-Another.yaml", RISK);
    let run = diff(&scratch, &["HEAD"]);
    let words = "3 updates are no longer blocked, conditional: Another\n";
    assert!(run.out.contains(words), "{}", run.out);
    assert!(!run.out.contains("opens an exit path"), "who is unblocked needs no help: {}", run.out);
}

#[test]
fn check_reports_changes_of_one_architecture_too() {
    let scratch = changed();
    let risk = RISK.replace("4[.]13[.].*", "4[.]13[.].*[+]amd64");
    scratch.write("blocked-edges/4.14.3-Another.yaml", risk);
    let root = scratch.path().to_str().unwrap().to_owned();
    let releases = format!("{root}/releases.json");
    let run = exitpath(["check", "--repo", &root, "--base", "HEAD", "--releases", &releases]);
    assert!(run.out.contains("3 updates made conditional"), "{}", run.out);
}

#[test]
fn the_base_is_the_merge_base() {
    let scratch = fixture("fork");
    git(scratch.path(), &["checkout", "-q", "-b", "topic"]);
    scratch.write("blocked-edges/4.14.3-Another.yaml", RISK);
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "-m", "risk"]);
    git(scratch.path(), &["checkout", "-q", "main"]);
    scratch.write(
        "blocked-edges/4.14.2-Other.yaml",
        RISK.replace("4.14.3", "4.14.2").replace("Another", "Other"),
    );
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "-m", "other"]);
    let declared = |arguments: &[&str]| {
        let run = diff(&scratch, &[arguments, &["--format", "json"]].concat());
        let report: Value =
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        let risks = report["risks"].as_array().unwrap().iter();
        risks.map(|risk| format!("{} {}", risk["name"], risk["change"])).collect::<Vec<_>>()
    };
    let both = ["\"Another\" \"added\"", "\"Other\" \"dropped\""];
    assert_eq!(declared(&["main", "topic"]), both);
    assert_eq!(declared(&["main..topic"]), both);
    assert_eq!(declared(&["main...topic"]), both[..1]);
}

#[test]
fn errors_are_one_line() {
    let scratch = fixture("wrong");
    for (arguments, words) in [
        (
            &["nowhere"][..],
            "there is no revision `nowhere` in this repository\n          its branches are main\n",
        ),
        (&["main..HEAD", "HEAD"], "`main..HEAD` already names both revisions"),
        (&["...HEAD"], "does not name a first revision"),
        (
            &["HEAD", "--channel", "stable-4.41"],
            "there is no channel `stable-4.41`\n          did you mean `stable-4.14`?",
        ),
    ] {
        let run = diff(&scratch, arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.err.contains(words), "{arguments:?}: {}", run.err);
    }
    git(scratch.path(), &["branch", "-m", "main", "trunk"]);
    git(scratch.path(), &["update-ref", "refs/remotes/upstream/main", "HEAD"]);
    let run = diff(&scratch, &["main"]);
    assert!(run.err.contains("did you mean `upstream/main`?"), "{}", run.err);
    // A folder that is not in the base.
    git(scratch.path(), &["checkout", "-q", "--orphan", "empty"]);
    git(scratch.path(), &["rm", "-q", "-r", "-f", "."]);
    git(scratch.path(), &["commit", "-q", "--allow-empty", "-m", "nothing"]);
    git(scratch.path(), &["checkout", "-q", "trunk"]);
    let run = diff(&scratch, &["empty", "trunk"]);
    assert!(run.err.contains("no data at empty in this folder: everything is new"), "{}", run.err);
    assert!(run.out.contains("is new, in"), "{}", run.out);
    // An unfinished merge.
    let head = std::fs::read(scratch.path().join(".git/refs/heads/trunk")).unwrap();
    scratch.write(".git/MERGE_HEAD", head);
    let run = diff(&scratch, &["HEAD"]);
    assert!(run.err.contains("a merge is in progress"), "{}", run.err);
}
