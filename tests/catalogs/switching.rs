//! Subscriptions that switch to another channel, and catalogs side by side.

use std::path::Path;
use std::process::Output;

use exitpath::testing::schema::{CATALOG_DIFF, CATALOG_PATH, CATALOG_SWITCH};
use serde_json::Value as Json;

use crate::commands::json;
use crate::shared::run::{exitpath_at, words};
use crate::shared::scratch::Scratch;

const CHANNELS: &str = "fixtures/catalogs/channels";
const NOW: &str = "fixtures/rules/next-without-update/bad/v4.20";
const NEXT: &str = "fixtures/rules/next-without-update/bad/v4.21";

fn catalog(arguments: &[&str]) -> Output {
    exitpath_at(Path::new("."), &[&["catalog"], arguments].concat())
}

/// What becomes of each install that switches, as `FROM NAME TO RESULT`.
fn switches(more: &[&str]) -> Vec<String> {
    let arguments = [&["catalog", "switch", CHANNELS, "--format", "json"], more].concat();
    let report = json(&arguments, Path::new("."), &CATALOG_SWITCH);
    let mut found = Vec::new();
    for switch in report["packages"][0]["switches"].as_array().unwrap() {
        let word = |of: &Json, key: &str| of[key].as_str().unwrap().to_owned();
        for install in switch["installs"].as_array().unwrap() {
            let (from, to) = (word(switch, "from"), word(switch, "to"));
            let (name, result) = (word(install, "name"), word(install, "result"));
            found.push(format!("{from} {} {to} {result}", name.trim_start_matches("lighthouse.")));
        }
    }
    found
}

#[test]
fn each_entry_can_switch_or_not() {
    assert_eq!(
        switches(&[]),
        [
            "candidate v2.1.0 stable-1 newer-than-head",
            "candidate v3.0.0 stable-1 newer-than-head",
            "candidate v2.1.0 stable-2 gets-to-head",
            "candidate v3.0.0 stable-2 newer-than-head",
            "stable-1 v1.0.0 candidate stuck",
            "stable-1 v1.1.0 candidate stuck",
            "stable-1 v1.0.0 stable-2 gets-to-head-if-updated",
            "stable-1 v1.1.0 stable-2 gets-to-head",
            "stable-2 v2.0.0 candidate gets-to-head-if-updated",
            "stable-2 v2.1.0 candidate gets-to-head",
            "stable-2 v2.0.0 stable-1 newer-than-head",
            "stable-2 v2.1.0 stable-1 newer-than-head",
        ]
    );
    assert_eq!(switches(&["--from-channel", "stable-1", "--channel", "stable-2"]).len(), 2);
}

#[test]
fn a_path_switches_the_channel_first() {
    let path = |more: &[&str]| {
        let arguments = [&["catalog", "path", CHANNELS, "--format", "json"], more].concat();
        json(&arguments, Path::new("."), &CATALOG_PATH)["paths"][0].clone()
    };
    let to_stable = ["--from-channel", "stable-1", "--channel", "stable-2"];
    let from_head = path(&to_stable);
    assert_eq!(from_head["from"], "lighthouse.v1.1.0");
    assert_eq!(from_head["from_channel"], "stable-1");
    assert_eq!(from_head["hops"].as_array().unwrap().len(), 2);
    let from_first = path(&[&["1.0.0"][..], &to_stable].concat());
    let why = from_first["why_not"].as_str().unwrap();
    assert_eq!(why, "update it to lighthouse.v1.1.0 in channel stable-1 first, and switch then");
    let down = path(&["--from-channel", "stable-2", "--channel", "stable-1"]);
    assert!(down["why_not"].as_str().unwrap().starts_with("it is newer than the head"), "{down}");
}

