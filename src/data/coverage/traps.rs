//! Selectors that name series whose value is 0, in queries that look at the value.

use crate::metrics::FIXED_TIME;
use crate::promql::{self, Expr, MatchOp, NodeId, Query, Selector};

use super::classes::{Class, Classes};
use super::dictionary::{Dictionary, Metric};
use super::outcome::Outcome;
use super::outcome::settings;
use super::population::Series;
use super::search::MOST_CLUSTERS;
use super::sight::Sights;

/// A selector that names series whose value is 0.
pub(crate) struct ValueTrap {
    pub(crate) selector: NodeId,
    pub(crate) metric: String,
    pub(crate) label: String,
    /// The values of the label with which the metric is 0.
    pub(crate) values: Vec<String>,
}

/// The selectors of a query that name series whose value is 0, if no cluster with such a series is
/// affected.
pub(crate) fn value_traps(query: &Query, dictionary: &Dictionary) -> Vec<ValueTrap> {
    let sights = Sights::of(query);
    let selectors = query.nodes().filter_map(|(id, node)| match &node.expr {
        Expr::Selector(selector) if sights.get(id).values => Some((id, selector)),
        _ => None,
    });
    let named = selectors.filter_map(|(id, selector)| {
        let name = selector.metric()?;
        let (label, values) = zeros(dictionary.metric(name)?, selector)?;
        Some(ValueTrap { selector: id, metric: name.to_owned(), label, values })
    });
    let named: Vec<ValueTrap> = named.collect();
    if named.is_empty() {
        return named;
    }
    let classes = Classes::of(&[query], dictionary, FIXED_TIME);
    named.into_iter().filter(|trap| trap.is_sprung(query, &classes)).collect()
}

impl ValueTrap {
    /// Whether there are clusters with such a series, and the query answers 1 on none of them. If
    /// it answers 1 on one, its author may have expected the value 0.
    fn is_sprung(&self, query: &Query, classes: &Classes) -> bool {
        let is_it = |series: &Series| {
            self.values.iter().any(|value| series.has(&self.metric, &self.label, value))
        };
        let has_it = |class: &Class| {
            classes.chosen(class).any(|population| population.series.iter().any(|one| is_it(one)))
        };
        let counts = |class: &Class| {
            let answer = promql::evaluate(query, &classes.store(class), &settings());
            Outcome::of(&answer) == Some(Outcome::One)
        };
        let with_it: Vec<Class> =
            classes.some(MOST_CLUSTERS).into_iter().filter(|class| has_it(class)).collect();
        !with_it.is_empty() && !with_it.iter().any(counts)
    }
}

/// A label that the selector requires, and its values for which the metric is 0.
fn zeros(metric: &Metric, selector: &Selector) -> Option<(String, Vec<String>)> {
    let demands =
        selector.matchers.iter().filter(|m| matches!(m.op, MatchOp::Equal | MatchOp::Regex));
    demands.into_iter().find_map(|matcher| {
        let label = matcher.label.value.as_str();
        let listed = metric.listed_values(label).unwrap_or_default().iter();
        let named = promql::regex::values(&matcher.value.value).unwrap_or_default();
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
