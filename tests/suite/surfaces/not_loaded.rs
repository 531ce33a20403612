//! What the update service does not load: every command that builds a graph says it, first.

use std::path::Path;

use serde_json::Value as Json;

use crate::{Scratch, exitpath};

const COMMANDS: &[&[&str]] = &[
    &["simulate"],
    &["path", "4.14.1", "4.15.0"],
    &["graph", "--channel", "stable-4.15"],
    &["cluster", "--version", "4.14.1", "--channel", "stable-4.15", "--sample", "aws"],
    &["channels"],
];

fn run(scratch: &Scratch, command: &[&str], more: &[&str]) -> crate::Run {
    let root = scratch.path().to_str().unwrap();
    let mut arguments = command.to_vec();
    arguments.extend(["--repo", root]);
    if command[0] != "channels" {
        arguments.extend(["--releases", "fixtures/graphs/releases.json"]);
    }
    arguments.extend(more);
    exitpath(arguments)
}

fn fixture(name: &str) -> Scratch {
    Scratch::copy_of(name, Path::new("fixtures/graph-data"))
}

#[test]
fn every_command_says_what_the_service_does_not_load() {
    let cases: [(&str, &str, &str); 4] = [
        (
            "blocked-edges/4.15.0-Zero.yaml",
            "to: 4.15.0\nfrom: .*\nname: Zero\nmessage: \"open\n",
            "does not load it",
        ),
        ("version", "7.0.0\n", "so it builds no new graph"),
        ("raw/metadata.json", "{", "so it builds no new graph"),
        (
            "channels/Odd_4.15.yaml",
            "name: Odd_4.15\nversions:\n- 4.15.0\n",
            "clusters cannot request the channel `Odd_4.15`",
        ),
    ];
    for (path, text, words) in cases {
        let scratch = fixture("not-loaded");
        scratch.write(path, text);
        for command in COMMANDS {
            let run = run(&scratch, command, &[]);
            let first = run.err.lines().next().unwrap_or_default();
            assert!(first.starts_with(&format!("exitpath: {path}")), "{command:?}: {}", run.err);
            assert!(first.contains(words), "{command:?}: {first}");
        }
    }
}

#[test]
fn a_missing_file_is_said_too() {
    let scratch = fixture("not-loaded-missing");
    std::fs::remove_file(scratch.path().join("version")).unwrap();
    for command in COMMANDS {
        let run = run(&scratch, command, &["-q"]);
        assert!(run.err.starts_with("exitpath: version is missing"), "{command:?}: {}", run.err);
    }
}

#[test]
fn a_simulation_of_another_graph_is_no_pass() {
    let scratch = fixture("not-loaded-simulate");
    let before = run(&scratch, &["simulate"], &["--fail-on", "error"]);
    scratch.write("blocked-edges/4.15.0-Zero.yaml", "to: 4.15.0\nfrom: \"open\n");
    let after = run(&scratch, &["simulate"], &["--fail-on", "error"]);
    assert_eq!((before.status, after.status), (0, 1), "{}", after.out);
    let words = "✗ the service does not serve this graph, because of 1 file; ";
    assert!(after.out.starts_with(words), "{}", after.out);
    assert_eq!(run(&scratch, &["simulate"], &["--fail-on", "never"]).status, 0);
    let json = run(&scratch, &["simulate"], &["--format", "json"]);
    let json: Json = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["not_loaded"].as_array().unwrap().len(), 1);
    let path = run(&scratch, &["path", "4.14.1", "4.15.0"], &["--format", "json"]);
    let path: Json = serde_json::from_str(&path.out).unwrap();
    assert_eq!(path["not_loaded"], json["not_loaded"]);
}
