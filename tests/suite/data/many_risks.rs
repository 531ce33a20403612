//! Graphs with too many risks to search all sets of them.

use serde_json::{Value, json};

use crate::{Scratch, exitpath};

/// Releases in a row. Each has updates to the next `exits` releases, and each update has its own
/// risks. In a circle, the last releases have updates to the first.
fn graph_with_many_risks(releases: usize, exits: usize, risks: usize, is_circle: bool) -> Value {
    let version = |at: usize| format!("4.1.{at}");
    let node = |at| {
        json!({"version": version(at), "payload": "p",
               "metadata": {"io.openshift.upgrades.graph.release.channels": "stable-4.1"}})
    };
    let pairs = (0..releases).flat_map(|from| (1..=exits).map(move |n| (from, from + n)));
    let pairs = pairs.filter(|(_, to)| is_circle || *to < releases);
    let group = |(from, to): (usize, usize)| {
        let risk = |n: usize| {
            json!({"url": "https://example.com", "name": format!("Risk{from}To{to}N{n}"),
                   "message": "m", "matchingRules": [{"type": "Always"}]})
        };
        json!({"edges": [{"from": version(from), "to": version(to % releases)}],
               "risks": (0..risks).map(risk).collect::<Vec<_>>()})
    };
    json!({"nodes": (0..releases).map(node).collect::<Vec<_>>(), "edges": [],
           "conditionalEdges": pairs.map(group).collect::<Vec<_>>()})
}

#[test]
fn a_search_with_too_many_risks_ends_and_says_that_it_is_incomplete() {
    let scratch = Scratch::new("cutting");
    let cases = [(30, 30, false, "3"), (30, 30, true, "6"), (3, 30, true, "6")];
    for (exits, risks, is_circle, sets) in cases {
        let graph = graph_with_many_risks(60, exits, risks, is_circle).to_string();
        let file = scratch.write("graph.json", graph);
        let run = |format: &str| {
            let file = file.to_str().unwrap();
            exitpath(["simulate", "--graph", file, "--sets", sets, "--format", format]).out
        };
        let report: Value = serde_json::from_str(&run("json")).unwrap();
        let channel = &report["channels"][0];
        assert_eq!(channel["stranding_sets_incomplete"], true, "{exits} {is_circle} {sets}");
        assert_eq!(channel["stranded"][0]["risks"].as_array().unwrap().len(), exits * risks);
        if sets == "3" {
            assert!(run("human").contains("exitpath did not search all combinations of them"));
        }
    }
}

#[test]
fn an_incomplete_search_reports_no_empty_set() {
    let scratch = Scratch::new("cutting-sound");
    // In a circle, an unfinished search could seem to need no risk at all.
    let file = scratch.write("graph.json", graph_with_many_risks(40, 3, 12, true).to_string());
    let run = exitpath(["simulate", "--graph", file.to_str().unwrap(), "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let channel = &report["channels"][0];
    let stranded = channel["stranded"].as_array().unwrap();
    let sets = |one: &Value| one["stranding_sets"].as_array().unwrap().clone();
    assert!(
        stranded.iter().all(|one| sets(one).iter().all(|set| set != &json!([]))),
        "{}",
        run.out
    );
}

#[test]
fn a_path_among_too_many_is_not_called_the_one_with_the_fewest_risks() {
    let scratch = Scratch::new("cutting-path");
    let file = scratch.write("graph.json", graph_with_many_risks(60, 3, 2, false).to_string());
    let run = |format: &str| {
        let graph = file.to_str().unwrap();
        exitpath(["path", "4.1.0", "4.1.59", "--graph", graph, "--format", format]).out
    };
    let human = run("human");
    assert!(human.contains("too many paths to find the one with the fewest risks"), "{human}");
    assert!(human.contains("with the fewest hops, 20 hops:"), "{human}");
    let report: Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(report["paths_incomplete"], true);
    assert_eq!(report["paths"][0]["kind"], "fewest-hops");
}

/// Each release has its own stranding set, and each is in its own group of the report.
#[test]
fn a_long_chain_of_conditional_updates_is_reported() {
    let scratch = Scratch::new("cutting-chain");
    let file = scratch.write("graph.json", graph_with_many_risks(10_000, 1, 1, false).to_string());
    let graph = file.to_str().unwrap();
    let run = |format: &str| exitpath(["simulate", "--graph", graph, "--format", format]).out;
    let report: Value = serde_json::from_str(&run("json")).unwrap();
    let channel = &report["channels"][0];
    assert_eq!(channel["stranding_sets_incomplete"], true);
    let stranded = channel["stranded"].as_array().unwrap();
    let any = stranded.iter().filter(|one| one["goal"] == "any");
    let helps: Vec<&Value> = any.map(|one| &one["unblocked_by"]).collect();
    assert_eq!(helps.len(), 9_999);
    assert_eq!(helps[7], &json!(["Risk7To8N0"]));
    assert!(run("human").contains("did not search all combinations"));
}

#[test]
fn many_large_channels_share_the_budget() {
    let scratch = Scratch::new("cutting-channels");
    let mut graph = graph_with_many_risks(300, 3, 4, false);
    // No channel has all releases, so this is not the graph of one channel.
    for (at, node) in graph["nodes"].as_array_mut().unwrap().iter_mut().enumerate() {
        let names = (0..200).filter(|channel| *channel != at % 200);
        let names: Vec<String> = names.map(|channel| format!("stable-4.{channel}")).collect();
        node["metadata"]["io.openshift.upgrades.graph.release.channels"] = json!(names.join(","));
    }
    let file = scratch.write("graph.json", graph.to_string());
    let graph = file.to_str().unwrap();
    let run = exitpath(["simulate", "--graph", graph, "--sets", "6", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let channels = report["channels"].as_array().unwrap();
    assert_eq!(channels.len(), 200);
    assert!(channels.iter().all(|channel| channel["stranding_sets_incomplete"] == true));
}
