//! Queries: what they answer over given series.

use std::fs;

use promql::{
    Dialect, EvalError, Labels, Settings, Store, Value, evaluate, in_json, parse_as, read, seconds,
};
use serde_json::{Value as Json, json};

use crate::checks::real_data;

/// What Prometheus's API answers, without the frame around it.
pub(crate) fn answer(query: &str, store: &Store, settings: &Settings) -> Json {
    let query = match parse_as(query, settings.dialect) {
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
                let points = points.iter().map(|p: &promql::Point| point(p.time, p.value));
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
        return;
    };
    let settings = Settings::at(1_755_896_700_000, Dialect::Two);
    let series = read(fs::read_to_string(series).unwrap(), settings.time).unwrap();
    assert_eq!(series.malformed.first, []);
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

const T: i64 = 1_755_896_700;

/// The values that a query has over a text's series.
fn values(query: &str, series: &str, dialect: Dialect) -> Vec<String> {
    let settings = Settings::at(T * 1000, dialect);
    let series = read(series, settings.time).unwrap();
    assert_eq!(series.malformed.first, []);
    let query = parse_as(query, dialect).unwrap();
    match evaluate(&query, &series.store, &settings) {
        Ok(Value::Vector(samples)) => samples.iter().map(|(_, value)| in_json(*value)).collect(),
        Ok(other) => vec![format!("{other:?}")],
        Err(error) => vec![error.to_string()],
    }
}

/// Samples exactly 5 minutes and 1 minute before the query, and at its time.
const AT_THE_BORDERS: &str = "\
a 1 1755896400
b 1 1755896400
b 2 1755896640
b 3 1755896700
# EOF
";

#[test]
fn windows_of_prometheus_3_leave_out_their_start() {
    for (query, two, three) in [
        ("a", &["1"][..], &[][..]),
        ("count_over_time(b[5m])", &["3"], &["2"]),
        ("count_over_time(b[1m])", &["2"], &["1"]),
        ("count_over_time(b[1m:1m])", &["2"], &["1"]),
        ("count_over_time(b[59s])", &["1"], &["1"]),
    ] {
        assert_eq!(values(query, AT_THE_BORDERS, Dialect::Two), two, "{query}");
        assert_eq!(values(query, AT_THE_BORDERS, Dialect::Three), three, "{query}");
    }
}

/// The numbers are those of Prometheus 2.42.
#[test]
fn prometheus_2_smooths_a_trend() {
    let series = "\
b 1 1755896400
b 2 1755896460
b 4 1755896520
b 3 1755896640
b 9 1755896700
one 7 1755896700
# EOF
";
    for (query, answer) in [
        ("holt_winters(b[5m], 0.5, 0.1)", "6.873749999999999"),
        ("holt_winters(b[5m], 0.01, 0.99)", "5.049408950099999"),
        ("holt_winters(b[1m], 0.5, 0.5)", "9"),
        ("holt_winters(one[5m], 0.5, 0.5)", "none"),
        (
            "holt_winters(b[5m], 0, 0.5)",
            "invalid smoothing factor. Expected: 0 < sf < 1, got: 0.000000",
        ),
        (
            "holt_winters(b[5m], 0.5, 1 / 0)",
            "invalid trend factor. Expected: 0 < tf < 1, got: +Inf",
        ),
        ("holt_winters(b[5m], 0.5, 0 / 0)", "NaN"),
        ("holt_winters(none[5m], 2, 2)", "none"),
    ] {
        let expected: Vec<&str> = if answer == "none" { Vec::new() } else { vec![answer] };
        assert_eq!(values(query, series, Dialect::Two), expected, "{query}");
    }
}

#[test]
fn a_dot_of_prometheus_3_matches_a_line_feed() {
    let series = "a{x=\"1\\n2\"} 1\n";
    for (query, two, three) in [
        (r#"a{x=~"1.2"}"#, &[][..], &["1"][..]),
        (r#"a{x!~"1.2"}"#, &["1"], &[]),
        (r#"a{x=~"(?s)1.2"}"#, &["1"], &["1"]),
        (
            r#"label_replace(a, "y", "z", "x", ".*") == on (y) label_replace(a, "y", "z", "", "")"#,
            &[],
            &["1"],
        ),
    ] {
        assert_eq!(values(query, series, Dialect::Two), two, "{query}");
        assert_eq!(values(query, series, Dialect::Three), three, "{query}");
    }
}

#[test]
fn prometheus_3_keeps_what_rounding_leaves_and_knows_that_infinity_has_no_spread() {
    let series = "a{x=\"1\"} 1e100\na{x=\"2\"} 1\na{x=\"3\"} -1e100\nb +Inf\n";
    assert_eq!(values("sum(a)", series, Dialect::Two), ["0"]);
    assert_eq!(values("sum(a)", series, Dialect::Three), ["1"]);
    assert_eq!(values("stddev(b)", series, Dialect::Two), ["0"]);
    assert_eq!(values("stddev(b)", series, Dialect::Three), ["NaN"]);
}

#[test]
fn labels_of_prometheus_3_may_have_any_characters() {
    let query = r#"label_replace(vector(1), "a.b", "c", "", "")"#;
    let refused = "invalid destination label name in label_replace(): a.b";
    assert_eq!(values(query, "", Dialect::Two), [refused]);
    assert_eq!(values(query, "", Dialect::Three), ["1"]);
}

/// Queries that would take very long, or make very long texts.
#[test]
fn hostile_queries_are_errors() {
    let mut doubled = "a".to_owned();
    for _ in 0..150 {
        doubled = format!("label_join({doubled},\"x\",\"\",\"x\",\"x\")");
    }
    let nested = format!("{}a{}", "max_over_time((".repeat(90), ")[1h:1s])".repeat(90));
    let many = format!("a{}", "+a".repeat(5000));
    for (query, expected) in [
        ("max_over_time(a[100y:1ms])", "samples and steps"),
        (
            "sum_over_time(sum_over_time(sum_over_time(a[1y:1s])[1w:1s])[1w:1s])",
            "samples and steps",
        ),
        ("max_over_time(a[1h:0.0001])", "shorter than a millisecond"),
        (&nested, "samples and steps"),
        (&doubled, "longer than 64 KiB"),
        (&many, "0"),
        ("a @ 9e18 offset 200y", ""),
        ("a[200y] @ -9e18 offset 200y", ""),
        ("year(vector(1e300)) + hour(vector(-1e300))", ""),
    ] {
        let shown: String = query.chars().take(80).collect();
        let found = values(query, "a{x=\"12\"} 1 1755896700000\n", Dialect::Three).join(" ");
        assert!(found.contains(expected), "{shown}: {found}");
    }
}

#[test]
fn malformed_lines_are_reported_and_the_others_read() {
    let text = "\
# HELP a Words.
a 1
a{x=\"1\",y=\"\"} +Inf 1755896700000
a{x=\"2\" 1
b{x=\"1\"}
b{x=1} 1
b one
b 1 soon
b 2 1755896700000 more
b{x=\"1\",x=\"2\"} 1
{x=\"1\"} 1
{\"a.b\",x=\"q\\\"\\\\\\n\"} NaN
a 2
a 1
1a 1
";
    let series = read(text, T * 1000).unwrap();
    let malformed: Vec<String> = series
        .malformed
        .first
        .iter()
        .map(|fault| format!("{}:{}: expected {}", fault.line, fault.column, fault.expected))
        .collect();
    assert_eq!(
        malformed,
        [
            "4:9: expected `,` or `}`",
            "5:9: expected a value",
            "6:5: expected a text in double quotes",
            "7:3: expected a number",
            "8:5: expected a time in milliseconds",
            "9:19: expected the end of the line",
            "10:9: expected another label, because this one is there already",
            "11:1: expected the name of a metric",
            "13:1: expected another time, because this series has another value then",
            "15:1: expected the name of a metric",
        ]
    );
    let labels: Vec<String> = series.store.iter().map(|(labels, _)| labels.to_string()).collect();
    assert_eq!(
        labels,
        [r#"{__name__="a"}"#, r#"{__name__="a", x="1"}"#, r#"{__name__="a.b", x="q\"\\\n"}"#,]
    );
}

#[test]
fn times_are_seconds_in_openmetrics_and_milliseconds_in_prometheus() {
    let in_openmetrics = "a 1 1755896699.5 # {trace=\"1\"} 0.5\nb 2 # {} 1\n# EOF\n";
    assert_eq!(values("timestamp(a)", in_openmetrics, Dialect::Two), ["1755896699.5"]);
    assert_eq!(values("timestamp(b)", in_openmetrics, Dialect::Two), ["1755896700"]);
    let in_prometheus = "a 1 1755896699500\n";
    assert_eq!(values("timestamp(a)", in_prometheus, Dialect::Two), ["1755896699.5"]);
}
