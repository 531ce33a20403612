//! Flags whose value is one of a list of names.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::domain::Named;

/// Parses the name of a choice.
pub(super) fn choice<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::names()).try_map(|word| T::named(&word).ok_or("unknown name"))
}
