//! Selectors that name series whose value is 0, in queries that look at the value.

use crate::promql::{Expr, MatchOp, NodeId, Query, Selector};

use super::dictionary::{Dictionary, Metric};
use super::sight::Sights;

/// A selector that names series whose value is 0.
pub(crate) struct ValueTrap {
    pub(crate) selector: NodeId,
    pub(crate) metric: String,
    pub(crate) label: String,
    /// The values of the label with which the metric is 0.
    pub(crate) values: Vec<String>,
}

/// The selectors of a query that name series whose value is 0, where the query looks at the value.
pub(crate) fn value_traps(query: &Query, dictionary: &Dictionary) -> Vec<ValueTrap> {
    let sights = Sights::of(query);
    let selectors = query.nodes().filter_map(|(id, node)| match &node.expr {
        Expr::Selector(selector) if sights.get(id).values => Some((id, selector)),
        _ => None,
    });
    selectors
        .filter_map(|(id, selector)| {
            let name = selector.metric()?;
            let (label, values) = zeros(dictionary.metric(name)?, selector)?;
            Some(ValueTrap { selector: id, metric: name.to_owned(), label, values })
        })
        .collect()
}

/// A label that the selector demands, and the values with which the metric is 0.
fn zeros(metric: &Metric, selector: &Selector) -> Option<(String, Vec<String>)> {
    let demands =
        selector.matchers.iter().filter(|m| matches!(m.op, MatchOp::Equal | MatchOp::Regex));
    demands.into_iter().find_map(|matcher| {
        let label = matcher.label.value.as_str();
        let listed = metric.listed_values(label).unwrap_or_default().iter();
        let named = crate::promql::values(&matcher.value.value).unwrap_or_default();
        let named: Vec<&String> = match matcher.op {
            MatchOp::Equal => vec![&matcher.value.value],
            _ => listed.chain(&named).collect(),
        };
        let named = named.into_iter().filter(|value| matcher.admits(value, true).unwrap_or(false));
        let is_zero = |value: &&String| {
            let with = |name: &str| if name == label { (*value).clone() } else { String::new() };
            metric.is_decided_by(label) && metric.fixed_value(with) == Some(0.0)
        };
        let mut values: Vec<String> = named.filter(is_zero).cloned().collect();
        values.dedup();
        (!values.is_empty()).then(|| (label.to_owned(), values))
    })
}
