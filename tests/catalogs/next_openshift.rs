//! Installs that the catalog of the next OpenShift loses.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

const FIXTURES: &str = "fixtures/rules";

fn check(arguments: &[&str]) -> (Json, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exitpath"));
    command.args(["catalog", "check", "--format", "json"]).args(arguments).stdin(Stdio::null());
    let run = command.output().unwrap();
    let words = String::from_utf8(run.stderr).unwrap();
    (serde_json::from_slice(&run.stdout).unwrap_or_default(), words, run.status.code())
}

/// The rules that find something, with the installs that they concern.
fn found(arguments: &[&str]) -> Vec<(String, usize)> {
    let (report, words, _) = check(arguments);
    let findings = report["findings"].as_array().unwrap_or_else(|| panic!("{words}"));
    let rule = |one: &Json| one["rule"].as_str().unwrap().to_owned();
    findings.iter().map(|one| (rule(one), one["installs"].as_array().map_or(0, Vec::len))).collect()
}

fn folder(rule: &str, minor: &str) -> String {
    Path::new(FIXTURES).join(rule).join("bad").join(minor).display().to_string()
}

#[test]
fn the_next_catalog_is_named_or_beside_the_catalog() {
    for (rule, installs) in
        [("next-without-package", 2), ("next-without-channel", 1), ("next-without-update", 1)]
    {
        let (now, next) = (folder(rule, "v4.20"), folder(rule, "v4.21"));
        let expected = [(rule.to_owned(), installs)];
        assert_eq!(found(&[&now, "--next-catalog", &next]), expected);
        assert_eq!(found(&[&now, "--next-catalog", &format!("4.21={next}")]), expected);
        assert_eq!(found(&[&now, &next]), expected, "both are checked");
        assert_eq!(found(&[&now]), [], "nobody knows the next one");
        assert_eq!(found(&[&next, "--next-catalog", &next]), [], "nothing is lost");
    }
}

#[test]
fn a_next_catalog_must_follow_one() {
    let (now, next) =
        (folder("next-without-update", "v4.20"), folder("next-without-update", "v4.21"));
    let (_, words, status) = check(&[&now, &next, "--next-catalog", &format!("4.19={now}")]);
    assert_eq!(status, Some(2));
    assert!(words.contains("no catalog is for the OpenShift before"), "{words}");
}
