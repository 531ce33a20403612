//! Queries about one cluster, asked of a store with the series of many.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use exitpath::testing::domain::Named;
use exitpath::testing::metrics::SampleCluster;
use exitpath::testing::telemetry::{ClusterIds, query_for_many};
use promql::{Dialect, Labels, Point, Settings, Store};
use serde_json::{Value as Json, json};
use serde_yaml::Value as Yaml;

use crate::checks::real_data;
use crate::data::values::answer;
use crate::data::values_queries::Queries;
use crate::data::values_series::{NOW, Random, series};
use crate::shared::scratch::git_command;

const IDS: ClusterIds<'_> = ClusterIds { label: "_id", only: None };

fn rewritten(query: &str) -> Result<String, String> {
    query_for_many(query, &IDS).map_err(|why| why.to_string())
}

#[test]
fn the_id_survives_aggregations_and_matches() {
    let each = r#"group by (_id) (cluster_version{type="current"})"#;
    let cases = [
        ("sum(up)", "sum by (_id) (up)".to_owned()),
        ("sum(up) by (job)", "sum by (_id, job) (up)".to_owned()),
        ("max without (_id, pod) (up)", "max without (pod) (up)".to_owned()),
        (r#"up{_id="",job="a",}"#, r#"up{job="a"}"#.to_owned()),
        (r#"up{_id=""} # a comment"#, "up".to_owned()),
        ("a * on () group_left (_id, x) b", "a * on (_id) group_left (x) b".to_owned()),
        ("a or ignoring (_id) b", "a or ignoring () b".to_owned()),
        ("vector(1)", format!("(0 * {each} + (1))")),
        ("hour()", format!("hour(0 * {each} + time())")),
        (
            r#"absent(up{job="a$1"})"#,
            format!(
                r#"(label_replace(({each} unless on (_id) (up{{job="a$1"}})), "job", "a$$1", "", ""))"#
            ),
        ),
        (
            "absent_over_time(up[5m])",
            format!("(({each} unless on (_id) (present_over_time(up[5m]))))"),
        ),
    ];
    for (query, expected) in cases {
        assert_eq!(rewritten(query), Ok(expected), "{query}");
    }
}

#[test]
fn what_would_mean_something_else_is_refused() {
    let cases = [
        ("vector(scalar(up))", "`scalar` is one number for all clusters, and each has its own"),
        ("time()", "its answer is a scalar, which clusters do not take"),
        (r#"up{_id="x"}"#, r#"`_id="x"` matches no series of a cluster"#),
        (
            r#"label_replace(up, "_id", "$1", "job", "(.*)")"#,
            "it uses the label `_id`, in which the store has the cluster's id",
        ),
        (
            r#"count_values("_id", up)"#,
            "it uses the label `_id`, in which the store has the cluster's id",
        ),
    ];
    for (query, why) in cases {
        assert_eq!(rewritten(query), Err(why.to_owned()), "{query}");
    }
}

/// Clusters by their ids.
struct Clusters(BTreeMap<String, Store>);

impl Clusters {
    /// Clusters with some of the series of `values_series`.
    fn random(count: usize) -> Self {
        let mut random = Random::new(5);
        let one = |random: &mut Random| {
            let mut store = Store::default();
            for (labels, points) in series().iter() {
                if labels.get("_id").is_empty() && random.below(3) > 0 {
                    store.replace(labels.clone(), points.to_vec());
                }
            }
            with_release(store)
        };
        Self((0..count).map(|at| (format!("c{at}"), one(&mut random))).collect())
    }

    fn samples() -> Self {
        let not_hosted = SampleCluster::names().filter(|name| !name.contains("hosted"));
        let of = |name: &str| SampleCluster::named(name).unwrap().series(Some(NOW)).store;
        Self(not_hosted.map(|name| (name.to_owned(), with_release(of(name)))).collect())
    }

    /// The series of all.
    fn store(&self) -> Store {
        let mut store = Store::default();
        for (id, cluster) in &self.0 {
            for (labels, points) in cluster.iter() {
                let labels = labels.iter().chain([("_id", id.as_str())]);
                store.replace(Labels::new(labels), points.to_vec());
            }
        }
        store
    }
}

/// Each cluster says which release it runs, as long as queries look back or ahead.
fn with_release(mut store: Store) -> Store {
    let current = [("__name__", "cluster_version"), ("type", "current"), ("version", "4.18.1")];
    let minutes = -600..600;
    let points = minutes.map(|minute| Point { time: NOW + minute * 60_000, value: 1.0 });
    store.replace(Labels::new(current), points.collect());
    store
}

/// The samples of an answer: their labels and values.
fn samples(answer: &Json) -> BTreeSet<String> {
    let samples = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}")).iter();
    samples.map(|sample| format!("{} {}", sample["metric"], sample["value"][1])).collect()
}

/// The samples of a cluster among those of all.
fn samples_of(id: &str, answer: &Json) -> BTreeSet<String> {
    let all = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
    let own = all.into_iter().filter_map(|mut sample| {
        let label = sample["metric"].as_object_mut().unwrap().remove("_id");
        assert!(label.is_some(), "a sample belongs to no cluster: {sample}");
        (label? == json!(id)).then_some(sample)
    });
    samples(&json!({"result": own.collect::<Vec<_>>()}))
}

/// How many of these queries have the same answer in a store as on each cluster by itself. The
/// others are refused, or fail on a cluster.
fn same_answers(queries: impl Iterator<Item = String>, clusters: &Clusters) -> usize {
    let settings = Settings::at(NOW, Dialect::Three);
    let store = clusters.store();
    let mut same = 0;
    for query in queries {
        let each = clusters.0.values().map(|cluster| answer(&query, cluster, &settings));
        let each: Vec<Json> = each.collect();
        let Ok(for_many) = rewritten(&query) else { continue };
        if each.iter().any(|answer| answer["type"] != "vector") {
            continue;
        }
        let all = answer(&for_many, &store, &settings);
        for (id, own) in clusters.0.keys().zip(&each) {
            assert_eq!(samples_of(id, &all), samples(own), "{query}\n{for_many}");
        }
        same += 1;
    }
    same
}

/// The queries of the newest revision.
fn queries_of(history: &Path) -> BTreeSet<String> {
    let grep = git_command()
        .arg("-C")
        .arg(history)
        .args(["grep", "-l", "promql", "HEAD", "--", "blocked-edges"])
        .output();
    let places = String::from_utf8(grep.unwrap().stdout).unwrap();
    let shown = |place| git_command().arg("-C").arg(history).args(["show", place]).output();
    let texts =
        places.lines().map(|place| String::from_utf8(shown(place).unwrap().stdout).unwrap());
    let rules = texts.flat_map(|text| {
        let file: Yaml = serde_yaml::from_str(&text).unwrap();
        file["matchingRules"].as_sequence().cloned().unwrap_or_default()
    });
    let query = |rule: Yaml| rule["promql"]["promql"].as_str().map(|text| text.trim().to_owned());
    rules.filter_map(query).collect()
}

#[test]
fn random_queries_have_the_same_answers_on_each_cluster() {
    let mut queries = Queries::new(7);
    let asked = std::iter::repeat_with(|| queries.vector(3)).take(3000);
    let same = same_answers(asked, &Clusters::random(5));
    assert!(same > 1000, "only {same} queries have an answer on each cluster");
}

#[test]
fn real_queries_have_the_same_answers_on_each_cluster() {
    let Some(history) = real_data::history() else { return };
    let queries = queries_of(history);
    for query in &queries {
        assert!(rewritten(query).is_ok(), "{query}: {:?}", rewritten(query));
    }
    let same = same_answers(queries.iter().cloned(), &Clusters::samples());
    assert!(same * 10 > queries.len() * 9, "only {same} of {}", queries.len());
}
