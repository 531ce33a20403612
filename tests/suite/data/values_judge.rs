//! A real Prometheus as the judge of what queries answer. `tests/tables/values-verify` starts one,
//! and names it in `EXITPATH_PROMETHEUS`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use exitpath::testing::domain::Named;
use exitpath::testing::graph_data::{GraphData, blobs};
use exitpath::testing::metrics::SampleCluster;
use promql::{Dialect, Settings, Store};
use serde_json::{Value as Json, json};

use crate::checks::real_data;
use crate::data::prometheus::Prometheus;
use crate::data::values::{answer, order_of_duplicates_aside};
use crate::data::values_at_modifier::is_odd_at;
use crate::data::values_queries::Queries;
use crate::data::values_series::{NOW, series};
use crate::shared::skipped;

/// The Prometheus that `EXITPATH_PROMETHEUS` names by address and port.
fn found() -> Option<Prometheus> {
    let Ok(host) = std::env::var("EXITPATH_PROMETHEUS") else {
        skipped("EXITPATH_PROMETHEUS names no Prometheus; see values-verify");
        return None;
    };
    Some(Prometheus::at(host).unwrap())
}

/// Gives it the series of the random queries, once.
fn load(prometheus: &mut Prometheus, store: &Store) {
    static LOADED: Mutex<bool> = Mutex::new(false);
    let mut is_loaded = LOADED.lock().unwrap();
    if !std::mem::replace(&mut *is_loaded, true) {
        prometheus.write(store);
    }
}

/// What it answers, in the form of `values::answer`.
fn answer_of(prometheus: &mut Prometheus, query: &str, time: i64) -> Json {
    let body: Json = serde_json::from_slice(&prometheus.ask(query, time)).unwrap();
    if body["status"] == "success" {
        return json!({"type": body["data"]["resultType"], "result": body["data"]["result"]});
    }
    json!({"errorType": body["errorType"], "error": body["error"]})
}

/// Whether two numbers are the same but for rounding.
#[allow(clippy::float_cmp, reason = "infinities are equal only exactly")]
fn near(a: &str, b: &str) -> bool {
    let (Ok(a), Ok(b)) = (a.parse::<f64>(), b.parse::<f64>()) else { return false };
    let size = a.abs().max(b.abs());
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-9 * size
}

/// Whether two parts of answers are the same.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            let found = |(key, value): (&String, &Json)| b.get(key).is_some_and(|b| same(value, b));
            a.len() == b.len() && a.iter().all(found)
        }
        (Json::String(a), Json::String(b)) => a == b || near(a, b),
        (Json::Number(a), Json::Number(b)) => near(&a.to_string(), &b.to_string()),
        _ => a == b,
    }
}

/// Whether two answers are the same. Only what is sorted has an order.
fn agree(query: &str, ours: &Json, theirs: &Json) -> bool {
    if ours["errorType"] != theirs["errorType"] {
        return false;
    }
    if ours["errorType"] == "bad_data" {
        return true;
    }
    if let (Some(ours), Some(theirs)) = (ours["error"].as_str(), theirs["error"].as_str()) {
        let words = |error: &str| {
            let error = order_of_duplicates_aside(error);
            error.split('{').next().unwrap_or_default().to_owned()
        };
        return words(ours) == words(theirs);
    }
    let result = |answer: &Json| {
        let mut result = answer["result"].clone();
        let is_set = result.get(0).is_some_and(Json::is_object);
        if is_set && !query.starts_with("sort") {
            let series = result.as_array_mut().unwrap();
            series.sort_by_cached_key(|series| series["metric"].to_string());
        }
        if is_set && query.starts_with("sort") {
            // Equal values have no order.
            let values: Json =
                result.as_array().unwrap().iter().map(|s| s["value"].clone()).collect();
            result = values;
        }
        result
    };
    ours["type"] == theirs["type"] && same(&result(ours), &result(theirs))
}

fn settings(prometheus: &mut Prometheus) -> Settings {
    let is_three = prometheus.version().starts_with("3.");
    let dialect = if is_three { Dialect::Three } else { Dialect::Two };
    // Where nothing else is configured, rules are evaluated every minute.
    Settings { step: 60_000, ..Settings::at(NOW, dialect) }
}

