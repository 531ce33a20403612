//! What functions make of their arguments.

use super::super::regex;
use super::super::syntax::{Call, Expr, NodeId, Query, Type};
use super::labels::{Label, Labels};
use super::shape::{SampleCount, Shape, SourceSelector};
use super::values::Values;

/// The shape of a call. `shape_of` has the shapes of its arguments.
pub(super) fn call<'s>(
    query: &Query,
    call: &Call,
    shape_of: impl Fn(NodeId) -> Option<&'s Shape>,
) -> Shape {
    let name = call.function.name;
    let vector = call.vector(query).and_then(&shape_of);
    if call.function.returns == Type::Scalar {
        return Shape::number(Values::Any);
    }
    if name == "vector" {
        let number = call.arguments.first().and_then(|argument| shape_of(*argument));
        return Shape::number(number.map_or(Values::Any, |n| n.values.clone()));
    }
    // Without an argument, date functions use the current time.
    let Some(vector) = vector else { return Shape::number(Values::Any) };
    let mut shape = vector.clone();
    match name {
        "absent" | "absent_over_time" => {
            // `absent` copies the labels of some `=` matchers to the result.
            shape.labels = Labels::unknown();
            shape.count = SampleCount::One;
            shape.source = None;
            shape.values = Values::just(1.0);
        }
        "label_replace" => return label_replace(query, call, shape),
        "label_join" => {
            if let Some(label) = string_argument(query, call, 1) {
                shape.labels.known.insert(label.to_owned(), Label::Some);
            }
        }
        "sort" | "sort_desc" | "max_over_time" | "min_over_time" | "last_over_time" | "abs"
        | "ceil" | "floor" | "round" => {}
        "present_over_time" => shape.values = Values::just(1.0),
        "sgn" => shape.values = Values::Only(vec![-1.0, 0.0, 1.0]),
        _ => shape.values = Values::Any,
    }
    if matches!(name, "rate" | "irate" | "increase" | "delta" | "idelta" | "deriv") {
        // These functions drop series with fewer than two samples.
        shape.source = shape.source.map(SourceSelector::filtered);
    }
    shape
}

fn label_replace(query: &Query, call: &Call, mut shape: Shape) -> Shape {
    let argument = |at| string_argument(query, call, at).unwrap_or_default();
    let (target, replacement, source, pattern) =
        (argument(1), argument(2), argument(3), argument(4));
    let value = match shape.labels.get(source) {
        _ if source.is_empty() => Some(String::new()),
        Some(Label::Fixed(value)) => Some(value),
        Some(_) => None,
        None => Some(String::new()),
    };
    let matches = match value {
        Some(value) => regex::matches(pattern, &value),
        None => (pattern == ".*" || pattern == "(.*)").then_some(true),
    };
    let label = match matches {
        Some(false) => return shape,
        Some(true) if !replacement.contains('$') => Label::Fixed(replacement.to_owned()),
        _ => match shape.labels.known.get(source) {
            Some(Label::Plural) => Label::Plural,
            _ => Label::Some,
        },
    };
    shape.labels.known.insert(target.to_owned(), label);
    shape
}

fn string_argument<'q>(query: &'q Query, call: &Call, at: usize) -> Option<&'q str> {
    match &query.node(query.bare(*call.arguments.get(at)?)).expr {
        Expr::Text(text) => Some(text),
        _ => None,
    }
}
