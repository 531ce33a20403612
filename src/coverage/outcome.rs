//! What a cluster makes of an answer.

use crate::metrics::FIXED_TIME;
use crate::promql::{Dialect, EvalError, Settings, Value, plain};
use crate::text::words::counted;

/// How clusters ask.
pub(super) fn settings() -> Settings {
    Settings::at(FIXED_TIME, Dialect::Three)
}

/// What a cluster makes of an answer.
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
    /// None: exitpath cannot evaluate the query.
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

    /// Whether a cluster cannot tell from it whether the risk applies.
    pub(super) fn is_wrong(&self) -> bool {
        !matches!(self, Self::Zero | Self::One)
    }

    /// Whether it is one of a kind with another outcome.
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

    /// What the query does, after "it".
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::Zero => "answers 0".into(),
            Self::One => "answers 1".into(),
            Self::NoSample => "answers nothing".into(),
            Self::SeveralSamples(count) => {
                format!("answers {}", counted(*count, "sample"))
            }
            Self::OtherValue(value) => format!("answers {}", plain(*value)),
            Self::Error(words) => format!("fails: {words}"),
        }
    }
}
