//! `exitpath check` finds everything that the data repository's own scripts refuse.

use std::fs;
use std::path::Path;

use crate::{Scratch, exitpath};

const RISK: &str = "\
to: 4.15.1
from: 4[.]14[.].*
url: https://issues.example.com/browse/BUG-1
name: ExampleRisk
message: Some clusters lose something.
matchingRules:
- type: Always
";

/// Checks a repository with one more file.
fn check_with_file(file: &str, text: &str) -> (u8, String) {
    let scratch = Scratch::copy_of("scripts", Path::new("fixtures/graph-data"));
    // Its url is vague.
    fs::remove_file(scratch.path().join("blocked-edges/4.15.0-EtcdSlowStart.yaml")).unwrap();
    scratch.write(&format!("blocked-edges/{file}"), text);
    let run = exitpath(["check".as_ref(), scratch.path().as_os_str()]);
    (run.status, run.out)
}

#[test]
fn check_finds_what_validate_blocked_edges_refuses() {
    let file = "4.15.1-ExampleRisk.yaml";
    let (clean, out) = check_with_file(file, RISK);
    assert_eq!(clean, 0, "{out}");
    let without = |key: &str| {
        let lines: Vec<&str> = RISK.lines().filter(|line| !line.starts_with(key)).collect();
        lines.join("\n")
    };
    let cases = [
        (file, without("to:")),
        (file, without("from:")),
        (file, without("url:")),
        (file, without("name:")),
        (file, without("message:")),
        (file, without("- type:")),
        ("4.15.2-ExampleRisk.yaml", RISK.to_owned()),
        ("4.15.1-ExampleRisk.yml", RISK.to_owned()),
        (file, RISK.replace("https:", "http:")),
        (file, RISK.replace("ExampleRisk", "example risk")),
        (file, RISK.replace("Some clusters", "[Some]")),
        (file, format!("{RISK}- type: Always\n")),
        (file, format!("{RISK}  promql: {{promql: up}}\n")),
        (file, format!("{RISK}  other: key\n")),
        (file, RISK.replace("Always", "PromQL")),
        (file, RISK.replace("Always", "PromQL\n  promql: {promql: up, other: key}")),
        ("4.15.1-VSphere.yaml", RISK.replace("ExampleRisk", "VSphereNodesLoseTheirNames")),
    ];
    for (file, text) in cases {
        let (refused, out) = check_with_file(file, &text);
        assert_eq!(refused, 1, "{file}:\n{text}\n{out}");
    }
}
