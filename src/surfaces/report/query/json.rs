//! Writes the answer as JSON, in the form of `data` of Prometheus's query API.

use std::io::{self, Write};

use serde_json::{Map, Value as Json, json, value::RawValue};

use crate::promql::{Labels, Point, Value, in_json, seconds};
use crate::text::printable_json;

use super::QueryReport;

pub(super) fn write(report: &QueryReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let document = match report.answer {
        Ok(value) => data(value, report.time)?,
        Err(error) => json!({"errorType": error.kind(), "error": error.words()}).to_string(),
    };
    writeln!(out, "{}", printable_json(&document))
}

fn data(value: &Value, time: i64) -> io::Result<String> {
    let now = |value: f64| sample(Point { time, value });
    let (kind, result) = match value {
        Value::Scalar(value) => ("scalar", now(*value)?),
        Value::Text(text) => ("string", pair(time, text)?),
        Value::Vector(samples) => {
            let samples = samples.iter().map(|(labels, value)| {
                Ok(format!(r#"{{"metric":{},"value":{}}}"#, metric(labels), now(*value)?))
            });
            ("vector", listed(samples)?)
        }
        Value::Matrix(series) => {
            let series = series.iter().map(|(labels, points)| {
                let points = listed(points.iter().map(|point| sample(*point)))?;
                Ok(format!(r#"{{"metric":{},"values":{points}}}"#, metric(labels)))
            });
            ("matrix", listed(series)?)
        }
    };
    Ok(format!(r#"{{"resultType":"{kind}","result":{result}}}"#))
}

fn listed(items: impl Iterator<Item = io::Result<String>>) -> io::Result<String> {
    Ok(format!("[{}]", items.collect::<io::Result<Vec<_>>>()?.join(",")))
}

fn metric(labels: &Labels) -> Json {
    let labels = labels.iter().map(|(name, value)| (name.to_owned(), Json::from(value)));
    Json::Object(labels.collect::<Map<_, _>>())
}

fn sample(point: Point) -> io::Result<String> {
    pair(point.time, &in_json(point.value))
}

/// A sample such as `[1755896700.123,"1"]`. The time keeps its digits.
fn pair(time: i64, text: &str) -> io::Result<String> {
    let time = RawValue::from_string(seconds(time))?;
    Ok(serde_json::to_string(&(time, text))?)
}
