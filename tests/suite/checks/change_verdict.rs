//! What a check of a change must never hide, and where its findings stand.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::shared::real_data;
use crate::shared::scratch::{files_below, git};
use crate::{Run, Scratch, exitpath, real_data::history};

const RELEASES: [&str; 2] = ["--releases", "fixtures/graphs/releases.json"];

/// The example repository, committed.
fn repository(name: &str) -> Scratch {
    let scratch = Scratch::copy_of(name, Path::new("fixtures/graph-data"));
    git(scratch.path(), &["init", "-q"]);
    commit(&scratch);
    scratch
}

fn commit(scratch: &Scratch) {
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "--allow-empty", "-m", "x"]);
}

fn run(scratch: &Scratch, command: &str, more: &[&str]) -> Run {
    let root = scratch.path().to_str().unwrap();
    exitpath([&[command, "--repo", root], &RELEASES[..], more].concat())
}

fn findings(run: &Run) -> Vec<Value> {
    let report: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}{}", run.out, run.err));
    report["findings"].as_array().unwrap().clone()
}

fn check(scratch: &Scratch, more: &[&str]) -> Vec<Value> {
    findings(&run(scratch, "check", &[&["--format", "json"], more].concat()))
}

/// Rule, severity, and path of each finding of some rules.
fn of_rules(found: &[Value], rules: &[&str]) -> Vec<(String, String, String)> {
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let all = found.iter().filter(|one| rules.contains(&one["rule"].as_str().unwrap()));
    all.map(|one| (text(one, "rule"), text(one, "severity"), text(one, "path"))).collect()
}

/// How many findings of each rule are at least so bad.
fn counts(found: &[Value]) -> BTreeMap<(String, &'static str), usize> {
    let mut counts = BTreeMap::new();
    for finding in found {
        let rule = finding["rule"].as_str().unwrap().to_owned();
        if finding["severity"] == "error" {
            *counts.entry((rule.clone(), "error")).or_default() += 1;
        }
        if finding["severity"] != "info" {
            *counts.entry((rule, "warning")).or_default() += 1;
        }
    }
    counts
}

/// A small generator of numbers: the same edits on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }
}

/// One edit, as a person makes it by mistake.
fn edit(scratch: &Scratch, numbers: &mut Numbers) {
    let data: Vec<_> = files_below(scratch.path())
        .into_iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    let file = &data[numbers.below(data.len())];
    let text = fs::read_to_string(file).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = numbers.below(lines.len());
    match numbers.below(7) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            // Another digit.
            let digit = char::from(b'0' + u8::try_from(numbers.below(10)).unwrap());
            let place = lines[at].find(|c: char| c.is_ascii_digit());
            if let Some(place) = place {
                lines[at].replace_range(place..=place, &digit.to_string());
            }
        }
        3 => {
            let place = numbers.below(lines[at].len().max(1));
            if lines[at].is_char_boundary(place) && place < lines[at].len() {
                lines[at].remove(place);
            }
        }
        4 => {
            let other = numbers.below(lines.len());
            lines.swap(at, other);
        }
        5 => return fs::remove_file(file).unwrap(),
        _ => {
            let name = file.file_name().unwrap().to_str().unwrap();
            let copy = file.with_file_name(name.replacen("4.1", "4.2", 1));
            return fs::write(copy, text).unwrap();
        }
    }
    fs::write(file, lines.join("\n") + "\n").unwrap();
}

#[test]
fn a_base_hides_nothing_that_the_change_caused() {
    let scratch = repository("hides");
    let before = counts(&check(&scratch, &[]));
    let mut numbers = Numbers(1);
    let mut new = 0;
    for nth in 0..500 {
        git(scratch.path(), &["checkout", "-q", "--", "."]);
        git(scratch.path(), &["clean", "-qfd"]);
        edit(&scratch, &mut numbers);
        let after = check(&scratch, &[]);
        let found = counts(&check(&scratch, &["--base", "HEAD"]));
        for ((rule, severity), count) in counts(&after) {
            let key = (rule.clone(), severity);
            let more = count.saturating_sub(before.get(&key).copied().unwrap_or_default());
            // Exit paths are the topic of another rule with a base.
            let reported = found.get(&key).copied().unwrap_or_default();
            let is_about_exits = rule == "stranded-release";
            let is_reported = reported >= more || is_about_exits;
            assert!(
                is_reported,
                "edit {nth}: {more} new findings of {rule} ({severity}), {reported} with a base: {after:#?}"
            );
            new += more;
        }
    }
    assert!(new > 300, "{new} findings are too few to show anything");
}

