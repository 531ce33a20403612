//! Made-up channels, and services that misbehave.

use serde_json::Value;

use super::{Served, asked, get, graph_of, sent, text_of};
use crate::surfaces::explorer::explored;
use crate::{Scratch, exitpath};

/// The updates of an answer, sorted, in the maintainers' notation.
fn updates(served: &Served, channel: &str) -> Vec<String> {
    let graph = served.get(&graph_of(channel, "amd64")).json();
    let nodes = graph["nodes"].as_array().unwrap();
    let version = |at: &serde_json::Value| {
        nodes[usize::try_from(at.as_u64().unwrap()).unwrap()]["version"].as_str().unwrap()
    };
    let open = graph["edges"].as_array().unwrap().iter();
    let mut lines: Vec<String> =
        open.map(|edge| format!("{} -> {}", version(&edge[0]), version(&edge[1]))).collect();
    for group in graph["conditionalEdges"].as_array().unwrap() {
        let risks = group["risks"].as_array().unwrap().iter();
        let risks: Vec<&str> = risks.map(|risk| risk["name"].as_str().unwrap()).collect();
        for edge in group["edges"].as_array().unwrap() {
            let (from, to) = (edge["from"].as_str().unwrap(), edge["to"].as_str().unwrap());
            lines.push(format!("{from} -(risks: {})-> {to}", risks.join(", ")));
        }
    }
    lines.sort();
    lines
}

#[test]
fn the_well_known_cases_are_built_in() {
    let served = Served::start(["--scenario", "all"]);
    let always = ["4.17.9 -(risks: AffectsAll)-> 4.18.2", "4.17.9 -> 4.18.1", "4.18.1 -> 4.18.2"];
    assert_eq!(updates(&served, "always"), always);
    let many = "4.17.9 -(risks: First, Second, Third, Fourth, Fifth)-> 4.18.2";
    assert!(updates(&served, "many-risks").contains(&many.to_owned()));
    assert!(updates(&served, "empty").is_empty());
    let unavailable = served.get(&graph_of("unavailable", "amd64"));
    assert_eq!(unavailable.status, 503);
    let wrong = served.get(&graph_of("wrong-type", "amd64"));
    assert_eq!((wrong.status, wrong.header("content-type")), (200, Some("text/html")));
    // The header says more than comes.
    let request = format!("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", graph_of("cut-off", "amd64"));
    let answer = String::from_utf8(sent(served.clients, request.as_bytes())).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert_eq!(body.len(), 100);
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    assert!(length.parse::<usize>().unwrap() > 100);
    let list = served.get("/api/upgrades_info/channels").json();
    assert_eq!(
        list["channels"]["always"]["description"],
        "One update has a risk that affects all clusters."
    );
    let page = explored(served.get("/").text());
    let states = page["states"].as_array().unwrap();
    let labels: Vec<&Value> = states.iter().map(|state| &state["label"]).collect();
    assert_eq!(labels[..2], ["at first", "after 2 requests"]);
    let updates = |state: &Value, name: &str| {
        let channels = state["channels"].as_array().unwrap();
        let channel = channels.iter().find(|channel| channel["name"] == name).unwrap();
        channel["updates"].to_string()
    };
    assert_eq!(updates(&states[0], "always"), updates(&states[1], "always"));
    assert_ne!(updates(&states[0], "changing"), updates(&states[1], "changing"));
}

