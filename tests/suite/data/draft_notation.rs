//! Declarations in the notation of the enhancement's first draft: `clusters`, or a page alone.

use std::path::Path;

use serde_json::Value as Json;

use crate::{Scratch, exitpath};

const DRAFT: &str = "to: 4.15.0\nfrom: 4\\.14\\..*\nurl: https://example.com/some\nclusters:\n";
const PAGE: &str = "to: 4.15.1\nfrom: .*\nurl: https://example.com/all\n";

/// The fixture with two drafts.
fn repository(name: &str, version: &str, clusters: &str) -> Scratch {
    let scratch = Scratch::copy_of(name, Path::new("fixtures/graph-data"));
    scratch.write("version", version);
    scratch.write("blocked-edges/4.15.0-some.yaml", format!("{DRAFT}{clusters}"));
    scratch.write("blocked-edges/4.15.1-all.yaml", PAGE);
    scratch
}

fn run(command: &str, scratch: &Scratch, more: &[&str]) -> crate::Run {
    let root = scratch.path().to_str().unwrap();
    let mut arguments = vec![command, "--repo", root];
    arguments.extend(["--releases", "fixtures/graphs/releases.json"]);
    arguments.extend(more);
    exitpath(arguments)
}

fn graph(scratch: &Scratch, more: &[&str]) -> Json {
    let mut all = vec!["--channel", "stable-4.15"];
    all.extend(more);
    serde_json::from_str(&run("graph", scratch, &all).out).unwrap()
}

fn risks(graph: &Json, to: &str) -> Vec<Json> {
    let groups = graph["conditionalEdges"].as_array().into_iter().flatten();
    let of_target = groups.filter(|group| group["edges"][0]["to"] == to);
    of_target.flat_map(|group| group["risks"].as_array().unwrap().clone()).collect()
}

fn query(graph: &Json) -> String {
    let risks = risks(graph, "4.15.0");
    let risk = risks.iter().find(|risk| risk["name"] == "https://example.com/some");
    let rule = &risk.unwrap()["matchingRules"][0];
    assert_eq!(rule["type"], "PromQL");
    rule["promql"]["promql"].as_str().unwrap().to_owned()
}

#[test]
fn a_service_of_schema_1_0_blocks_whatever_else_a_file_says() {
    let scratch = repository("draft-old", "1.1.0\n", "  platform: VSphere\n");
    let graph = graph(&scratch, &["--consumer", "1.0.0"]);
    let nodes = graph["nodes"].as_array().unwrap();
    let version = |at: &Json| &nodes[usize::try_from(at.as_u64().unwrap()).unwrap()]["version"];
    let edges = graph["edges"].as_array().unwrap().iter();
    let targets: Vec<&Json> = edges.map(|edge| version(&edge[1])).collect();
    assert!(!targets.iter().any(|to| *to == "4.15.0" || *to == "4.15.1"), "{targets:?}");
    assert!(graph.get("conditionalEdges").is_none(), "{graph}");
    let run = run("graph", &scratch, &["--channel", "stable-4.15", "--consumer", "1.0.0"]);
    assert!(!run.err.contains("does not load"), "{}", run.err);
}

#[test]
fn todays_service_drops_drafts() {
    let scratch = repository("draft-today", "1.1.0\n", "  platform: VSphere\n");
    let run = run("graph", &scratch, &["--channel", "stable-4.15"]);
    assert_eq!(run.err.matches("the service does not load it").count(), 2, "{}", run.err);
    assert!(!run.out.contains("https://example.com/"), "{}", run.out);
}

#[test]
fn data_of_the_draft_is_simulated_as_it_means_it() {
    let scratch = repository("draft", "1.1.0-draft\n", "  platform: VSphere\n");
    let graph = graph(&scratch, &[]);
    assert_eq!(
        query(&graph),
        "group(cluster_infrastructure_provider{_id=\"\",type=\"VSphere\"}) \
         or 0 * group(cluster_infrastructure_provider{_id=\"\"})"
    );
    assert_eq!(risks(&graph, "4.15.1")[0]["matchingRules"][0]["type"], "Always");
    let stranded = run("simulate", &scratch, &[]);
    assert!(stranded.out.contains("https://example.com/all"), "{}", stranded.out);
    assert!(!stranded.err.contains("does not load"), "{}", stranded.err);
}

/// If any property matches a cluster, it is affected.
#[test]
fn several_properties_are_one_query() {
    let clusters = "  platform: VSphere\n  promql: max(cluster_proxy_enabled)\n";
    let scratch = repository("draft-both", "1.1.0-draft\n", clusters);
    let query = query(&graph(&scratch, &[]));
    let answer = |proxy: u8, vsphere: &str| {
        let scratch = Scratch::new("draft-series");
        let series = format!(
            "cluster_proxy_enabled {proxy} 1755896700\n\
             cluster_infrastructure_provider{{_id=\"\",type=\"{vsphere}\"}} 1 1755896700\n# EOF\n"
        );
        scratch.write("series.txt", &series);
        let file = scratch.path().join("series.txt");
        let file = file.to_str().unwrap();
        exitpath(["promql", "eval", &query, "--metrics", file, "--format", "json"]).out
    };
    for (proxy, platform, expected) in
        [(0, "AWS", "0"), (1, "AWS", "1"), (0, "VSphere", "1"), (1, "VSphere", "1")]
    {
        let said = answer(proxy, platform);
        let value = format!("\"{expected}\"");
        assert!(said.contains(&value), "{proxy} {platform}: {said}");
    }
}