const RISK: &str = "\
from: ^4[.]13[.].*$
url: https://issues.example.com/browse/BUG-9
name: ExampleRisk
message: Nodes of the example platform may not start.
matchingRules:
- type: Always
";

#[test]
fn a_finding_on_several_files_is_the_same_when_one_is_added_or_removed() {
    let scratch = repository("grouped");
    let wrong = RISK.replace("BUG-9", "BUG-9\u{20}").replace(
        "https://issues.example.com/browse/BUG-9 ",
        "https://issues.example.com//browse/BUG-9",
    );
    for to in ["4.14.1", "4.14.2"] {
        scratch
            .write(&format!("blocked-edges/{to}-ExampleRisk.yaml"), format!("to: {to}\n{wrong}"));
    }
    commit(&scratch);
    let standing = check(&scratch, &[]);
    assert_eq!(of_rules(&standing, &["double-slash-url"]).len(), 1, "{standing:#?}");
    // A file that comes first, and then one less.
    scratch.write("blocked-edges/4.14.0-ExampleRisk.yaml", format!("to: 4.14.0\n{wrong}"));
    let found = check(&scratch, &["--base", "HEAD"]);
    assert_eq!(of_rules(&found, &["double-slash-url"]), [], "{found:#?}");
    fs::remove_file(scratch.path().join("blocked-edges/4.14.0-ExampleRisk.yaml")).unwrap();
    fs::remove_file(scratch.path().join("blocked-edges/4.14.1-ExampleRisk.yaml")).unwrap();
    let found = check(&scratch, &["--base", "HEAD"]);
    assert_eq!(of_rules(&found, &["double-slash-url"]), [], "{found:#?}");
}

#[test]
fn a_finding_on_several_files_stands_on_one_of_the_change() {
    let scratch = repository("stands");
    for to in ["4.14.0", "4.14.1"] {
        scratch.write(&format!("blocked-edges/{to}-ExampleRisk.yaml"), format!("to: {to}\n{RISK}"));
    }
    commit(&scratch);
    let changed = "blocked-edges/4.14.2-ExampleRisk.yaml";
    scratch.write(changed, format!("to: 4.14.2\n{}", RISK.replace("may not", "cannot")));
    let found = check(&scratch, &["--base", "HEAD"]);
    let is = |path: &str| ("risk-disagrees".to_owned(), "error".to_owned(), path.to_owned());
    assert_eq!(of_rules(&found, &["risk-disagrees"]), [is(changed)]);
    let message =
        found.iter().find(|one| one["rule"] == "risk-disagrees").unwrap()["message"].clone();
    assert!(message.as_str().unwrap().contains("differs for `4.14.2`"), "{message}");
    // The files that are left behind are odd, and the finding still stands on the change.
    fs::remove_file(scratch.path().join(changed)).unwrap();
    for to in ["4.14.1", "4.14.2", "4.14.3"] {
        let text = format!("to: {to}\n{}", RISK.replace("may not", "cannot"));
        scratch.write(&format!("blocked-edges/{to}-ExampleRisk.yaml"), text);
    }
    let found = check(&scratch, &["--base", "HEAD"]);
    let first = of_rules(&found, &["risk-disagrees"]);
    assert_eq!(first, [is("blocked-edges/4.14.1-ExampleRisk.yaml")]);
}

