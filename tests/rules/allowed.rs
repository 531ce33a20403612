//! A comment allows the findings of most rules. `explain` says of which.

use std::fs;
use std::path::{Path, absolute};

use exitpath::testing::rules::{Check, Rule};
use serde_json::Value;

use crate::shared::rule_examples::{FIXTURES, is_about_catalogs, server_of};
use crate::shared::run::exitpath;
use crate::shared::scratch::Scratch;

pub(crate) fn judge(rule: &Rule) {
    if is_about_other_input(rule) {
        return;
    }
    let scratch = Scratch::copy_of("allowed", &Path::new(FIXTURES).join(rule.name).join("bad"));
    let before = findings(rule, scratch.path());
    let file = scratch.path().join(before[0]["path"].as_str().unwrap());
    // A missing file cannot have a comment, and a comment in JSON would break the file.
    if !file.is_file() || file.ends_with("version") || file.ends_with("metadata.json") {
        assert!(!rule.is_allowed_by_comments(), "no comment can allow the rule");
        return;
    }
    let comment = format!("# exitpath: allow({}): it is a test\n", rule.name);
    let text = fs::read(&file).unwrap();
    fs::write(&file, [comment.as_bytes(), &text].concat()).unwrap();
    let is_allowed = findings(rule, scratch.path()).len() < before.len();
    assert_eq!(is_allowed, rule.is_allowed_by_comments(), "a comment allows the finding");
}

/// Whether the example is not one repository.
fn is_about_other_input(rule: &Rule) -> bool {
    matches!(
        rule.check,
        Check::Graph(_)
            | Check::Change(_)
            | Check::UpdatesChange(_)
            | Check::CatalogChange(_)
            | Check::Allow(_)
    )
}

/// The findings of a rule in a repository or a catalog.
fn findings(rule: &Rule, folder: &Path) -> Vec<Value> {
    let folder = folder.to_str().unwrap();
    let releases =
        if matches!(rule.check, Check::Exits(..)) { "patches.json" } else { "none.json" };
    let releases = absolute(Path::new("fixtures/graphs").join(releases)).unwrap();
    let releases = releases.to_str().unwrap();
    let run = if is_about_catalogs(rule) {
        exitpath(["catalog", "check", folder, "--format", "json"])
    } else if rule.needs_server() {
        let (server, releases) = (server_of(rule), ["--releases", releases]);
        let command = ["check", folder, "--url", &server.url, "--format", "json"];
        exitpath([&command[..], &releases].concat())
    } else {
        exitpath(["check", folder, "--releases", releases, "--format", "json"])
    };
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let all = report["findings"].as_array().unwrap().iter();
    all.filter(|finding| finding["rule"] == rule.name).cloned().collect()
}
