//! What queries answer, in a few words.

use crate::metrics::QueryError;
use crate::promql::{Labels, Value, in_json};
use crate::text::printable;
use crate::text::words::counted;

/// More samples are only counted.
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
    let one = |(labels, value): &(Labels, f64)| {
        let value = in_json(*value);
        // The name is in the query.
        let labels = Labels::new(labels.iter().filter(|(name, _)| *name != "__name__"));
        if labels.is_empty() { value } else { format!("{value} {labels}") }
    };
    match samples {
        [] => "nothing".into(),
        [only] => one(only),
        several => {
            let mut named: Vec<String> = several.iter().take(MOST_SAMPLES).map(one).collect();
            if several.len() > MOST_SAMPLES {
                named.push(format!("and {} more", several.len() - MOST_SAMPLES));
            }
            format!("{} samples: {}", several.len(), named.join(", "))
        }
    }
}
