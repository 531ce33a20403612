//! `absent` and `absent_over_time`: they return a sample if the argument has none.

use super::super::super::syntax::{Expr, MatchOp, Matcher, NodeId, Query};
use super::super::error::EvalError;
use super::super::labels::{Labels, METRIC_NAME};
use super::super::pool::{Pool, Sample, Vector};
use super::{Arguments, ranges};

pub(super) fn absent(pool: &mut Pool, arguments: &mut Arguments) -> Result<Vec<Vector>, EvalError> {
    let vectors = arguments.vectors(0);
    opposite(pool, arguments, vectors)
}

pub(super) fn absent_over_time(
    pool: &mut Pool,
    arguments: &mut Arguments,
) -> Result<Vec<Vector>, EvalError> {
    let vectors = ranges::over_windows(pool, arguments)?;
    opposite(pool, arguments, vectors)
}

fn opposite(
    pool: &mut Pool,
    arguments: &Arguments,
    vectors: Vec<Vector>,
) -> Result<Vec<Vector>, EvalError> {
    let labels = match arguments.call.arguments.first() {
        Some(id) => absent_labels(arguments.query, *id),
        None => Labels::default(),
    };
    let labels = pool.intern(&labels)?;
    let present = |vector: Vector| {
        let absent = Sample { labels, value: 1.0 };
        if vector.is_empty() { vec![absent] } else { Vector::new() }
    };
    Ok(vectors.into_iter().map(present).collect())
}

/// The labels of the sample that `absent` returns: those that a selector's matchers give to a
/// series. A label with two matchers is omitted.
pub fn absent_labels(query: &Query, of: NodeId) -> Labels {
    let mut of = query.bare(of);
    if let Expr::Range(selector, _) = query.node(of).expr {
        of = selector;
    }
    let Expr::Selector(selector) = &query.node(of).expr else { return Labels::default() };
    let mut labels = Labels::default();
    let mut equal: Vec<&str> = Vec::new();
    let others = |matcher: &&Matcher| matcher.label.value != METRIC_NAME;
    for matcher in selector.matchers.iter().filter(others) {
        let name = matcher.label.value.as_str();
        if matcher.op == MatchOp::Equal && !equal.contains(&name) {
            labels.set(name, &matcher.value.value);
            equal.push(name);
        } else {
            labels.set(name, "");
        }
    }
    labels
}
