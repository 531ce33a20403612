//! Files of Cincinnati JSON: the reader compared with the schema, and `check FILE.json`.

use std::fmt::Write;
use std::fs;

use exitpath::testing::domain::Named;
use exitpath::testing::graph::cincinnati::GraphFile;
use exitpath::testing::lint::{Request, lint_graphs};
use exitpath::testing::report::{CheckReport, Printed};
use exitpath::testing::rules::Finding;
use exitpath::testing::schema;
use exitpath::testing::text::{SourceId, is_printable};
use exitpath::testing::tree::Blob;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::shared::real_data;
use crate::{Run, Scratch, exitpath};

/// A small graph with every kind of element.
fn small_graph() -> Value {
    let risk = |name: &str| {
        json!({
            "url": "https://issues.example.com/browse/BUG-1", "name": name, "message": "It breaks.",
            "matchingRules": [
                { "type": "PromQL", "promql": { "promql": "vector(1)" } },
                { "type": "Always" },
            ],
        })
    };
    json!({
        "version": 1,
        "nodes": [
            { "version": "4.14.1", "payload": "registry.example.com/a", "metadata": { "url": "https://example.com" } },
            { "version": "4.14.2", "payload": null, "metadata": null },
            { "version": "4.14.3" },
        ],
        "edges": [[0, 1], [1, 2]],
        "conditionalEdges": [
            { "edges": [{ "from": "4.14.1", "to": "4.14.3" }], "risks": [risk("One"), risk("Two")] },
            { "edges": null, "risks": null },
            {
                "from": "4.14.2", "to": "4.14.3",
                "qualifiers": [{
                    "url": "https://issues.example.com/browse/BUG-1",
                    "clusters": { "promql": { "promql": "vector(1)" } },
                }],
            },
        ],
    })
}

fn pointers(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, v)| pointers(v, format!("{at}/{key}"), found));
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, v)| pointers(v, format!("{at}/{i}"), found));
        }
        _ => {}
    }
    found.push(at);
}

/// Replaces the value in one place, or removes it.
fn replace_or_remove(graph: &mut Value, at: &str, with: Option<&Value>) {
    let Some((parent, key)) = at.rsplit_once('/') else {
        *graph = with.cloned().unwrap_or_default();
        return;
    };
    match graph.pointer_mut(parent) {
        Some(Value::Object(map)) => match with {
            Some(value) => drop(map.insert(key.to_owned(), value.clone())),
            None => drop(map.remove(key)),
        },
        Some(Value::Array(list)) => {
            let Some(place) = key.parse().ok().filter(|at: &usize| *at < list.len()) else {
                return;
            };
            match with {
                Some(value) => list[place] = value.clone(),
                None => drop(list.remove(place)),
            }
        }
        _ => {}
    }
}

fn wrong_values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(7),
        json!(-1),
        json!(1.5),
        json!("text"),
        json!([]),
        json!({}),
        json!([0, 1]),
        json!([0, 1, 2]),
        json!([[0, 1]]),
        json!({ "version": "4.14.9" }),
        json!({ "from": "4.14.1", "to": "4.14.2" }),
        json!({ "from": "4.14.1", "edges": [] }),
        json!({ "promql": "vector(1)" }),
        json!(u64::MAX),
    ]
}

#[test]
fn reader_and_schema_accept_a_valid_graph() {
    let text = small_graph().to_string();
    assert_eq!(GraphFile::read(SourceId::at(0), &text).faults, []);
    assert!(schema::GRAPH.validator().is_valid(&small_graph()));
}

proptest! {
    #![proptest_config(crate::cases(3000))]

    /// The reader reports a fault exactly if the schema does.
    #[test]
    fn reader_and_schema_agree_on_damaged_graphs(
        steps in prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(any::<prop::sample::Index>())), 1..4),
        key in prop::option::of(("version|nodes|edges|from|to|risks|x", any::<prop::sample::Index>())),
    ) {
        let (mut graph, values) = (small_graph(), wrong_values());
        for (place, with) in steps {
            let mut places = Vec::new();
            pointers(&graph, String::new(), &mut places);
            replace_or_remove(&mut graph, &place.get::<String>(&places).clone(), with.map(|with| with.get(&values)));
        }
        if let Some((key, place)) = key {
            let mut places = Vec::new();
            pointers(&graph, String::new(), &mut places);
            let at = format!("{}/{key}", place.get::<String>(&places));
            replace_or_remove(&mut graph, &at, Some(&json!(1)));
        }
        let text = graph.to_string();
        let faults = GraphFile::read(SourceId::at(0), &text).faults;
        let accepted = schema::GRAPH.validator().is_valid(&graph);
        prop_assert_eq!(faults.is_empty(), accepted, "{}\n{:?}", text, faults);
        // The rules cope with the rest of the graph, and no fault gets lost.
        let blob = Blob::new("graph.json".to_owned(), Ok(text.into_bytes()));
        let (_, outcome) = lint_graphs([blob], &Request::default());
        let of_faults = |finding: &Finding| matches!(finding.rule.name, "not-a-graph" | "malformed-graph");
        prop_assert_eq!(outcome.findings.iter().any(of_faults), !accepted);
    }
}

