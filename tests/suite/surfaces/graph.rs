//! `exitpath graph`: formats, parts of a graph, and errors.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use exitpath::Terminal;

use crate::{Run, Scratch, exitpath, exitpath_in};

const RELEASES: &str = "fixtures/graphs/releases.json";

fn graph(arguments: &[&str]) -> Run {
    let head = ["graph", "fixtures/graph-data", "--releases", RELEASES];
    exitpath(head.into_iter().chain(arguments.iter().copied()))
}

#[test]
fn on_a_terminal_a_table_comes_first() {
    let terminal = Terminal { stdout: true, stderr: true, width: Some(60) };
    let head = ["graph", "fixtures/graph-data", "--releases", RELEASES, "--color", "never"];
    let in_terminal = |more: &[&str]| exitpath_in(terminal, [&head[..], more].concat()).out;
    assert_eq!(
        in_terminal(&["--channel", "stable-4.14"]),
        "\
stable-4.14 for amd64: 7 releases, 12 updates without risks,
  5 conditional updates, and 2 blocked updates

release  updates without risks  conditional updates
4.13.8   3, newest 4.14.3       2, newest 4.14.2
4.13.9   2, newest 4.14.3       2, newest 4.14.2
4.13.10  1, newest 4.14.3       1, newest 4.14.2
4.14.0   3, newest 4.14.3       none
4.14.1   2, newest 4.14.3       none
4.14.2   1, newest 4.14.3       none
4.14.3   none                   none

`--format svg > FILE.svg` draws the graph, `--format edges`
  lists each update, and `--format json` prints what the
  service returns
"
    );
    assert!(in_terminal(&[]).contains("stable-4.14     7         12             5            2"));
    assert!(in_terminal(&["--format", "json"]).starts_with('{'));
    assert!(in_terminal(&["--output", "/dev/null"]).is_empty());
    // A program gets what the service returns.
    assert!(graph(&["--channel", "stable-4.14"]).out.starts_with('{'));
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err))
}

#[test]
fn a_channel_graph_is_what_the_service_answers() {
    let run = graph(&["--channel", "stable-4.14"]);
    let answer = json(&run);
    assert_eq!(answer["version"], 1);
    let versions: Vec<&str> = answer["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["version"].as_str().unwrap())
        .collect();
    assert_eq!(versions, ["4.13.8", "4.13.9", "4.13.10", "4.14.0", "4.14.1", "4.14.2", "4.14.3"]);
    let metadata = &answer["nodes"][3]["metadata"];
    assert_eq!(metadata["io.openshift.upgrades.graph.previous.remove_regex"], "^4[.]13[.].*$");
    assert_eq!(metadata["url"], "https://errata.example.com/4.14.0");
    assert!(metadata["io.openshift.upgrades.graph.release.arch"].is_null());
    assert!(exitpath::testing::schema::GRAPH.validator().is_valid(&answer));
    let none = json(&graph(&["--channel", "stable-4.14", "--arch", "s390x"]));
    assert_eq!(none["nodes"].as_array().unwrap().len(), 0, "the raw graph has amd64 only");
}

#[test]
fn several_channels_are_tables_or_edges() {
    let edges = |channel: &str| graph(&["--channel", channel, "--format", "edges"]).out;
    let both = edges("stable-4.14,stable-4.15");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    let each = &lines(&edges("stable-4.14")) | &lines(&edges("stable-4.15"));
    assert_eq!(lines(&both), each);
    assert_eq!(both.lines().count(), each.len(), "each once");
    let tables =
        graph(&["--channel", "stable-4.14", "--channel", "stable-4.15", "--format", "human"]);
    assert_eq!(tables.out.matches(" for amd64: ").count(), 2, "{}", tables.out);
    let json = graph(&["--channel", "stable-4.14,stable-4.15", "--format", "json"]);
    assert_eq!(json.status, 2);
    assert!(json.err.contains("are of one channel"), "{}", json.err);
}

#[test]
fn the_whole_graph_is_what_the_policy_engine_gets() {
    let whole = json(&graph(&[]));
    assert!(whole["version"].is_null(), "the service refuses an upstream that says its version");
    assert_eq!(whole["nodes"].as_array().unwrap().len(), 13);
    assert_eq!(whole["nodes"][0]["version"], "4.13.8+amd64");
    assert!(exitpath::testing::schema::GRAPH.validator().is_valid(&whole));
}

#[test]
fn consumers_of_schema_1_0_see_conditional_updates_as_blocked() {
    let new = json(&graph(&["--channel", "stable-4.14"]));
    let old = json(&graph(&["--channel", "stable-4.14", "--consumer", "1.0.0"]));
    assert!(!new["conditionalEdges"].as_array().unwrap().is_empty());
    assert!(old["conditionalEdges"].is_null());
    assert_eq!(new["edges"], old["edges"]);
}

#[test]
fn the_same_command_prints_the_same_bytes() {
    for format in ["json", "edges", "dot", "mermaid", "svg"] {
        let print = || graph(&["--channel", "candidate-4.15", "--format", format]).out;
        assert_eq!(print(), print(), "{format}");
    }
}

#[test]
fn a_picture_can_go_to_a_file() {
    let scratch = Scratch::new("drawing");
    let file = scratch.path().join("graph.svg");
    let file = file.to_str().unwrap();
    let around = ["--channel", "stable-4.14", "--around", "4.14.1", "--blocked"];
    let run = graph(&[&around[..], &["--format", "svg", "--output", file]].concat());
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{}", run.err);
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("stable-4.14 for amd64: around 4.14.1"), "{text}");
    roxmltree::Document::parse(&text).unwrap();
}