#[test]
fn looking_at_no_switch_is_not_a_pass() {
    for arguments in [
        &["switch", "fixtures/catalogs/skipped-twice"][..],
        &["switch", CHANNELS, "--channel", "stable-3"],
        &["switch", CHANNELS, "--package", "lighthose"],
        &["path", CHANNELS, "--from-channel", "stable-1"],
        &["path", CHANNELS, "--from-channel", "stable-3", "--channel", "stable-2"],
        &["path", CHANNELS, "9.9.9", "--from-channel", "stable-1", "--channel", "stable-2"],
    ] {
        let run = catalog(arguments);
        assert_eq!(run.status.code(), Some(2), "{arguments:?}: {}", words(&run));
    }
}

#[test]
fn two_catalogs_are_compared_without_git() {
    let arguments = ["catalog", "diff", NOW, NEXT, "--format", "json"];
    let report = json(&arguments, Path::new("."), &CATALOG_DIFF);
    let channel = &report["channels"][0];
    assert_eq!(channel["removed"][0], "example.v1.0.0");
    assert_eq!(channel["newly_stuck"][0]["name"], "example.v1.0.0");
    let same = catalog(&["diff", NOW, NOW, "--exit-code"]);
    assert_eq!(same.status.code(), Some(0), "{}", words(&same));
}

#[test]
fn worse_is_only_what_somebody_loses() {
    let worse = catalog(&["diff", NOW, NEXT, "--worse", "--exit-code"]);
    assert_eq!(worse.status.code(), Some(1));
    let text = words(&worse);
    assert!(text.contains("newly stuck: example.v1.0.0"), "{text}");
    assert!(!text.contains("removed entries"), "{text}");
    let better = catalog(&["diff", NEXT, NOW, "--worse", "--exit-code"]);
    assert_eq!(better.status.code(), Some(0), "{}", words(&better));
    assert!(words(&better).contains("no channel is worse than before"));
    assert_eq!(catalog(&["diff", NEXT]).status.code(), Some(2), "there is nothing to compare with");
}

/// In the same catalog, for two versions of OpenShift, each mistake is listed once.
#[test]
fn a_grouped_report_has_each_mistake_once() {
    let folder = Scratch::new("grouped");
    for minor in ["v4.20", "v4.21"] {
        for name in ["dead-end", "unreachable-channel"] {
            let text = std::fs::read_to_string(format!("fixtures/rules/{name}/bad/catalog.yaml"));
            let text = text.unwrap().replace("example", name);
            folder.write(&format!("{minor}/{name}.yaml"), text);
        }
    }
    let run = catalog(&["check", folder.to_str().unwrap(), "--grouped"]);
    let text = words(&run);
    assert_eq!(
        text.matches("dead-end, channel stable: 2 installs in v4.20 and v4.21").count(),
        1,
        "{text}"
    );
    let (error, warning) = (text.find("✗ OC101").unwrap(), text.find("⚠ OC137").unwrap());
    assert!(error < warning, "{text}");
    let markdown =
        catalog(&["check", folder.to_str().unwrap(), "--grouped", "--format", "markdown"]);
    assert_eq!(words(&markdown).matches("| error |").count(), 1, "{}", words(&markdown));
    let json = catalog(&["check", folder.to_str().unwrap(), "--grouped", "--format", "json"]);
    assert_eq!(json.status.code(), Some(2), "{}", words(&json));
}

/// Catalogs of several repositories are one report, and their settings are not ignored silently.
#[test]
fn catalogs_of_several_repositories_are_checked_together() {
    let folder = Scratch::new("several");
    for name in ["one", "two"] {
        let text = std::fs::read_to_string("fixtures/rules/dead-end/bad/catalog.yaml").unwrap();
        folder.write(&format!("{name}/catalog/catalog.yaml"), text);
        folder.write(&format!("{name}/exitpath.toml"), "");
    }
    let path = |name: &str| folder.join(name).join("catalog").to_str().unwrap().to_owned();
    let run = catalog(&["check", &path("one"), &path("two"), "--grouped"]);
    let text = words(&run);
    assert_eq!(run.status.code(), Some(1), "{text}");
    assert!(text.contains("their settings do not count"), "{text}");
    assert!(text.contains("2 installs in "), "{text}");
    let base = catalog(&["check", &path("one"), &path("two"), "--base", "HEAD"]);
    assert_eq!(base.status.code(), Some(2), "{}", words(&base));
}