/// What clusters make of the built-in queries.
#[test]
fn clusters_evaluate_the_built_in_risks_as_their_names_say() {
    let scratch = Scratch::new("cases");
    let served = Served::start(["--scenario", "all"]);
    for (channel, target, expected) in [
        ("always", "4.18.2", "\"status\": \"False\""),
        ("matching", "4.18.2", "\"status\": \"False\""),
        ("not-matching", "4.18.2", "\"status\": \"True\""),
        ("unevaluable", "4.18.2", "\"status\": \"Unknown\""),
        ("unevaluable", "4.18.3", "\"status\": \"Unknown\""),
        ("many-risks", "4.18.2", "\"reason\": \"MultipleReasons\""),
    ] {
        let answer =
            get(served.clients, &graph_of(channel, "amd64"), &[("Accept", "application/json")]);
        let file = scratch.write(&format!("{channel}.json"), &answer.body);
        let arguments = ["cluster", "--version", "4.17.9", "--channel", channel];
        let more = ["--graph", text_of(&file), "--sample", "aws", "--as", "status"];
        let run = exitpath(arguments.into_iter().chain(more));
        let status: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let conditional = status["conditionalUpdates"].as_array().unwrap();
        let update = conditional.iter().find(|update| update["release"]["version"] == target);
        let conditions = serde_json::to_string_pretty(&update.unwrap()["conditions"]).unwrap();
        assert!(conditions.contains(expected), "{channel}: {conditions}");
    }
}

#[test]
fn a_graph_changes_after_a_number_of_requests() {
    let served = Served::start(["--scenario", "changing"]);
    let first = vec!["4.17.9 -> 4.18.1".to_owned()];
    assert_eq!(updates(&served, "changing"), first);
    // Pages and other channels do not count.
    served.get("/channels/changing");
    served.get("/");
    served.get(&graph_of("other", "amd64"));
    assert_eq!(updates(&served, "changing"), first);
    let second = updates(&served, "changing");
    assert!(second.contains(&"4.17.9 -> 4.18.2".to_owned()), "{second:?}");
    assert_eq!(updates(&served, "changing"), second);
    let third = updates(&served, "changing");
    assert!(third.contains(&"4.17.9 -(risks: AffectsAll)-> 4.18.2".to_owned()), "{third:?}");
}

#[test]
fn what_is_random_is_the_same_for_the_same_seed() {
    let statuses = |seed: &str| -> Vec<u16> {
        let served = Served::start(["--scenario", "flaky", "--seed", seed]);
        (0..40).map(|_| served.get(&graph_of("flaky", "amd64")).status).collect()
    };
    let first = statuses("7");
    assert_eq!(first, statuses("7"));
    assert_ne!(first, statuses("8"));
    assert!(first.contains(&200) && first.contains(&500));
}

