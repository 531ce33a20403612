//! An answer in a few words.

use crate::metrics::QueryError;
use crate::promql::{Value, in_json};
use crate::text::words::{counted, grouped};

/// What a query answers, as the end of "it answers …".
pub(super) fn answer_in_words(answer: &Result<Value, QueryError>) -> String {
    match answer {
        Ok(Value::Vector(samples)) => match samples.as_slice() {
            [] => "nothing".into(),
            [(_, value)] => in_json(*value),
            several => counted(several.len(), "sample"),
        },
        Ok(Value::Scalar(value)) => format!("the scalar {}", in_json(*value)),
        Ok(Value::Text(_)) => "a string".into(),
        // The plural of "series" is the same as the singular.
        Ok(Value::Matrix(series)) => format!("{} series over time", grouped(series.len())),
        Err(_) => "an error".into(),
    }
}