#[test]
fn data_in_the_wrong_folder_is_an_error() {
    let scratch = repository("misplaced");
    let block = "to: 4.14.3\nfrom: ^4[.]13[.].*$\n";
    for path in
        ["4.14.3.yaml", "blocked_edges/4.14.3.yaml", "blocked-edges/4.14.3.yml", "Channels/x.yaml"]
    {
        let text = if path.starts_with('C') { "name: fast-4.14\nversions: []\n" } else { block };
        scratch.write(path, text);
        for base in [&[][..], &["--base", "HEAD"]] {
            let found = check(&scratch, base);
            let expected = ("ignored-file".to_owned(), "error".to_owned(), path.to_owned());
            assert_eq!(of_rules(&found, &["ignored-file"]), [expected]);
        }
        commit(&scratch);
        let found = check(&scratch, &["--base", "HEAD~1", "--rev", "HEAD"]);
        assert_eq!(of_rules(&found, &["ignored-file"]).len(), 1, "{path}");
        fs::remove_file(scratch.path().join(path)).unwrap();
        commit(&scratch);
    }
    // Files that are not data.
    scratch.write("mkdocs.yaml", "site_name: x\n");
    scratch.write("docs/4.14.3.yaml", block);
    assert_eq!(of_rules(&check(&scratch, &[]), &["ignored-file"]), []);
}

#[test]
fn a_promotion_that_helps_is_advised_and_no_other() {
    let scratch = repository("promote");
    // 4.14.2 is open from 4.14.1, and waits in fast.
    let stable = "channels/stable-4.14.yaml";
    let text = fs::read_to_string(scratch.path().join(stable)).unwrap();
    let without = text.replace("- 4.14.3\n", "");
    assert_ne!(text, without);
    scratch.write(stable, without);
    commit(&scratch);
    let help = |scratch: &Scratch| -> Vec<(String, String)> {
        let found = check(scratch, &["--base", "HEAD"]);
        let stranded = found.iter().filter(|one| one["rule"] == "newly-stranded");
        let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
        stranded.map(|one| (text(one, "severity"), text(one, "help"))).collect()
    };
    scratch.write(
        "blocked-edges/4.14.2-ExampleRisk.yaml",
        format!("to: 4.14.2\n{}", RISK.replace("^4[.]13[.].*$", ".*")),
    );
    let advice = help(&scratch);
    let promotes = |(severity, help): &(String, String)| {
        severity == "warning"
            && help.contains("promote 4.14.3, which waits in `fast-4.14`, to `stable-4.14`")
    };
    assert!(advice.iter().any(promotes), "{advice:#?}");
    // With the risk on 4.14.3, too, nothing helps.
    scratch.write(
        "blocked-edges/4.14.3-ExampleRisk.yaml",
        format!("to: 4.14.3\n{}", RISK.replace("^4[.]13[.].*$", ".*")),
    );
    let advice = help(&scratch);
    assert!(
        !advice.is_empty()
            && advice.iter().all(|(severity, help)| severity == "info" && help.is_empty()),
        "{advice:#?}"
    );
}

#[test]
fn diff_says_what_a_change_is_for() {
    let scratch = repository("for");
    // A release that no channel has yet.
    scratch.write("blocked-edges/4.14.4-ExampleRisk.yaml", format!("to: 4.14.4\n{RISK}"));
    let out = run(&scratch, "diff", &["HEAD"]).out;
    let first = out.lines().next().unwrap();
    assert!(
        first.contains("when 4.14.4 is promoted, `ExampleRisk` will apply to updates from 4.13."),
        "{out}"
    );
    assert!(out.contains("(predicted), not from 4.14."), "{out}");
    fs::remove_file(scratch.path().join("blocked-edges/4.14.4-ExampleRisk.yaml")).unwrap();
    // A feeder.
    let path = "channels/fast-4.14.yaml";
    let text = fs::read_to_string(scratch.path().join(path)).unwrap();
    let (feeder, rest) = text.split_once("name: fast-4.14").unwrap();
    assert!(feeder.contains("feeder:"), "{text}");
    scratch.write(path, format!("name: fast-4.14{rest}"));
    let run_diff = run(&scratch, "diff", &["HEAD", "--exit-code"]);
    assert!(
        run_diff.out.contains("\nPromotions and builds\n  - the bot stops promoting "),
        "{}",
        run_diff.out
    );
    assert!(run_diff.out.contains("it has no feeder any more"), "{}", run_diff.out);
    assert!(!run_diff.out.contains('✓'), "{}", run_diff.out);
    assert_eq!(run_diff.status, 1);
    // A file that no longer loads leads the headline.
    scratch.write(path, text.replace("versions:", "versions"));
    let out = run(&scratch, "diff", &["HEAD"]).out;
    let first = out.lines().next().unwrap();
    assert!(
        first.contains(": channels/fast-4.14.yaml ")
            && first.contains("its clusters lose all updates"),
        "{out}"
    );
    scratch.write(path, &text);
    // Build suggestions.
    let path = "build-suggestions/4.15.yaml";
    let text = fs::read_to_string(scratch.path().join(path)).unwrap();
    scratch.write(path, text.replace("minor_max: 4.14.9999", "minor_max: 4.14.2"));
    let out = run(&scratch, "diff", &["HEAD"]).out;
    assert!(out.contains("`minor_max` was `4.14.9999` and is now `4.14.2`"), "{out}");
}

