//! `exitpath fleet --url`: clusters in a telemetry store.

use std::fmt::Write as _;
use std::path::Path;

use exitpath::testing::metrics::{SeriesText, Source};
use exitpath::testing::schema;
use promql::Dialect;
use serde_json::{Value as Json, json};

use crate::fake_prometheus::{FakePrometheus, answer, http};
use crate::{Run, Scratch, exitpath};

const REPOSITORY: [&str; 4] =
    ["--repo", "fixtures/graph-data", "--releases", "fixtures/graphs/releases.json"];

fn fleet(arguments: &[&str]) -> Run {
    exitpath(["fleet"].into_iter().chain(REPOSITORY).chain(arguments.iter().copied()))
}

fn json_of(run: &Run) -> Json {
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}{}", run.out, run.err))
}

/// Clusters as a table and as the series of a store: their ids, their platforms, and how many
/// updates they say that they have.
fn clusters(all: &[(&str, &str, usize)]) -> (String, String) {
    let (mut table, mut series) = (String::new(), String::new());
    for (id, platform, available) in all {
        let own = match *platform {
            "" => String::new(),
            one => format!("cluster_infrastructure_provider{{_id=\"{id}\",type=\"{one}\"}} 1\n"),
        };
        let says =
            format!("cluster_version_available_updates{{_id=\"{id}\",channel=\"stable-4.14\"}}");
        let runs = format!("cluster_version{{_id=\"{id}\",type=\"current\",version=\"4.13.10\"}}");
        let _ = write!(series, "{own}{says} {available}\n{runs} 1\n");
        let own = own.trim().replace(&format!("_id=\"{id}\","), "");
        let row = json!({"name": id, "version": "4.13.10", "channel": "stable-4.14",
            "available_updates": available, "series": own});
        let _ = writeln!(table, "{row}");
    }
    (table, series)
}

const FLEET: &[(&str, &str, usize)] = &[
    ("0a", "VSphere", 1),
    ("0b", "AWS", 2),
    ("f0", "", 1),
    ("lab", "VSphere", 1),
    ("LAB", "AWS", 2),
];

#[test]
fn a_store_and_a_table_count_the_same() {
    let (table, series) = clusters(FLEET);
    let scratch = Scratch::new("fleet-store");
    let file = scratch.write("clusters.jsonl", table);
    let server = FakePrometheus::of_series(&series);
    let change = ["--with", "to=4.14.3 from=.* name=Example", "--list", "--format", "json"];
    let of_table = fleet(&[&[file.to_str().unwrap()], &change[..]].concat());
    let of_store = fleet(&[&["--url", &server.url, "--time", "1793534400"], &change[..]].concat());
    let (mut of_table, mut of_store) = (json_of(&of_table), json_of(&of_store));
    assert!(schema::FLEET.validator().is_valid(&of_store), "{of_store}");
    let gaps = of_store.as_object_mut().unwrap().remove("store").unwrap();
    let none = json!({"missing": [], "not_asked": [], "no_series": [], "without_channel": 0});
    assert_eq!(gaps, none);
    assert_eq!(of_table["clusters"], 5);
    for report in [&mut of_table, &mut of_store] {
        // The order is that of the rows.
        for list in ["kinds", "losses", "differences"] {
            let list = report[list].as_array_mut().unwrap();
            list.sort_by_key(ToString::to_string);
        }
    }
    assert_eq!(of_table, of_store);
}

/// A store that refuses some questions.
fn refusing(
    series: &str,
    refuses: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
) -> FakePrometheus {
    let source = Source::Series(SeriesText::read(series, None).series, Dialect::Three);
    FakePrometheus::answering(Box::new(move |query| {
        refuses(query).unwrap_or_else(|| answer(&source.ask(query)))
    }))
}

fn asked(server: &FakePrometheus) -> Run {
    fleet(&["--url", &server.url, "--time", "1793534400"])
}

#[test]
fn a_cluster_on_which_a_query_fails_does_not_hide_the_others() {
    let (_, series) = clusters(FLEET);
    let failing = json!({"status": "error", "errorType": "execution", "error": "many-to-many"});
    let server = refusing(&series, move |query| {
        let is_about_all = !query.contains("=~\"f") && !query.contains("=~\"0");
        let is_about = query.contains("VSphere") && (query.contains("=~\"f") || is_about_all);
        (is_about && !query.contains("!~"))
            .then(|| http("422 Unprocessable Entity", &failing.to_string()))
    });
    let run = asked(&server);
    assert!(run.out.starts_with("5 clusters of 3 kinds"), "{}{}", run.out, run.err);
    assert!(!run.out.contains("Missing"), "{}", run.out);
}

