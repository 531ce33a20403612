//! `check --base` reports only new findings.

use std::fs;

use serde_json::Value;

use crate::{Run, Scratch, exitpath, git};

/// A repository of two releases. The first has a risk that is not extended to the second: a
/// pre-existing finding.
fn repository(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("version", "1.1.0\n");
    scratch.write("raw/metadata.json", "{}\n");
    let channel = "name: candidate-4.14\nversions:\n- 4.13.1\n- 4.14.1\n- 4.14.2\n";
    scratch.write("channels/candidate-4.14.yaml", channel);
    scratch.write("blocked-edges/4.14.1-ExampleRisk.yaml", risk("4.14.1", "ExampleRisk"));
    let ended = risk("4.14.1", "EndedRisk") + "fixedIn: 4.14.2\n";
    scratch.write("blocked-edges/4.14.1-EndedRisk.yaml", ended);
    git(scratch.path(), &["init", "-q"]);
    commit(&scratch, "base");
    scratch
}

fn risk(to: &str, name: &str) -> String {
    format!(
        "to: {to}\nfrom: 4[.]13[.].*\nurl: https://example.com/bugs/{name}\nname: {name}\nmessage: {name} breaks it.\nmatchingRules:\n- type: Always\n"
    )
}

fn commit(scratch: &Scratch, message: &str) {
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-qm", message]);
}

fn check(scratch: &Scratch, arguments: &[&str]) -> (Run, Vec<(String, String, String)>) {
    let repository = scratch.path().to_str().unwrap();
    let start = ["check", "--repo", repository, "--format", "json"];
    let run = exitpath(start.iter().chain(arguments));
    let report: Value = serde_json::from_str(&run.out).unwrap_or_default();
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let found = findings.iter().map(|f| (text(f, "severity"), text(f, "rule"), text(f, "path")));
    (run, found.collect())
}

fn finding(severity: &str, rule: &str, path: &str) -> (String, String, String) {
    (severity.to_owned(), rule.to_owned(), path.to_owned())
}

#[test]
fn pre_existing_findings_are_counted_and_new_ones_reported() {
    let scratch = repository("new");
    let here = "blocked-edges/4.14.1-ExampleRisk.yaml";
    let (_, pre_existing) = check(&scratch, &[]);
    assert_eq!(pre_existing, [finding("warning", "risk-not-extended", here)]);
    let (run, findings) = check(&scratch, &["--base", "HEAD"]);
    assert_eq!((run.status, findings), (0, vec![]));
    assert!(run.out.contains("\"pre_existing\": 1"), "{}", run.out);

    // The same problem is an error if the change adds it.
    let other = "blocked-edges/4.14.1-OtherRisk.yaml";
    scratch.write(other, risk("4.14.1", "OtherRisk"));
    let (run, findings) = check(&scratch, &["--base", "HEAD"]);
    assert_eq!(findings, [finding("error", "risk-not-extended", other)]);
    assert_eq!(run.status, 1);

    // The config overrides that.
    scratch.write("exitpath.toml", "[rules]\nrisk-not-extended = \"info\"\n");
    let (run, findings) = check(&scratch, &["--base", "HEAD", "--config-from", "change"]);
    assert_eq!(findings, [finding("info", "risk-not-extended", other)]);
    assert_eq!(run.status, 0);
}

#[test]
fn a_renamed_file_keeps_its_findings() {
    let scratch = repository("renamed");
    let new = "blocked-edges/4.14.1-ExampleRisk-for-all.yaml";
    let folder = scratch.path();
    fs::rename(folder.join("blocked-edges/4.14.1-ExampleRisk.yaml"), folder.join(new)).unwrap();
    commit(&scratch, "rename");
    let (_, findings) = check(&scratch, &["--base", "HEAD~1"]);
    assert_eq!(findings, [], "the gap is not new, and the risk is not dropped");
}

#[test]
fn the_base_is_the_merge_base() {
    let scratch = repository("parted");
    scratch.write("blocked-edges/4.14.1.yaml", "to: 4.14.1\nfrom: 4[.]13[.].*[+]arm64\n");
    commit(&scratch, "a block");
    git(scratch.path(), &["checkout", "-qb", "topic"]);
    scratch.write("blocked-edges/4.14.2-ExampleRisk.yaml", risk("4.14.2", "ExampleRisk"));
    commit(&scratch, "topic");
    git(scratch.path(), &["checkout", "-q", "main"]);
    fs::remove_file(scratch.path().join("blocked-edges/4.14.1.yaml")).unwrap();
    commit(&scratch, "main goes on");
    // Compared with the newest main, the topic would seem to add the block again.
    let (_, findings) = check(&scratch, &["--rev", "topic", "--base", "main"]);
    assert_eq!(findings, []);
    let (_, findings) = check(&scratch, &["--rev", "main", "--base", "main~1"]);
    let dropped = finding("warning", "dropped-risk", "blocked-edges/4.14.1.yaml");
    assert_eq!(findings, [dropped]);
}

#[test]
fn a_missing_base_is_an_error_in_one_line() {
    let scratch = repository("base");
    let (run, _) = check(&scratch, &["--base", "no-such-branch"]);
    assert_eq!(run.status, 2);
    assert!(
        run.err.contains("no-such-branch") && run.err.contains("its branches are"),
        "{}",
        run.err
    );
    let (run, _) = check(&scratch, &["--base", "--help"]);
    assert_eq!(run.status, 2, "{}", run.out);

    // Unrelated histories have no common ancestor: the revision itself is the base, with a note.
    git(scratch.path(), &["checkout", "-q", "--orphan", "unrelated"]);
    commit(&scratch, "from nothing");
    let (run, findings) = check(&scratch, &["--base", "main"]);
    assert_eq!((run.status, findings), (0, vec![]));
    assert!(run.err.contains("the merge base with main is unknown"), "{}", run.err);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);

    // A clone with only its newest commit.
    let shallow = Scratch::new("shallow");
    let from = format!("file://{}", scratch.path().display());
    let to = shallow.path().join("clone");
    let mut clone = crate::shared::scratch::git_command();
    clone.args(["clone", "-q", "--depth", "1"]).arg(&from).arg(&to);
    assert!(clone.status().unwrap().success());
    let run = exitpath(["check", "--repo", to.to_str().unwrap(), "--base", "HEAD~1"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("--unshallow"), "{}", run.err);
}

#[test]
fn base_needs_git() {
    let scratch = Scratch::new("no-git");
    scratch.write("version", "1.1.0\n");
    scratch.write("channels/stable-4.14.yaml", "name: stable-4.14\nversions: []\n");
    let (run, _) = check(&scratch, &["--base", "main"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("git"), "{}", run.err);
}
