//! The command line: arguments, output, and exit status.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{Scratch, exitpath};

const GOOD: &str = "fixtures/graph-data";
const BAD: &str = "fixtures/rules/missing-key/bad";

fn rules(arguments: &[&str]) -> Vec<String> {
    let run = exitpath([&["check"], arguments, &["--format", "json"]].concat());
    let report: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}", run.err));
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_status_follows_the_threshold() {
    assert_eq!(exitpath(["check", BAD]).status, 1);
    assert_eq!(exitpath(["check", BAD, "--fail-on", "never"]).status, 0);
    assert_eq!(exitpath(["check", GOOD]).status, 0, "warnings do not fail by default");
    assert_eq!(exitpath(["check", GOOD, "--fail-on", "warning"]).status, 1);
}

#[test]
fn usage_errors_say_what_to_do() {
    for (arguments, words) in [
        (vec!["check", "/"], "no graph-data repository in / or above it"),
        (vec!["check", "/"], "name its folder with `--repo DIR`"),
        (vec!["check", "nowhere"], "there is no file or folder nowhere"),
        (vec!["check", "--repo", "nowhere"], "nowhere does not exist"),
        (vec!["check", "--repo", GOOD, BAD], "is not in the repository"),
        (vec!["check", GOOD, "--format", "yaml"], "possible values: human, concise, json, github"),
        (vec!["check", GOOD, "--select", "vage-url"], "Did you mean `vague-url`?"),
        (
            vec!["check", GOOD, "--baseline", "nowhere.json"],
            "cannot read the baseline nowhere.json",
        ),
        (vec!["check", GOOD, "--output", "/nowhere/x.txt"], "cannot write /nowhere/x.txt"),
        (vec!["explain", "vage-url"], "did you mean `vague-url`?"),
        (vec!["check", GOOD, "--diff"], "--fix"),
    ] {
        let run = exitpath(arguments.clone());
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.err.contains(words), "{arguments:?}: {}", run.err);
        assert_eq!(run.out, "", "{arguments:?}");
    }
}

#[test]
fn paths_limit_the_findings_but_not_the_files_read() {
    let file = format!("{BAD}/blocked-edges/4.14.2.yaml");
    assert_eq!(rules(&[&file]), ["missing-key"]);
    assert_eq!(rules(&[&format!("{BAD}/channels")]), Vec::<String>::new());
    // A finding is also shown for the other file that it names.
    let pair = "fixtures/rules/duplicate-risk/bad/blocked-edges/4.14.3-ExampleRisk.yaml";
    assert_eq!(rules(&[pair]), ["duplicate-risk"]);
}

#[test]
fn rules_are_selected_and_ignored_by_code_name_and_family() {
    assert_eq!(rules(&[BAD, "--select", "EP022"]).len(), 2);
    assert_eq!(rules(&[BAD, "--select", "structure", "--ignore", "missing-key"]).len(), 0);
}

#[test]
fn without_the_update_graph_a_note_lists_the_skipped_rules() {
    let releases = ["--releases", "fixtures/graphs/none.json"];
    for (flags, is_old) in [(&["--no-graph"][..], false), (&["--ignore", "graph"], true)] {
        let run = exitpath([&["check", GOOD][..], flags, &releases].concat());
        let words = "not checked without the update graph: from-never-applies, ";
        assert!(run.err.contains(words), "{}", run.err);
        let is_noted = run.err.contains("`--ignore graph` is now called `--no-graph`");
        assert_eq!(is_noted, is_old, "{}", run.err);
    }
    let run = exitpath(["check", GOOD, "--no-graph", "-q"]);
    assert_eq!(run.err, "");
}

#[test]
fn the_config_sets_severities_ignores_and_the_threshold() {
    let scratch = Scratch::copy_of("config", Path::new(GOOD));
    let root = scratch.path().to_str().unwrap().to_owned();
    let with = |config: &str| {
        scratch.write("exitpath.toml", config);
        exitpath(["check", &root])
    };
    assert_eq!(with("[rules]\nvague-url = \"error\"").status, 1);
    assert_eq!(with("fail-on = \"warning\"").status, 1);
    assert!(with("[rules]\nrisk = \"off\"").out.contains("no findings"));
    let ignored = with("[[ignore]]\npaths = [\"blocked-edges/4.15.*\"]\nreason = \"known\"");
    assert!(ignored.out.contains("1 finding hidden"), "{}", ignored.out);
    let broken = with("[rules\n");
    assert_eq!(broken.status, 2);
    assert!(broken.err.contains("exitpath.toml"), "{}", broken.err);
}

