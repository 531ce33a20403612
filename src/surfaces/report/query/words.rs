//! What queries answer, in a few words.

use crate::metrics::QueryError;
use crate::promql::{Labels, Value, in_json};
use crate::text::printable;
use crate::text::words::grouped;

/// The most samples that are listed.
const MOST_SAMPLES: usize = 3;

/// The answer to a query, in one line.
pub(crate) fn answer_in_words(answer: &Result<Value, QueryError>) -> String {
    match answer {
        Ok(value) => value_in_words(value),
        Err(QueryError::Unsupported(why)) => {
            printable(&format!("exitpath cannot evaluate it: {why}")).into_owned()
        }
        Err(error) => printable(&format!("the query fails: {}", error.words())).into_owned(),
    }
}

/// A value, in one line.
fn value_in_words(value: &Value) -> String {
    let words = match value {
        Value::Scalar(value) => format!("the scalar {}", in_json(*value)),
        Value::Text(text) => format!("the string {text:?}"),
        Value::Matrix(series) => {
            // The plural of "series" is the same as the singular.
            format!("{} series with samples over time", grouped(series.len()))
        }
        Value::Vector(samples) => vector(samples),
    };
    printable(&words).into_owned()
}

fn vector(samples: &[(Labels, f64)]) -> String {
    match samples {
        [] => "nothing".into(),
        [only] => one(only, samples),
        few if few.len() <= MOST_SAMPLES => {
            let words: Vec<String> = few.iter().map(|sample| one(sample, few)).collect();
            format!("{} samples: {}", few.len(), words.join(", "))
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

/// The labels that only identify the target of a sample.
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

/// A sample with the labels that matter: its own labels, and those in which samples differ. The
/// metric's name is already in the query.
fn one((labels, value): &(Labels, f64), all: &[(Labels, f64)]) -> String {
    const MANY: usize = 4;
    let has_many = labels.iter().count() > MANY;
    let differs = |name: &str| all.iter().any(|(other, _)| other.get(name) != labels.get(name));
    let is_told = |(name, _): &(&str, &str)| {
        let is_scraped = SCRAPE_LABELS.contains(name);
        *name != "__name__" && (!is_scraped || !has_many || differs(name))
    };
    let value = in_json(*value);
    let labels = Labels::new(labels.iter().filter(is_told));
    if labels.is_empty() { value } else { format!("{value} {labels}") }
}