#[test]
fn only_stranded_draws_stranded_releases() {
    let before = ["graph", "--graph", "fixtures/graphs/before-the-fix.json", "--only", "stranded"];
    let run = exitpath(before.into_iter().chain(["--format", "mermaid"]));
    assert!(
        run.out.contains("4.13.10") && run.out.contains("VSphereNodesLoseTheirNames"),
        "{}",
        run.out
    );
    assert!(!run.out.contains("4.14.0 "), "nobody there is stranded: {}", run.out);
}

#[test]
fn a_graph_file_is_used_as_it_is() {
    let scratch = Scratch::new("as-it-is");
    let answer = graph(&["--channel", "stable-4.14"]);
    let file = scratch.write("answer.json", &answer.out);
    let again = exitpath(["graph", "--graph", file.to_str().unwrap()]);
    assert_eq!(json(&again)["edges"], json(&answer)["edges"]);
    assert_eq!(json(&again)["conditionalEdges"], json(&answer)["conditionalEdges"]);
}

#[test]
fn unknown_names_are_errors_with_suggestions() {
    for (arguments, words) in [
        (
            &["--channel", "stable-414"][..],
            "there is no channel `stable-414`\n          did you mean `stable-4.14`?",
        ),
        (&["--arch", "x86_64"], "[possible values: amd64, arm64, multi, ppc64le, s390x]"),
        (
            &["--format", "svg"],
            "a drawing shows one channel\n          name the channel: `--channel stable-4.15`",
        ),
        (
            &["--channel", "stable-4.14", "--format", "dot", "--around", "4.14.9"],
            "`stable-4.14` has no release `4.14.9` for amd64",
        ),
        (&["--around", "4.14.1"], "`--around`, `--only`, and `--blocked` are for drawings"),
        (&["--output", "nowhere/graph.json"], "cannot write nowhere/graph.json:"),
    ] {
        let run = graph(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.err.contains(words), "{arguments:?}: {}", run.err);
    }
    let run = exitpath(["graph", "--graph", "fixtures/graph-data"]);
    assert!(
        run.err.contains("is no release metadata") || run.err.contains("not a graph"),
        "{}",
        run.err
    );
    assert!(Path::new(RELEASES).exists());
}

#[test]
fn a_drawing_of_stranded_releases_shows_their_updates_and_explains_its_borders() {
    for (format, border) in
        [("svg", "class=\"card marked\""), ("dot", "BORDER=\"3\""), ("mermaid", ":::marked")]
    {
        let run = exitpath([
            "graph",
            "--graph",
            "fixtures/graphs/before-the-fix.json",
            "--only",
            "stranded",
            "--format",
            format,
        ]);
        let words = "stranded: no exit path if conditional updates are removed";
        assert!(run.out.contains(words), "{format}: {}", run.out);
        // One in the legend, and one around each of the three releases.
        assert_eq!(run.out.matches(border).count(), 4, "{format}: {}", run.out);
    }
}
