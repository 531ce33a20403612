//! Flags whose values have names.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::domain::{Format, Named};
use crate::draw::Picture;
use crate::report::Printed;

/// Reads one of the names of a type.
pub(super) fn choice<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::names()).try_map(|word| T::named(&word).ok_or("unknown name"))
}

/// Reads a format that a report has.
pub(super) fn format_of<R: Printed>() -> impl TypedValueParser<Value = Format> {
    one_of(R::formats())
}

/// Reads one of these formats.
pub(super) fn format_in(known: &[Format]) -> impl TypedValueParser<Value = Format> + use<> {
    one_of(known.to_vec())
}

/// Reads one of these formats, or one that pictures have.
pub(super) fn format_of_graph(known: &[Format]) -> impl TypedValueParser<Value = Format> + use<> {
    let is_drawn = |format: &Format| Picture::writer(*format).is_some();
    let drawn = Format::ALL.iter().copied().filter(is_drawn);
    one_of(known.iter().copied().chain(drawn).collect())
}

fn one_of(formats: Vec<Format>) -> impl TypedValueParser<Value = Format> {
    let names: Vec<&str> = formats.into_iter().map(Named::name).collect();
    PossibleValuesParser::new(names).try_map(|word| Format::named(&word).ok_or("unknown name"))
}
