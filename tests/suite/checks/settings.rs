//! A change cannot switch off the check that judges it.

use crate::shared::scratch::git;
use crate::{Run, Scratch, exitpath};

const CHANNEL: &str = "name: stable-4.1\nversions:\n- 4.1.0\n- 4.1.1\n";
/// `to` is not a version.
const WRONG: &str = "to: 4.1\nfrom: 4[.]1[.]0\n";

/// A repository with a commit.
fn repository(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("version", "1.1.0\n");
    scratch.write("raw/metadata.json", "{}\n");
    scratch.write("channels/stable-4.1.yaml", CHANNEL);
    scratch.write("blocked-edges/4.1.1.yaml", "to: 4.1.1\nfrom: 4[.]1[.]0\n");
    git(scratch.path(), &["init", "-q"]);
    commit(&scratch);
    scratch
}

fn commit(scratch: &Scratch) {
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "-m", "x"]);
}

fn check(scratch: &Scratch, more: &[&str]) -> Run {
    let root = scratch.path().to_str().unwrap();
    exitpath([&["check", root, "--no-graph"][..], more].concat())
}

/// The rule that finds the mistake.
fn rule_of(scratch: &Scratch) -> String {
    let report = check(scratch, &["--format", "json"]).out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    report["findings"][0]["rule"].as_str().unwrap().to_owned()
}

#[test]
fn the_config_of_the_base_decides() {
    let scratch = repository("settings-config");
    scratch.write("blocked-edges/4.1.1.yaml", WRONG);
    let rule = rule_of(&scratch);
    scratch.write("exitpath.toml", format!("[rules]\n{rule} = \"off\"\nvague-url = \"off\"\n"));
    commit(&scratch);
    assert_eq!(check(&scratch, &[]).status, 0, "without a base, the file decides");
    for revision in [&["--base", "HEAD~1"][..], &["--base", "HEAD~1", "--rev", "HEAD"]] {
        let run = check(&scratch, revision);
        assert_eq!(run.status, 1, "{}{}", run.out, run.err);
        let first = "exitpath: this change adds exitpath.toml: 2 rules are newly ignored; \
                     the settings of the base apply";
        assert!(run.err.starts_with(first), "{}", run.err);
        let run = check(&scratch, &[revision, &["--config-from", "change"]].concat());
        assert_eq!(run.status, 0, "{}{}", run.out, run.err);
        let first = "exitpath: this change adds exitpath.toml: 2 rules are newly ignored; \
                     the new settings apply";
        assert!(run.err.starts_with(first), "{}", run.err);
    }
    // The note is in the comment on the pull request, too, and `--quiet` keeps it.
    let markdown = check(&scratch, &["--base", "HEAD~1", "--format", "markdown"]).out;
    assert!(markdown.contains("**this change adds exitpath.toml: 2 rules"), "{markdown}");
    for format in ["json", "sarif"] {
        let report = check(&scratch, &["--base", "HEAD~1", "--format", format]).out;
        assert!(report.contains("\"this change adds exitpath.toml: 2 rules"), "{report}");
    }
    assert!(check(&scratch, &["--base", "HEAD~1", "--quiet"]).err.contains("newly ignored"));
    // A later change has that file as its base.
    scratch.write("blocked-edges/4.1.1.yaml", format!("{WRONG}# more\n"));
    let run = check(&scratch, &["--base", "HEAD"]);
    assert_eq!((run.status, run.err.contains("exitpath.toml")), (0, false), "{}", run.err);
}

#[test]
fn each_way_to_weaken_a_check_is_named() {
    let scratch = repository("settings-words");
    scratch.write("exitpath.toml", "fail-on = \"warning\"\n[rules]\nvague-url = \"error\"\n");
    commit(&scratch);
    for (text, words) in [
        (
            "fail-on = \"never\"\n[rules]\nvague-url = \"error\"\n",
            ": fewer findings fail the check;",
        ),
        (
            "fail-on = \"warning\"\n[rules]\nvague-url = \"info\"\n",
            ": 1 rule has a lower severity;",
        ),
        (
            "fail-on = \"warning\"\n[rules]\nvague-url = \"error\"\n[[ignore]]\npaths = [\"x\"]\n\
             rules = [\"vague-url\"]\nreason = \"y\"\n",
            ": 1 rule is newly ignored;",
        ),
        (
            "fail-on = \"warning\"\n# more\n[rules]\nvague-url = \"error\"\n",
            "this change edits exitpath.toml; the settings",
        ),
    ] {
        scratch.write("exitpath.toml", text);
        let err = check(&scratch, &["--base", "HEAD"]).err;
        assert!(err.contains(words), "{text}: {err}");
    }
    std::fs::remove_file(scratch.path().join("exitpath.toml")).unwrap();
    let err = check(&scratch, &["--base", "HEAD"]).err;
    assert!(err.contains("this change removes exitpath.toml"), "{err}");
}

#[test]
fn the_baseline_of_the_base_decides() {
    let scratch = repository("settings-baseline");
    let file = scratch.path().join("known.json");
    let file = file.to_str().unwrap();
    scratch.write("exitpath.toml", "baseline = \"known.json\"\n");
    check(&scratch, &["--write-baseline"]);
    commit(&scratch);
    scratch.write("blocked-edges/4.1.1.yaml", WRONG);
    check(&scratch, &["--write-baseline"]);
    assert_eq!(check(&scratch, &[]).status, 0, "the new baseline hides the mistake");
    for flags in [&["--base", "HEAD"][..], &["--base", "HEAD", "--baseline", file]] {
        let run = check(&scratch, flags);
        assert_eq!(run.status, 1, "{}{}", run.out, run.err);
        assert!(run.err.contains("this change hides "), "{}", run.err);
        assert!(
            run.err.contains(" more in known.json; the settings of the base apply"),
            "{}",
            run.err
        );
        let run = check(&scratch, &[flags, &["--config-from", "change"]].concat());
        assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    }
    // A file that is in no commit is not the change's.
    let outside = Scratch::new("settings-outside");
    let copy = outside.write("known.json", std::fs::read(file).unwrap());
    let run = check(&scratch, &["--base", "HEAD", "--baseline", copy.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
}

#[test]
fn comments_that_allow_a_finding_are_counted() {
    let scratch = repository("settings-comments");
    scratch.write("blocked-edges/4.1.1.yaml", WRONG);
    let rule = rule_of(&scratch);
    let allowed = format!("# exitpath: allow({rule}): for a test\n{WRONG}");
    scratch.write("blocked-edges/4.1.1.yaml", allowed);
    let run = check(&scratch, &["--base", "HEAD"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    assert!(run.err.contains("exitpath: comments of this change allow 1 finding\n"), "{}", run.err);
    commit(&scratch);
    scratch.write("channels/stable-4.1.yaml", format!("{CHANNEL}- 4.1.2\n"));
    let run = check(&scratch, &["--base", "HEAD"]);
    assert!(!run.err.contains("comments of this change"), "{}", run.err);
}

#[test]
fn whose_settings_decide_is_a_question_only_with_a_base() {
    let scratch = repository("settings-flag");
    let run = check(&scratch, &["--config-from", "change"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("--base"), "{}", run.err);
}
