//! What queries answer, in a few words.

use crate::metrics::QueryError;
use crate::promql::{Labels, Value, in_json};
use crate::text::printable;
use crate::text::words::counted;

/// More samples are summed up.
const MOST_SAMPLES: usize = 3;

/// The answer to a query, in one line.
pub(crate) fn answer_in_words(answer: &Result<Value, QueryError>) -> String {
    match answer {
        Ok(value) => value_in_words(value),
        Err(QueryError::Unsupported(why)) => {
            printable(&format!("exitpath cannot evaluate it: {why}")).into_owned()
        }
        Err(error) => printable(&format!("none: the query fails: {}", error.words())).into_owned(),
    }
}

/// A value, in one line.
fn value_in_words(value: &Value) -> String {
    let words = match value {
        Value::Scalar(value) => format!("the scalar {}", in_json(*value)),
        Value::Text(text) => format!("the string {text:?}"),
        Value::Matrix(series) => {
            format!("{} with samples over time", counted(series.len(), "series"))
        }
        Value::Vector(samples) => vector(samples),
    };
    printable(&words).into_owned()
}

fn vector(samples: &[(Labels, f64)]) -> String {
    match samples {
        [] => "nothing".into(),
        [(labels, value)] => one(labels, *value),
        few if few.len() <= MOST_SAMPLES => {
            let few: Vec<String> = few.iter().map(|(labels, value)| one(labels, *value)).collect();
            format!("{} samples: {}", few.len(), few.join(", "))
        }
        many => {
            let mut values: Vec<f64> = many.iter().map(|(_, value)| *value).collect();
            values.sort_by(f64::total_cmp);
            let (least, greatest) = (in_json(values[0]), in_json(values[values.len() - 1]));
            let range = if least == greatest {
                format!("each {least}")
            } else {
                format!("from {least} to {greatest}")
            };
            format!("{} samples, {range}", many.len())
        }
    }
}

/// The labels that say which target a sample is from.
const SCRAPE_LABELS: &[&str] = &[
    "__name__",
    "container",
    "endpoint",
    "instance",
    "job",
    "namespace",
    "pod",
    "prometheus",
    "service",
];

/// A sample with the labels that matter. The name of the metric is in the query.
fn one(labels: &Labels, value: f64) -> String {
    const MANY: usize = 4;
    let is_told = |(name, _): &(&str, &str)| match labels.iter().count() {
        0..=MANY => *name != "__name__",
        _ => !SCRAPE_LABELS.contains(name),
    };
    let value = in_json(value);
    let labels = Labels::new(labels.iter().filter(is_told));
    if labels.is_empty() { value } else { format!("{value} {labels}") }
}