#[test]
fn a_baseline_recognizes_findings_on_other_lines() {
    let scratch = Scratch::copy_of("baseline", Path::new(GOOD));
    let root = scratch.path().to_str().unwrap().to_owned();
    let file = scratch.path().join("known.json").to_str().unwrap().to_owned();
    let check = |more: &[&str]| exitpath([&["check", &root, "--baseline", &file], more].concat());
    assert_eq!(check(&["--write-baseline"]).status, 0);
    let written = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert!(exitpath::testing::schema::BASELINE.validator().is_valid(&written), "{written}");
    assert_eq!(check(&["--fail-on", "info"]).status, 0);

    let risk = scratch.path().join("blocked-edges/4.15.0-EtcdSlowStart.yaml");
    let text = fs::read_to_string(&risk).unwrap();
    fs::write(&risk, format!("# one line more\n{text}")).unwrap();
    assert_eq!(check(&["--fail-on", "info"]).status, 0, "the line moved, the finding is the same");
    fs::write(&risk, text.replace("status.example.com", "other.example.com")).unwrap();
    assert_eq!(check(&["--fail-on", "info"]).status, 1, "another url is another finding");
}

#[test]
fn a_baseline_contains_findings_that_are_not_shown() {
    let scratch = Scratch::copy_of("many", Path::new(GOOD));
    let versions: Vec<String> = (0..300).map(|i| format!("- 4.14.{i}-nightly\n")).collect();
    let versions = versions.concat();
    scratch
        .write("channels/nightly-4.14.yaml", format!("name: nightly-4.14\nversions:\n{versions}"));
    let root = scratch.path().to_str().unwrap().to_owned();
    assert!(exitpath(["check", &root]).out.contains("100 findings omitted"));
    assert_eq!(exitpath(["check", &root, "--write-baseline"]).status, 0);
    let file = scratch.path().join("exitpath-baseline.json").to_str().unwrap().to_owned();
    assert_eq!(exitpath(["check", &root, "--baseline", &file, "--fail-on", "info"]).status, 0);
    assert_eq!(exitpath(["check", &root, "--select", "risk", "--write-baseline"]).status, 2);
}

#[test]
fn help_and_version_succeed() {
    for arguments in [["--help"], ["--version"]] {
        let run = exitpath(arguments);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        assert!(run.out.contains("exitpath"));
    }
}

#[test]
fn rules_can_be_listed_and_explained() {
    let list = exitpath(["rules"]).out;
    for rule in exitpath::testing::rules::RULES {
        assert!(list.contains(rule.name) && list.contains(rule.code));
        let explained = exitpath(["explain", rule.code]);
        assert_eq!(explained.out, exitpath(["explain", rule.name]).out);
        assert!(explained.out.contains(rule.explanation));
    }
    assert!(serde_json::from_str::<Value>(&exitpath(["rules", "--format", "json"]).out).is_ok());
}

/// The commands in the help: the lines between its usage and its flags.
fn commands() -> Vec<String> {
    let help = exitpath(["--help"]).out;
    let (_, list) = help.split_once("Usage:").unwrap();
    let (list, _) = list.split_once("\nGlobal options:").unwrap();
    let lines = list.lines().filter_map(|line| line.strip_prefix("  "));
    let commands = lines.filter_map(|line| line.split(' ').next());
    commands.filter(|name| !name.is_empty() && !name.starts_with('-')).map(str::to_owned).collect()
}

#[test]
fn completions_and_the_manual_name_every_command() {
    let (commands, manual) = (commands(), exitpath(["man"]).out);
    assert!(commands.len() > 8, "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = exitpath(["completions", shell]).out;
        for command in &commands {
            assert!(script.contains(command), "{shell} does not complete {command}");
        }
        assert!(script.contains("fail-on"), "{shell} does not complete flags");
    }
    for command in &commands {
        let section = format!("\n.SH \"EXITPATH {}\"\n", command.to_uppercase());
        assert_eq!(manual.matches(&section).count(), 1, "{command}");
    }
    assert!(manual.starts_with(".TH EXITPATH 1 ") && manual.is_ascii(), "{manual}");
    // A flag of one command is in its section. A flag of all commands is there once.
    assert!(manual.contains("\\-\\-supported\\-days"));
    assert_eq!(manual.matches("NO_COLOR").count(), 1);
}

/// As in `exitpath … | head`.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_exitpath"))
        .args(["rules", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(141), "as of a program that SIGPIPE ends");
}

#[test]
fn colors_can_be_forced_without_a_terminal() {
    let colors = |variables: &[(&str, &str)]| {
        let mut check = Command::new(env!("CARGO_BIN_EXE_exitpath"));
        check
            .args(["check", BAD, "--no-graph"])
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied());
        check.output().unwrap().stdout.contains(&0x1b)
    };
    assert!(!colors(&[]));
    assert!(colors(&[("CLICOLOR_FORCE", "1")]));
    assert!(!colors(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn the_repository_is_found_from_a_subfolder() {
    let output = Command::new(env!("CARGO_BIN_EXE_exitpath"))
        .arg("check")
        .current_dir(Path::new(BAD).join("channels"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
}