fn check(text: impl AsRef<[u8]>) -> (Run, Vec<String>) {
    let scratch = Scratch::new("graph");
    let path = scratch.write("graph.json", text);
    let run = exitpath(["check", path.to_str().unwrap(), "--format", "json"]);
    let report: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}", run.err));
    let findings = report["findings"].as_array().unwrap().iter();
    let rules = findings.map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect();
    (run, rules)
}

#[test]
fn a_truncated_graph_is_one_finding() {
    let text = small_graph().to_string();
    for end in 0..text.len() {
        let (run, rules) = check(&text[..end]);
        assert_eq!((run.status, rules), (1, vec!["not-a-graph".to_owned()]), "cut at {end}");
    }
}

#[test]
fn hostile_files_are_reported() {
    let deep = |open: &str, close: &str| open.repeat(100_000) + &close.repeat(100_000);
    let nodes = r#""nodes": [{"version": "4.14.1"}]"#;
    for (name, text, expected) in [
        ("nothing", String::new(), "not-a-graph"),
        ("deep lists", deep("[", "]"), "not-a-graph"),
        ("open lists", "[".repeat(1_000_000), "not-a-graph"),
        (
            "deep node",
            format!(r#"{{"nodes": [{}], "edges": []}}"#, deep("[", "]")),
            "malformed-graph",
        ),
        (
            "huge index",
            format!(r#"{{{nodes}, "edges": [[0, {}]]}}"#, "9".repeat(5000)),
            "edge-out-of-range",
        ),
        ("float", format!(r#"{{{nodes}, "edges": [[0, 1e400]]}}"#), "malformed-graph"),
        ("two keys", format!(r#"{{{nodes}, "edges": [], {nodes}}}"#), "malformed-graph"),
        (
            "two keys in a node",
            r#"{"nodes": [{"version": "x", "version": "4.14.1"}], "edges": []}"#.to_owned(),
            "malformed-graph",
        ),
        ("mark", format!("\u{FEFF}{{{nodes}, \"edges\": []}}"), "malformed-graph"),
        (
            "half an escape",
            r#"{"nodes": [{"version": "\ud800"}], "edges": []}"#.to_owned(),
            "malformed-graph",
        ),
        (
            "half an escape in a key",
            r#"{"nodes": [{"\ud800": "x"}], "edges": []}"#.to_owned(),
            "malformed-graph",
        ),
        (
            "control characters",
            "{\"nodes\": [{\"version\": \"\u{1b}[31m\"}], \"edges\": []}".to_owned(),
            "not-a-graph",
        ),
        (
            "escaped control characters",
            r#"{"nodes": [{"version": "\u001b[31m\u202e"}], "edges": []}"#.to_owned(),
            "not-a-version",
        ),
        ("unknown key", format!(r#"{{{nodes}, "edges": [], "\u001b": 1}}"#), "malformed-graph"),
        ("one version in an answer", r#"{"version": 1, "nodes": [{"version": "4.14.1+a"}, {"version": "4.14.1+b"}], "edges": [[0, 1]]}"#.to_owned(), "duplicate-node"),
        ("huge versions", r#"{"nodes": [{"version": "4.2.18446744073709551615"}, {"version": "5.18446744073709551615.0"}], "edges": [[0, 1]]}"#.to_owned(), "giant-hop"),
        ("two graphs", format!(r#"{{{nodes}, "edges": []}}{{}}"#), "not-a-graph"),
    ] {
        let (run, rules) = check(&text);
        assert_eq!((run.status, rules), (1, vec![expected.to_owned()]), "{name}");
    }
    let (_, rules) = check(b"{\"nodes\": [{\"version\": \"4.14.1\"}, {\"version\": \"caf\xe9\"}], \"edges\": [[0, 2]]}");
    assert_eq!(
        rules,
        ["not-a-version", "not-a-graph", "edge-out-of-range"],
        "the rest is read all the same"
    );
}

/// A file that would take fifty times its size in memory is read up to a limit.
#[test]
fn a_graph_with_too_many_parts_is_reported() {
    let (_, mut rules) =
        check(format!(r#"{{"nodes": [{}7], "edges": []}}"#, "7,".repeat(4_000_000)));
    rules.sort();
    assert_eq!(rules, ["malformed-graph", "not-a-graph"]);
    let keys: Vec<String> = (0..1_000_001).map(|i| format!(r#""{i}":"""#)).collect();
    let metadata = format!(r#"{{"version": "4.14.1", "metadata": {{{}}}}}"#, keys.join(","));
    let (_, rules) = check(format!(r#"{{"nodes": [{metadata}], "edges": []}}"#));
    assert_eq!(rules, ["malformed-graph"]);
}

/// Ten thousand copies of every mistake are a few findings, and fast.
#[test]
fn a_graph_with_thousands_of_mistakes_has_few_findings() {
    let mut edges = String::new();
    for i in 0..500_000_u32 {
        let _ =
            write!(edges, "[{},{}],[1,99999],[2,2],[0,1],", i % 3000, i.wrapping_mul(7919) % 3000);
    }
    let mut nodes = String::new();
    for i in 0..3000 {
        let _ =
            write!(nodes, r#"{{"version":"4.{}.{}","metadata":{{"url":":"}}}},"#, i % 40, i / 80);
    }
    let risk = r#"{"name":"","matchingRules":[{"type":"x"}]}"#;
    let mut groups = String::new();
    for i in 0..20_000 {
        let (from, to) = (format!("4.{}.1", i % 40), format!("4.{}.{}", i % 17, i % 50));
        let _ = write!(
            groups,
            r#"{{"edges":[{{"from":"{from}","to":"{to}"}}],"risks":[{risk},{risk}]}},"#
        );
    }
    let text =
        format!(r#"{{"nodes":[{nodes}7],"edges":[{edges}[0]],"conditionalEdges":[{groups}{{}}]}}"#);
    let (run, rules) = check(&text);
    assert_eq!(run.status, 1);
    assert!(rules.len() < 30, "{rules:?}");
    for rule in [
        "malformed-graph",
        "duplicate-node",
        "edge-out-of-range",
        "unknown-node",
        "rejected-metadata",
        "graph-cycle",
        "self-edge",
        "repeated-edge",
        "downgrade",
        "giant-hop",
        "duplicate-conditional",
        "dropped-target",
        "unstorable-update",
    ] {
        assert!(rules.iter().any(|found| found == rule), "{rule}: {rules:?}");
    }
}

#[test]
fn an_excerpt_of_one_long_line_is_short_and_printable() {
    let nodes: Vec<String> = (0..20_000).map(|i| format!(r#"{{"version":"4.14.{i}"}}"#)).collect();
    let text = format!(r#"{{"nodes":[{}],"edges":[[0,1],[7,7]]}}"#, nodes.join(","));
    let scratch = Scratch::new("line");
    let path = scratch.write("graph.json", &text);
    let run = exitpath(["check", path.to_str().unwrap()]);
    let column = text.find("[7,7]").unwrap() + 1;
    assert!(run.out.contains(&format!("graph.json:1:{column}]")), "{}", run.out);
    assert!(run.out.contains("[[0,1],[7,7]]}"), "{}", run.out);
    assert!(run.out.len() < 3_000, "{}", run.out);
}

proptest! {
    #![proptest_config(crate::cases(150))]

    #[test]
    fn output_has_no_control_characters(
        version in "[4.14a\u{1b}\u{9b}\u{202e}<>&|`*@\"']{0,12}",
        text in "[a-z:\u{7}\u{9b}\u{202e}\u{2028}<>&|`*@%'\\[\\]{} -]{0,30}",
    ) {
        let graph = json!({
            "nodes": [{ "version": version, "metadata": { "url": text } }],
            "edges": [[0, 0], [0, text]],
            "conditionalEdges": [{ "edges": [{ "from": version, "to": text }], "risks": [{ "name": text }] }],
            text.as_str(): 1,
        });
        let scratch = Scratch::new("harm");
        let path = scratch.write("graph.json", graph.to_string());
        for format in CheckReport::formats().into_iter().map(Named::name) {
            let run = exitpath(["check", path.to_str().unwrap(), "--format", format]);
            prop_assert_eq!(run.status, 1, "{}", run.err);
            let harmful = run.out.chars().find(|c| *c != '\n' && !is_printable(*c));
            prop_assert!(harmful.is_none(), "{format}: {harmful:?} in {:?}", run.out);
        }
    }
}

#[test]
fn a_file_over_the_size_limit_is_not_read() {
    let scratch = Scratch::new("huge");
    let path = scratch.path().join("graph.json");
    fs::File::create(&path).unwrap().set_len(200 << 20).unwrap();
    let run = exitpath(["check", path.to_str().unwrap()]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("this file has 200 MiB, but the limit is 128 MiB"), "{}", run.out);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_reported_without_reading_it() {
    let scratch = Scratch::new("pipe");
    let pipe = scratch.path().join("pipe.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let run = exitpath(["check", pipe.to_str().unwrap()]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("this is a pipe, a socket, or a device"), "{}", run.out);
    let missing = exitpath(["check", scratch.path().join("none.json").to_str().unwrap()]);
    assert_eq!(missing.status, 2);
    assert!(missing.err.contains("there is no file or folder"), "{}", missing.err);
    let folder = scratch.path().join("folder.json");
    fs::create_dir(&folder).unwrap();
    assert_eq!(exitpath(["check", folder.to_str().unwrap()]).status, 2);
}

const GOOD: &str = "fixtures/rules/graph-cycle/good/graph.json";
const BAD: &str = "fixtures/rules/graph-cycle/bad/graph.json";

#[test]
fn several_graphs_are_one_report() {
    let run = exitpath(["check", BAD, GOOD, GOOD, "--format", "junit"]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("tests=\"2\" failures=\"1\""), "{}", run.out);
    let quiet = exitpath(["check", BAD, GOOD, "-q", "--ignore", "graph-cycle,downgrade"]);
    assert_eq!((quiet.status, quiet.out.as_str()), (0, "✓ no findings in 2 files\n"));
    assert_eq!(exitpath(["check", BAD, "--fail-on", "never"]).status, 0);
    assert_eq!(exitpath(["check", BAD, "--select", "channel"]).status, 0);
}

#[test]
fn options_for_repositories_are_refused_for_graphs() {
    for options in [
        &["--fix"][..],
        &["--rev", "HEAD"],
        &["--base", "HEAD"],
        &["--baseline", "x"],
        &["--write-baseline"],
    ] {
        let run = exitpath([&["check", GOOD], options].concat());
        assert_eq!(run.status, 2, "{options:?}");
        assert!(
            run.err.contains("is for repositories, and this is an update graph"),
            "{}",
            run.err
        );
    }
    let mixed = exitpath(["check", GOOD, "fixtures/graph-data"]);
    assert_eq!(mixed.status, 2);
    assert!(mixed.err.contains("check them one after the other"), "{}", mixed.err);
}

/// The metadata of a repository is JSON, but not a graph.
#[test]
fn a_repository_file_is_not_read_as_a_graph() {
    let run = exitpath(["check", "fixtures/graph-data/raw/metadata.json"]);
    assert_eq!((run.status, run.out.as_str()), (0, "✓ no findings in 1 file\n"));
    let named = exitpath([
        "check",
        "--repo",
        "fixtures/graph-data",
        "fixtures/graph-data/raw/metadata.json",
    ]);
    assert_eq!(named.status, 0, "{}", named.err);
}

#[test]
fn graphs_from_exitpath_have_no_findings() {
    let scratch = Scratch::new("own");
    for options in [&[][..], &["--channel", "stable-4.15"], &["--channel", "candidate-4.14"]] {
        let arguments =
            ["graph", "fixtures/graph-data", "--releases", "fixtures/graphs/releases.json"];
        let graph = exitpath([&arguments, options, &["--format", "json"]].concat());
        assert_eq!(graph.status, 0, "{}", graph.err);
        let path = scratch.write("graph.json", graph.out);
        let run = exitpath(["check", path.to_str().unwrap()]);
        assert_eq!((run.status, run.out.as_str()), (0, "✓ no findings in 1 file\n"), "{options:?}");
    }
}

#[test]
fn answers_of_production_have_no_findings() {
    let Some(served) = real_data("served") else { return };
    let mut files = 0;
    for entry in fs::read_dir(served).unwrap() {
        let path = entry.unwrap().path();
        let run = exitpath(["check", path.to_str().unwrap()]);
        assert_eq!(
            (run.status, run.out.as_str()),
            (0, "✓ no findings in 1 file\n"),
            "{}",
            path.display()
        );
        files += 1;
    }
    assert!(files > 0);
}
