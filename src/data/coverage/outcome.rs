//! The outcome of a query's answer on a cluster.

use crate::metrics::FIXED_TIME;
use crate::promql::{Dialect, EvalError, Settings, Value, in_decimal};
use crate::text::words::counted;

/// The settings with which clusters ask.
pub(super) fn settings() -> Settings {
    Settings::at(FIXED_TIME, Dialect::Three)
}

/// What a cluster concludes from the answer of a risk's query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The risk does not apply.
    Zero,
    /// The risk applies.
    One,
    NoSample,
    SeveralSamples(usize),
    OtherValue(f64),
    Error(String),
}

impl Outcome {
    /// The outcome of an answer. None if exitpath cannot evaluate the query.
    pub(super) fn of(answer: &Result<Value, EvalError>) -> Option<Self> {
        Some(match answer {
            Ok(Value::Vector(samples)) => match samples.as_slice() {
                [] => Self::NoSample,
                [(_, 0.0)] => Self::Zero,
                [(_, 1.0)] => Self::One,
                [(_, other)] => Self::OtherValue(*other),
                several => Self::SeveralSamples(several.len()),
            },
            Ok(_) => Self::Error("the result is not a vector".into()),
            Err(EvalError::Execution(words)) => Self::Error(words.clone()),
            Err(EvalError::Unsupported(_)) => return None,
        })
    }

    /// Whether the cluster cannot tell from the answer whether the risk applies.
    pub(super) fn is_wrong(&self) -> bool {
        !matches!(self, Self::Zero | Self::One)
    }

    /// Whether two outcomes are of the same kind.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// The name in JSON.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::One => "one",
            Self::NoSample => "no-sample",
            Self::SeveralSamples(_) => "several-samples",
            Self::OtherValue(_) => "other-value",
            Self::Error(_) => "error",
        }
    }

    /// What the query does, as words after "it".
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::Zero => "answers 0".into(),
            Self::One => "answers 1".into(),
            Self::NoSample => "answers nothing".into(),
            Self::SeveralSamples(count) => {
                format!("answers {}", counted(*count, "sample"))
            }
            Self::OtherValue(value) => format!("answers {}", in_decimal(*value)),
            Self::Error(words) => format!("fails: {words}"),
        }
    }
}