#[test]
fn data_that_is_too_old_to_check_does_not_pass() {
    let scratch = repository("old");
    scratch.write("exitpath.toml", "[supported]\ndays = 90\n");
    let date = "2020-01-01T00:00:00Z";
    let status = Command::new("git")
        .arg("-C")
        .arg(scratch.path())
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
        .args(["commit", "-q", "-a", "--amend", "--no-edit", "--date", date])
        .env("GIT_COMMITTER_DATE", date)
        .status();
    assert!(status.unwrap().success());
    scratch.write("blocked-edges/4.14.3-ExampleRisk.yaml", format!("to: 4.14.3\n{RISK}"));
    commit(&scratch);
    let root = scratch.path().to_str().unwrap();
    let words = "no release was checked for exit paths: ";
    let alone = exitpath(["check", root]);
    assert!(alone.err.contains(words), "{}", alone.err);
    let asked = exitpath(["check", root, "--select", "stranded-release"]);
    assert_eq!(asked.status, 2, "{}", asked.err);
    assert!(asked.err.contains(words), "{}", asked.err);
    let diff = exitpath(["diff", "HEAD~1", "--repo", root, "--expect", "strands nobody"]);
    assert_eq!(diff.status, 1, "{}{}", diff.out, diff.err);
    assert!(diff.out.contains("no release was checked: "), "{}", diff.out);
}

/// What the data repository's own presubmit refuses is an error.
#[test]
fn the_verdict_is_not_weaker_than_that_of_the_presubmit() {
    let Some(cases) = real_data("presubmit.jsonl") else { return };
    let Some(history) = history() else { return };
    let scratch = Scratch::new("presubmit");
    git(scratch.path(), &["clone", "-q", history.to_str().unwrap(), "."]);
    let mut refused = 0;
    for line in fs::read_to_string(cases).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["accepted"] == true {
            continue;
        }
        refused += 1;
        git(scratch.path(), &["checkout", "-q", "--", "."]);
        git(scratch.path(), &["clean", "-qfd"]);
        if let Some(name) = case["remove"].as_str() {
            fs::remove_file(scratch.path().join("blocked-edges").join(name)).unwrap();
        }
        if let Some(path) = case["write"].as_str() {
            scratch.write(path, case["text"].as_str().unwrap());
        }
        let root = scratch.path().to_str().unwrap();
        let run = exitpath(["check", root, "--base", "HEAD", "--no-graph"]);
        assert_eq!(run.status, 1, "{}: {}{}", case["case"], run.out, run.err);
    }
    assert!(refused > 100, "{refused} refused edits are too few");
}

#[test]
fn the_evidence_for_openshift_ci_has_the_right_verdicts() {
    let Some(history) = history() else { return };
    let output = Command::new("bash")
        .arg("contrib/openshift/evidence.sh")
        .arg(history)
        .arg(env!("CARGO_BIN_EXE_exitpath"))
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{words}{}", String::from_utf8_lossy(&output.stderr));
    let verdicts = |word: &str| words.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!((verdicts("fail "), verdicts("pass ")), (10, 10), "{words}");
}