const OWN: &str = "\
risks:
  Slow:
    message: Updates are slow on AWS.
    url: https://example.com/slow
    promql: group(cluster_infrastructure_provider{type=\"AWS\"})
channels:
  stable-4.18:
    description: A channel for a test.
    releases: [4.18.9]
    updates: |
      4.17.9 -> 4.18.1 -(risks: Slow)-> 4.18.2
  fast-4.18:
    updates: 4.18.1 -> 4.18.2
    answer: { delay: 1ms..3ms }
";

#[test]
fn a_file_describes_channels_in_a_few_lines_and_is_watched() {
    let scratch = Scratch::new("scenario");
    let file = scratch.write("own.yaml", OWN);
    let served = Served::start(["--scenario", text_of(&file)]);
    assert_eq!(
        updates(&served, "stable-4.18"),
        ["4.17.9 -> 4.18.1", "4.18.1 -(risks: Slow)-> 4.18.2"]
    );
    assert_eq!(updates(&served, "fast-4.18"), ["4.18.1 -> 4.18.2"]);
    let graph = served.get(&graph_of("stable-4.18", "arm64")).json();
    let nodes = graph["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 4);
    // A release says which channels have it, and every release has an image.
    let channels = "io.openshift.upgrades.graph.release.channels";
    assert_eq!(nodes[1]["metadata"][channels], "fast-4.18,stable-4.18");
    assert!(nodes[1]["payload"].as_str().unwrap().starts_with("registry.example.com/"));
    scratch.write("own.yaml", OWN.replace("4.18.9", "4.18.10"));
    served.wait_for("the data changed");
    assert!(served.get(&graph_of("stable-4.18", "amd64")).text().contains("4.18.10"));
    scratch.write("own.yaml", OWN.replace("channels:", "chanels:"));
    served.wait_for("the last good graph stays");
    assert!(served.get(&graph_of("stable-4.18", "amd64")).text().contains("4.18.10"));
}

#[test]
fn the_example_of_the_documentation_is_a_scenario() {
    let served = Served::start(["--scenario", "fixtures/scenarios/example.yaml"]);
    let both = "4.18.1 -(risks: BrokenConsole, SlowDisks)-> 4.18.2";
    let as_written = "4.18.1 -(risks: SlowDisks, BrokenConsole)-> 4.18.2";
    let updates = updates(&served, "stable-4.18");
    assert!(updates.iter().any(|update| update == both || update == as_written), "{updates:?}");
}

#[test]
fn a_mistake_in_a_scenario_is_named() {
    let scratch = Scratch::new("mistakes");
    let releases = "4.18.1, ".repeat(1000);
    let copies: Vec<String> = (0..50_000).map(|nth| format!("t{nth}: *s\n")).collect();
    let bomb = format!("s: &s [{releases}]\n{}channels: {{}}\n", copies.concat());
    let many: Vec<String> = (0..300).map(|nth| format!("  a-{nth}: {{}}\n")).collect();
    let many = format!("channels:\n{}", many.concat());
    for (text, expected) in [
        ("channels: {}", "`channels` is empty"),
        ("channels:\n  a-1: { update: x }", "unknown field `update`"),
        ("channels:\n  a-1: { updates: 4.18.1 }", "channel `a-1`: line 1 of `updates`"),
        ("channels:\n  a-1: { updates: 4.18 -> 4.18.1 }", "channel `a-1`: `4.18` is not a version"),
        (
            "channels:\n  a-1: { updates: '4.18.1 -(risks: No)-> 4.18.2' }",
            "the risk `No` is not in `risks`",
        ),
        ("channels:\n  a-1: { answer: { delay: 5 } }", "delay"),
        ("channels:\n  a-1: { answer: { delay: 5 minutes } }", "`delay: 5 minutes` is not a delay"),
        ("channels:\n  a-1: { answer: { status: 99 } }", "`status: 99` is not a status"),
        ("channels:\n  a-1: { answer: { percent: 101 } }", "`percent: 101` is more than 100"),
        ("channels:\n  a-1: { then: [{ after: 0 }] }", "`after: 0` has to be larger"),
        ("- a\n", "invalid type"),
        ("channels:\n  a-1: {}\n  a-1: {}\n", "the key `a-1` is there again at line 3"),
        ("channels:\n  Stable: {}\n", "clusters cannot request the channel `Stable`"),
        ("channels:\n  'a,b': {}\n", "clusters cannot request the channel `a,b`"),
        (&"[".repeat(100_000), "it is nested too deep"),
        (&bomb, "its aliases stand for too much text"),
        (&many, "has more than 200 channels"),
    ] {
        let file = scratch.write("scenario.yaml", text);
        let run = exitpath(["serve", "--scenario", text_of(&file), "--listen", "127.0.0.1:0"]);
        assert_eq!(run.status, 2, "{text}");
        assert!(run.err.contains(expected), "{text}: {}", run.err);
    }
    let run = exitpath(["serve", "--scenario", "alwys", "--listen", "127.0.0.1:0"]);
    assert!(run.err.contains("did you mean `always`?"), "{}", run.err);
    let run = exitpath(["serve", "--scenario", "nothing-like-it", "--listen", "127.0.0.1:0"]);
    assert!(run.err.contains("there are all, always, changing"), "{}", run.err);
}

#[test]
fn a_scenario_has_no_data_and_no_whole_graph() {
    let served = Served::start(["--scenario", "plain"]);
    assert_eq!(served.get("/graph-data").status, 404);
    let answer = asked(served.clients, "HEAD", &graph_of("plain", "amd64"), &[]);
    assert_eq!(answer.status, 200);
}