#[test]
fn what_a_store_does_not_say_is_not_counted_as_zero() {
    let (_, series) = clusters(FLEET);
    let server = refusing(&series, |query| {
        query.contains("VSphere").then(|| http("503 Service Unavailable", "busy"))
    });
    let run = asked(&server);
    assert_eq!(run.status, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("4 questions in a row have no answer"), "{}", run.err);

    let partial = json!({"status": "success", "warnings": ["a store is away"],
        "data": {"resultType": "vector", "result": []}});
    let server = refusing(&series, move |query| {
        let is_about_lab = query.contains("VSphere") && query.contains("!~");
        let is_about_all = query.contains("VSphere") && !query.contains("=~");
        (is_about_lab || is_about_all).then(|| http("200 OK", &partial.to_string()))
    });
    let run = asked(&server);
    let missing = run.out.split_once("Missing\n").unwrap_or_else(|| panic!("{}", run.out)).1;
    let line = "  2 clusters (LAB, lab) count as unable to tell about VSphereNodesLoseTheirNames: ";
    assert!(missing.starts_with(line), "{missing}");
    assert!(missing.contains("may be only a part"), "{missing}");
    assert_eq!(run.status, 1);
}

#[test]
fn a_metric_that_the_store_does_not_collect_is_said() {
    let runs = r#"cluster_version{_id="a",type="current",version="4.13.10"} 1"#;
    let updates = r#"cluster_version_available_updates{_id="a",channel="stable-4.14"} 1"#;
    let run = asked(&FakePrometheus::of_series(&format!("{runs}\n{updates}\n")));
    let words = "the store has no series of `cluster_infrastructure_provider`";
    assert!(run.out.contains(words), "{}{}", run.out, run.err);
}

#[test]
fn a_store_without_ids_is_refused() {
    let runs = r#"cluster_version{type="current",version="4.13.10"} 1"#;
    let run = asked(&FakePrometheus::of_series(runs));
    assert_eq!(run.status, 2);
    let words = "the store has no series `cluster_version{type=\"current\",_id!=\"\"}`";
    assert!(run.err.contains(words) && run.err.contains("--id-label"), "{}", run.err);
}

/// An operator of 4.22 says itself which risks affect its cluster.
#[test]
fn the_own_word_of_a_cluster_counts_more() {
    let (_, series) = clusters(&[("0a", "VSphere", 1), ("0b", "VSphere", 1)]);
    let own = r#"cluster_version_risk_conditions{_id="0a",condition="Applies",risk="VSphereNodesLoseTheirNames"} 0"#;
    let server = FakePrometheus::of_series(&format!("{series}{own}\n"));
    let run = asked(&server);
    assert!(
        run.out.contains("VSphereNodesLoseTheirNames keeps updates from 1 cluster"),
        "{}",
        run.out
    );
}

#[test]
fn counting_queries_match_their_schema() {
    let report = json_of(&fleet(&["--promql", "--format", "json"]));
    assert!(schema::FLEET_QUERIES.validator().is_valid(&report), "{report}");
    assert_eq!(report["queries"][0]["risk"], "VSphereNodesLoseTheirNames");
}

#[test]
fn flags_that_would_be_ignored_are_refused() {
    for flags in [
        &["--promql", "--list"][..],
        &["--promql", "--to", "latest"],
        &["--promql", "--channel", "stable-4.14"],
        &["--promql", "clusters.csv"],
        &["--url", "http://localhost:1", "clusters.csv"],
        &["clusters.csv", "--time", "1"],
        &["clusters.csv", "--risk", "VSphereNodesLoseTheirNames"],
        &["clusters.csv", "--id-label", "cluster"],
        &["--promql", "--risk", "NoSuchRisk"],
        &["--promql", "--id-label", "no label"],
    ] {
        let run = fleet(flags);
        assert_eq!(run.status, 2, "{flags:?}: {}{}", run.out, run.err);
    }
}

/// A query that the store does not understand is not the fault of clusters.
#[test]
fn a_refused_query_is_said_once() {
    let (_, series) = clusters(FLEET);
    let refused = json!({"status": "error", "errorType": "bad_data", "error": "parse error"});
    let server = refusing(&series, move |query| {
        query.contains("VSphere").then(|| http("400 Bad Request", &refused.to_string()))
    });
    let run = asked(&server);
    let line = "  5 clusters (0a, 0b, LAB and 2 more) count as unable to tell about \
        VSphereNodesLoseTheirNames: parse error\n";
    assert!(run.out.contains(line), "{}{}", run.out, run.err);
    assert_eq!(run.status, 1);
    let about = |query: &&String| query.contains("VSphere");
    assert_eq!(server.queries.lock().unwrap().iter().filter(about).count(), 1);
}

