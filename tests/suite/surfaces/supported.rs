//! Which releases are supported: by the product life cycle, by age, or by a range.

use std::fs;

use serde_json::Value;

use crate::{Run, Scratch, exitpath, git};

const GRAPH: &str = "fixtures/graphs/before-the-fix.json";

/// A life cycle in the published form. 4.14 has no extended support here.
const LIFECYCLE: &str = r#"{"data": [{"name": "OpenShift Container Platform 4", "versions": [
    {"name": "4.13", "type": "Maintenance Support", "phases": [
        {"name": "General availability", "end_date": "2023-05-17T00:00:00.000Z"},
        {"name": "Full support", "end_date": "2024-01-31T00:00:00.000Z"},
        {"name": "Maintenance support", "end_date": "2024-11-17T00:00:00.000Z"}]},
    {"name": "4.14", "phases": [
        {"name": "General availability", "end_date": "2023-10-31T00:00:00.000Z"},
        {"name": "Maintenance support", "end_date": "2025-05-01T00:00:00.000Z"},
        {"name": "Extended update support", "end_date": "N/A"}]}]}]}"#;

fn on_graph(arguments: &[&str]) -> Run {
    exitpath(["simulate", "--graph", GRAPH].into_iter().chain(arguments.iter().copied()))
}

/// The number of releases that are checked.
fn checked(run: &Run) -> u64 {
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    report["channels"][0]["checked"].as_u64().unwrap()
}

fn write_lifecycle(scratch: &Scratch) -> String {
    scratch.write("lifecycle.json", LIFECYCLE).to_str().unwrap().to_owned()
}

#[test]
fn the_life_cycle_says_which_minors_are_supported_on_a_day() {
    let scratch = Scratch::new("lifecycle");
    let file = write_lifecycle(&scratch);
    let all = checked(&on_graph(&["--format", "json"]));
    let on = |day: &str| {
        let arguments = ["--lifecycle", &file, "--supported-on", day, "--format", "json"];
        on_graph(&arguments)
    };
    let both = checked(&on("2024-11-17"));
    assert_eq!(both, all);
    let later = checked(&on("2024-11-18"));
    assert!(0 < later && later < both, "4.13 is no longer supported: {later} of {both}");
    let run = on("2025-05-02");
    assert!(run.status == 2 && run.err.contains("nothing was checked"), "{}", run.err);
    let why =
        on_graph(&["--lifecycle", &file, "--supported-on", "2024-02-01", "--explain", "4.13.8"]);
    let words = "4.13.8 is checked: 4.13 is supported until 2024-11-17 (Maintenance support)\n";
    assert!(why.out.starts_with(words), "{}", why.out);
    let why =
        on_graph(&["--lifecycle", &file, "--supported-on", "2024-12-01", "--explain", "4.13.8"]);
    let words = "4.13.8 is not checked: the support of 4.13 ended on 2024-11-17\n";
    assert!(why.out.starts_with(words), "{}", why.out);
}

#[test]
fn a_minor_after_the_life_cycle_is_said() {
    let scratch = Scratch::new("older-lifecycle");
    let without = LIFECYCLE.replace("\"4.14\"", "\"4.12\"");
    let file = scratch.write("lifecycle.json", without);
    let run = on_graph(&["--lifecycle", file.to_str().unwrap(), "--supported-on", "2024-02-01"]);
    assert!(run.out.contains("which does not know 4.14."), "{}{}", run.out, run.err);
    let run = on_graph(&["--supported-on", "2024-02-01"]);
    let table = "Checked: releases of minors in support by the life cycle of 2026-03-01.";
    assert!(run.out.contains(table), "{}{}", run.out, run.err);
}

#[test]
fn what_cannot_be_used_is_an_error() {
    let scratch = Scratch::new("no-lifecycle");
    let file = write_lifecycle(&scratch);
    let broken = scratch.write("broken.json", "{\"data\": [");
    let empty = scratch.write("empty.json", "{\"data\": []}");
    let cases: [(&[&str], &str); 5] = [
        (&["--lifecycle", &file], "name the day with `--supported-on 2026-08-21`"),
        (
            &["--lifecycle", broken.to_str().unwrap(), "--supported-on", "2024-02-01"],
            "it is not JSON",
        ),
        (
            &["--lifecycle", empty.to_str().unwrap(), "--supported-on", "2024-02-01"],
            "it has no phase of a minor version of OpenShift",
        ),
        (&["--supported-on", "2024-02-30"], "write a day like 2026-08-21"),
        (&["--lifecycle", &file, "--supported", "*"], "cannot be used with"),
    ];
    for (arguments, words) in cases {
        let run = on_graph(arguments);
        assert!(run.status == 2 && run.err.contains(words), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn the_config_gives_the_last_day_of_support_of_a_minor() {
    let scratch = Scratch::copy_of("until", "fixtures/graph-data".as_ref());
    scratch.write("releases.json", fs::read("fixtures/graphs/releases.json").unwrap());
    git(scratch.path(), &["init", "--quiet"]);
    git(scratch.path(), &["add", "."]);
    git(scratch.path(), &["commit", "--quiet", "--message", "Add the data"]);
    let root = scratch.path().to_str().unwrap().to_owned();
    let explained = |config: &str| {
        scratch.write("exitpath.toml", format!("releases = [\"releases.json\"]\n{config}"));
        exitpath(["simulate", &root, "--explain", "4.13.10"])
    };
    let run = explained("[supported.until]\n\"4.13\" = \"2099-01-01\"\n");
    let words = "4.13.10 is checked: 4.13 is supported until 2099-01-01 (exitpath.toml)\n";
    assert!(run.out.starts_with(words), "{}{}", run.out, run.err);
    let run = explained("[supported.until]\n\"4.13\" = \"2009-01-01\"\n");
    assert!(run.out.starts_with("4.13.10 is not checked: "), "{}{}", run.out, run.err);
    for wrong in ["\"4.13\" = \"tomorrow\"", "\"v4\" = \"2099-01-01\""] {
        let run = explained(&format!("[supported.until]\n{wrong}\n"));
        assert!(run.status == 2 && run.err.contains("is neither a minor nor a day"), "{}", run.err);
    }
    let run = explained("[supported]\ndays = 9\n[supported.until]\n\"4.13\" = \"2099-01-01\"\n");
    assert!(run.status == 2 && run.err.contains("use only one of them"), "{}", run.err);
}
