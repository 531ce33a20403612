//! A condition as a query that answers exactly one sample, 0 or 1, on every cluster.

use std::collections::{BTreeMap, BTreeSet};

use crate::coverage::Dictionary;
use crate::promql::{Expr, Query};

use super::condition::{Condition, Has, Selection};

/// What a query asks. Words say neither which of several metrics knows something, nor how far back
/// it counts: the condition is about what the query looks at.
#[derive(Debug, Default)]
pub(super) struct Asked {
    metrics: BTreeSet<String>,
    /// The longest range of a metric, in seconds.
    ranges: BTreeMap<String, f64>,
}

impl Asked {
    pub(super) fn by(query: &Query) -> Self {
        let mut asked = Self::default();
        let metric = |expr: &Expr| match expr {
            Expr::Selector(selector) => selector.metric().map(str::to_owned),
            _ => None,
        };
        for (_, node) in query.nodes() {
            if let Expr::Range(of, range) = &node.expr
                && let Some(name) = metric(&query.node(*of).expr)
            {
                let longest = asked.ranges.entry(name).or_default();
                *longest = longest.max(range.value);
            }
            asked.metrics.extend(metric(&node.expr));
        }
        asked
    }
}

/// The query for a condition.
pub(super) fn query_for(condition: &Condition, asked: &Asked, dictionary: &Dictionary) -> String {
    match condition {
        Condition::Always => "vector(1)".to_owned(),
        _ => format!("{} or vector(0)", Writer { asked, dictionary }.holds(condition)),
    }
}

struct Writer<'a> {
    asked: &'a Asked,
    dictionary: &'a Dictionary,
}

impl Writer<'_> {
    /// A query that answers 1 without labels where a condition holds, and else nothing.
    fn holds(&self, condition: &Condition) -> String {
        let joined = |conditions: &[Condition], word: &str| {
            let parts: Vec<String> = conditions.iter().map(|one| self.holds(one)).collect();
            format!("({})", parts.join(word))
        };
        match condition {
            Condition::Always => "vector(1)".to_owned(),
            Condition::All(conditions) => joined(conditions, " and "),
            Condition::Any(conditions) => joined(conditions, " or "),
            Condition::Not(condition) => format!("(vector(1) unless {})", self.holds(condition)),
            Condition::Has(has) => self.has(has),
        }
    }

    fn has(&self, has: &Has) -> String {
        let Some(selection) = self.source(&has.sources) else { return "vector(1)".to_owned() };
        let mut series = in_promql(selection);
        if let Some(seconds) = self.asked.ranges.get(&selection.metric) {
            series = format!("max_over_time({series}[{:.0}ms])", seconds * 1_000.0);
        }
        if selection.is_counted {
            series = format!("count({series})");
        }
        match has.value {
            None => format!("group({series})"),
            Some((comparison, number)) => {
                format!("group({series} {} {number})", comparison.operator())
            }
        }
    }

    /// The metric that the query asks. If it asks none, the first one that the clusters have.
    fn source<'s>(&self, sources: &'s [Selection]) -> Option<&'s Selection> {
        let is_asked = |one: &&Selection| self.asked.metrics.contains(&one.metric);
        let is_there = |one: &&Selection| {
            self.dictionary.metric(&one.metric).is_none_or(|metric| !metric.is_absent())
        };
        let mut sources = sources.iter();
        let all = sources.clone();
        all.clone().find(is_asked).or_else(|| all.clone().find(is_there)).or(sources.next())
    }
}

/// A selector as queries of risks write it.
fn in_promql(selection: &Selection) -> String {
    let own = selection.matchers.iter().map(String::as_str);
    let matchers: Vec<&str> = std::iter::once(r#"_id="""#).chain(own).collect();
    format!("{}{{{}}}", selection.metric, matchers.join(","))
}