#[test]
fn a_store_that_names_fewer_clusters_than_it_has_is_not_believed() {
    for count in ["20000", "1e18", "+Inf"] {
        let (_, series) = clusters(FLEET);
        let all = json!({"status": "success", "data": {"resultType": "vector",
            "result": [{"metric": {}, "value": [1, count]}]}});
        let server = refusing(&series, move |query| {
            query.starts_with("count(group").then(|| http("200 OK", &all.to_string()))
        });
        let run = asked(&server);
        assert!(run.out.contains("clusters, but names 5"), "{count}: {}{}", run.out, run.err);
        assert_eq!(run.status, 1);
    }
}

#[test]
fn clusters_that_say_no_channel_are_the_reason() {
    let runs = r#"cluster_version{_id="a",type="current",version="4.13.10"} 1"#;
    let run = asked(&FakePrometheus::of_series(runs));
    assert_eq!(run.status, 2);
    assert!(
        run.err.contains("1 cluster says no channel, and is not counted; `--channel`"),
        "{}",
        run.err
    );
}

/// The answers before and after a change are those of its own query.
#[test]
fn a_change_of_a_query_is_asked_about() {
    let scratch = Scratch::new("fleet-store-change");
    let of = |name: &str, query: &str| {
        let text = format!(
            "to: 4.14.3\nfrom: .*\nurl: https://example.com/1\nname: Changed\n\
             message: It is a risk.\nmatchingRules:\n- type: PromQL\n  promql:\n    promql: {query}\n"
        );
        scratch.write(&format!("{name}/4.14.3-Changed.yaml"), text)
    };
    let all = "group(cluster_infrastructure_provider)";
    let (new, old) = (of("new", all), of("old", &format!("0 * {all}")));
    let folder = Scratch::copy_of("fleet-store-data", Path::new("fixtures/graph-data"));
    std::fs::copy(&old, folder.path().join("blocked-edges/4.14.3-Changed.yaml")).unwrap();
    let (table, series) = clusters(&[("0a", "AWS", 2), ("0b", "AWS", 2)]);
    let table = scratch.write("clusters.jsonl", table);
    let own = r#"cluster_version_risk_conditions{_id="0a",condition="Applies",risk="Changed"} 0"#;
    let server = FakePrometheus::of_series(&format!("{series}{own}\n"));
    let losing = |subject: &[&str]| {
        let repository = [
            "--repo",
            folder.path().to_str().unwrap(),
            "--releases",
            "fixtures/graphs/releases.json",
        ];
        let change = ["--without", "Changed", "--add", new.to_str().unwrap(), "--format", "json"];
        let change = change.into_iter().chain(["--to", "4.14.3"]);
        let run = exitpath(
            ["fleet"].into_iter().chain(subject.iter().copied()).chain(repository).chain(change),
        );
        json_of(&run)["losing"].clone()
    };
    let of_table = losing(&[table.to_str().unwrap()]);
    assert_eq!(of_table, 2);
    assert_eq!(losing(&["--url", &server.url, "--time", "1793534400"]), of_table);
}

/// The second rule counts where the first one has no answer.
#[test]
fn counting_queries_follow_all_rules_of_a_risk() {
    let scratch = Scratch::new("fleet-store-rules");
    let risk = "to: 4.14.3\nfrom: 4[.]13[.].*\nurl: https://example.com/1\nname: Two\nmessage: It is a risk.\n\
        matchingRules:\n- type: PromQL\n  promql:\n    promql: max by (x) (m{x=\"1\"})\n\
        - type: PromQL\n  promql:\n    promql: n\n";
    let file = scratch.write("4.14.3-Two.yaml", risk);
    let report = json_of(&fleet(&[
        "--promql",
        "--add",
        file.to_str().unwrap(),
        "--risk",
        "Two",
        "--format",
        "json",
    ]));
    let query = report["queries"][0]["query"].as_str().unwrap();
    let mut series = String::new();
    // By the first rule yes and no, by the second one no and yes, and none.
    for (id, own) in
        [("a", "m 1"), ("b", "m 0"), ("c", "n 0"), ("d", "n 1"), ("e", "m 1\nn 0"), ("f", "")]
    {
        let _ = writeln!(
            series,
            "cluster_version{{_id=\"{id}\",type=\"current\",version=\"4.13.10\"}} 1"
        );
        for line in own.lines() {
            let (metric, value) = line.split_once(' ').unwrap();
            let _ = writeln!(series, "{metric}{{_id=\"{id}\",x=\"1\"}} {value}");
        }
    }
    let source = Source::Series(SeriesText::read(&series, None).series, Dialect::Three);
    let promql::Value::Vector(samples) = source.ask(query).unwrap() else { panic!("{query}") };
    let count = |affected: &str| {
        let found = samples.iter().find(|(labels, _)| labels.get("affected") == affected);
        found.map(|(_, count)| *count)
    };
    assert_eq!((count("1"), count("0"), count("-1")), (Some(3.0), Some(2.0), Some(1.0)));
}
