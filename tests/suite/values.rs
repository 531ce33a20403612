//! Queries: what they answer over given series.

use std::fs;

use exitpath::testing::promql::{
    Dialect, EvalError, Labels, Settings, Store, Value, evaluate, in_json, parse, read, seconds,
};
use serde_json::{Value as Json, json};

use crate::real_data;

/// What Prometheus's API answers, without the frame around it.
pub(crate) fn answer(query: &str, store: &Store, settings: &Settings) -> Json {
    let query = match parse(query) {
        Ok(query) => query,
        Err(error) => return json!({"errorType": "bad_data", "error": error.message}),
    };
    match evaluate(&query, store, settings) {
        Ok(value) => in_api(&value, settings.time),
        Err(EvalError::Execution(words)) => json!({"errorType": "execution", "error": words}),
        Err(other) => json!({"errorType": "unsupported", "error": other.to_string()}),
    }
}

fn in_api(value: &Value, time: i64) -> Json {
    let point = |time: i64, value: f64| {
        let time: serde_json::Number = seconds(time).parse().unwrap();
        json!([time, in_json(value)])
    };
    let metric = |labels: &Labels| -> Json {
        labels.iter().map(|(name, value)| (name.to_owned(), Json::from(value))).collect()
    };
    let (kind, result) = match value {
        Value::Scalar(value) => ("scalar", point(time, *value)),
        Value::Text(text) => ("string", json!([time / 1000, text])),
        Value::Vector(samples) => {
            let sample = |(labels, value): &(Labels, f64)| json!({"metric": metric(labels), "value": point(time, *value)});
            ("vector", samples.iter().map(sample).collect())
        }
        Value::Matrix(series) => {
            let one = |(labels, points): &(Labels, Vec<_>)| {
                let points = points
                    .iter()
                    .map(|p: &exitpath::testing::promql::Point| point(p.time, p.value));
                json!({"metric": metric(labels), "values": points.collect::<Json>()})
            };
            ("matrix", series.iter().map(one).collect())
        }
    };
    json!({"type": kind, "result": result})
}

/// The words of an error in which Prometheus promises no order.
pub(crate) fn order_of_duplicates_aside(error: &str) -> String {
    let Some((before, rest)) = error.split_once("operation: [{") else { return error.to_owned() };
    let Some((series, after)) = rest.split_once("}];") else { return error.to_owned() };
    let mut series: Vec<&str> = series.split("}, {").collect();
    series.sort_unstable();
    format!("{before}{series:?}{after}")
}

#[test]
fn the_answers_are_those_of_prometheus() {
    let folder = real_data::data("promql-vectors.jsonl");
    let series = real_data::data("promql-vectors.openmetrics.txt");
    let (Some(rows), Some(series)) = (folder, series) else {
        eprintln!("skipped: EXITPATH_REAL_DATA names no folder with Prometheus's answers");
        return;
    };
    let settings = Settings::at(1_755_896_700_000, Dialect::Two);
    let series = read(&fs::read_to_string(series).unwrap(), settings.time);
    assert_eq!(series.malformed, []);
    let (mut rows_read, mut wrong) = (0, Vec::new());
    for line in fs::read_to_string(rows).unwrap().lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let query = row["query"].as_str().unwrap();
        let ours = answer(query, &series.store, &settings);
        rows_read += 1;
        let same = match row["errorType"].as_str() {
            // The words for mistakes in the query are our own.
            Some("bad_data") => ours["errorType"] == "bad_data",
            Some(_) => {
                let words = |row: &Json| {
                    order_of_duplicates_aside(row["error"].as_str().unwrap_or_default())
                };
                ours["errorType"] == row["errorType"] && words(&ours) == words(&row)
            }
            None => ours["type"] == row["type"] && ours["result"] == row["result"],
        };
        if !same {
            wrong.push(format!("{query}\n    ours:  {ours}\n    there: {row}"));
        }
    }
    assert!(wrong.is_empty(), "of {rows_read} rows:\n{}", wrong.join("\n"));
    assert!(rows_read > 90, "only {rows_read} rows");
}
