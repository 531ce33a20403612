//! Queries with `@` whose answers by Prometheus 2.42 are not what it documents.

use std::collections::HashSet;

use promql::{Expr, Query, parse};

/// Whether a query has `@` in a place where Prometheus 2.42 looks at another time than the query
/// says. We keep to its documentation. Experiments show three such places:
///
/// - `timestamp(a @ 1 offset 2m)` ignores the offset. It still fetches only the samples that the
///   offset asks for, and so it misses some, or all.
/// - In a subquery, a function of a range and a number evaluates the range at each step, although
///   `@` makes it the same: `predict_linear(a[5m] @ 1, 60)[1h:1m]`. The time is right for the first
///   step only, and moves with the others.
/// - In a subquery, a subquery with `@` does not correct the `@` inside it, if both have their
///   first step at the same time: `max_over_time((a @ 1)[10m:2m] @ 2)[10m:2m]`.
pub(crate) fn is_odd_at(text: &str) -> bool {
    let Ok(query) = parse(text) else { return false };
    let nodes: Vec<_> = query.nodes().collect();
    let mut in_subquery = HashSet::new();
    nodes.into_iter().rev().any(|(id, node)| {
        let is_inner = in_subquery.contains(&id);
        if is_inner || matches!(node.expr, Expr::Subquery(_)) {
            in_subquery.extend(node.expr.operands());
        }
        match &node.expr {
            Expr::Call(call) if call.function.name == "timestamp" => {
                has_at_and_offset(&query, &node.expr)
            }
            Expr::Call(call) if is_inner && call.arguments.len() > 1 => {
                ranges_with_at(&query, &node.expr)
            }
            Expr::Subquery(subquery) if is_inner && subquery.modifiers.at.is_some() => {
                text[query.node(subquery.of).range.clone()].contains('@')
            }
            _ => false,
        }
    })
}

fn has_at_and_offset(query: &Query, call: &Expr) -> bool {
    call.operands().into_iter().any(|argument| match &query.node(query.bare(argument)).expr {
        Expr::Selector(of) => of.modifiers.at.is_some() && of.modifiers.offset.is_some(),
        _ => false,
    })
}

fn ranges_with_at(query: &Query, call: &Expr) -> bool {
    call.operands().into_iter().any(|argument| match &query.node(query.bare(argument)).expr {
        Expr::Subquery(subquery) => subquery.modifiers.at.is_some(),
        Expr::Range(of, _) => match &query.node(*of).expr {
            Expr::Selector(of) => of.modifiers.at.is_some(),
            _ => false,
        },
        _ => false,
    })
}

#[test]
fn what_is_left_out_is_little() {
    for query in [
        "timestamp((a @ 1 offset -2m))",
        "max_over_time(predict_linear(a[5m] @ 1, 60)[1h:1m])",
        "max_over_time(quantile_over_time(time(), (a[5m:1m] @ end()))[1h:1m])",
        "(sum_over_time((a @ 1)[10m:2m] @ 2))[10m:2m]",
    ] {
        assert!(is_odd_at(query), "{query}");
    }
    for query in [
        "a @ 1 offset -2m",
        "timestamp(a @ 1)",
        "timestamp(a offset 2m)",
        "timestamp((a @ 1 offset 2m) * 1)",
        "predict_linear(a[5m] @ 1, 60)",
        "predict_linear((a @ 1)[1h:1m], 60)",
        "max_over_time(rate(a[5m] @ 1)[1h:1m])",
        "(sum_over_time((a @ 1)[10m:2m]))[10m:2m] @ 2",
        "(sum_over_time(a[10m:2m] @ 1))[10m:2m] @ 2",
    ] {
        assert!(!is_odd_at(query), "{query}");
    }
}