#[test]
fn random_queries_are_answered_as_by_prometheus() {
    let Some(mut prometheus) = found() else { return };
    let number = |name: &str, else_: usize| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(else_)
    };
    let count = number("EXITPATH_QUERIES", 40_000);
    let (store, settings) = (series(), settings(&mut prometheus));
    load(&mut prometheus, &store);
    let mut queries = Queries::new(number("EXITPATH_SEED", 1) as u64);
    let (mut kinds, mut wrong) = (BTreeMap::<String, usize>::new(), Vec::new());
    let mut omitted = 0;
    for _ in 0..count {
        let query = queries.query();
        if is_odd_at(&query) {
            omitted += 1;
            continue;
        }
        let ours = answer(&query, &store, &settings);
        let mut theirs = answer_of(&mut prometheus, &query, NOW);
        // After a subquery, the order of series is random there: `topk` may choose others, and sums
        // may be rounded in another way.
        let is_random = query.contains(':') || query.contains("histogram_quantile");
        for _ in 0..200 {
            if agree(&query, &ours, &theirs) || !is_random {
                break;
            }
            theirs = answer_of(&mut prometheus, &query, NOW);
        }
        let kind = match theirs["type"].as_str() {
            Some(kind) if theirs["result"] == json!([]) => format!("empty {kind}"),
            Some(kind) => kind.to_owned(),
            None => format!("error: {}", theirs["errorType"]),
        };
        *kinds.entry(kind).or_default() += 1;
        if !agree(&query, &ours, &theirs) {
            wrong.push(format!("{query}\n    ours:  {ours}\n    there: {theirs}"));
        }
    }
    eprintln!("{count} queries: {kinds:?}, {omitted} omitted, {} differ", wrong.len());
    wrong.sort_by_key(String::len);
    if let Some(path) = std::env::var_os("EXITPATH_DIFFERENCES") {
        fs::write(path, wrong.join("\n")).unwrap();
    }
    let shown: Vec<String> =
        wrong.iter().take(20).map(|w| w.chars().take(1500).collect()).collect();
    assert!(wrong.is_empty(), "{}", shown.join("\n"));
}

/// The queries of the newest revision of the real data, or else of our own repository.
fn queries_of_risks() -> Vec<String> {
    let (root, revision) = match real_data::history_if_any() {
        Some(history) => (history, Some("HEAD")),
        None => (Path::new("fixtures/graph-data"), None),
    };
    let data = GraphData::from_blobs(blobs(root, revision).unwrap());
    data.queries.all().map(|reading| reading.text.clone()).collect()
}

#[test]
fn sample_clusters_are_answered_as_by_prometheus() {
    const DAY: i64 = 86_400_000;
    let Some(mut prometheus) = found() else { return };
    // A Prometheus takes no samples that are much older than what it has.
    load(&mut prometheus, &series());
    let (settings, queries) = (settings(&mut prometheus), queries_of_risks());
    let (mut compared, mut wrong) = (0, Vec::new());
    for (nth, cluster) in SampleCluster::ALL.iter().enumerate() {
        let time = NOW + DAY * (i64::try_from(nth).unwrap() + 1);
        let cluster_series = cluster.series(Some(time));
        prometheus.write(&cluster_series.store);
        let settings = Settings { time, ..settings };
        for query in &queries {
            let query = cluster_series.as_asked(query);
            let ours = answer(&query, &cluster_series.store, &settings);
            let theirs = answer_of(&mut prometheus, &query, time);
            compared += 1;
            if !agree(&query, &ours, &theirs) {
                wrong.push(format!(
                    "{}: {query}\n    ours:  {ours}\n    there: {theirs}",
                    cluster.name()
                ));
            }
        }
    }
    eprintln!("{compared} answers on sample clusters compared, {} differ", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `values.jsonl` holds what Prometheus answers. `EXITPATH_BLESS=1` asks it again.
#[test]
fn the_table_is_what_prometheus_answers() {
    let Some(mut prometheus) = found() else { return };
    let (store, settings) = (series(), settings(&mut prometheus));
    if settings.dialect != Dialect::Two {
        skipped("the table holds what Prometheus 2 answers");
        return;
    }
    load(&mut prometheus, &store);
    let (path, mut now, mut wrong) = ("tests/tables/values.jsonl", String::new(), Vec::new());
    for line in fs::read_to_string(path).unwrap().lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let query = row["query"].as_str().unwrap();
        let answer = answer_of(&mut prometheus, query, NOW);
        if !agree(query, &row["answer"], &answer) {
            wrong.push(format!("{query}: {answer}"));
        }
        let _ = writeln!(now, "{}", json!({"query": query, "answer": answer}));
    }
    if std::env::var_os("EXITPATH_BLESS").is_some() {
        fs::write(path, now).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same table without Prometheus.
#[test]
fn the_table_is_what_we_answer() {
    let (store, settings) =
        (series(), Settings { step: 60_000, ..Settings::at(NOW, Dialect::Two) });
    let mut wrong = Vec::new();
    for line in fs::read_to_string("tests/tables/values.jsonl").unwrap().lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let query = row["query"].as_str().unwrap();
        let ours = answer(query, &store, &settings);
        if !agree(query, &ours, &row["answer"]) {
            wrong.push(format!("{query}\n    ours:  {ours}\n    there: {}", row["answer"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
