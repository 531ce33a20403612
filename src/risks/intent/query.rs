//! A condition as a query that answers exactly one sample, 0 or 1, on every cluster.

use std::collections::BTreeMap;

use crate::coverage::{Dictionary, Metric};
use crate::promql::{self, Expr, Query};

use super::condition::{Comparison, Condition, Has, Selection};

/// What a query asks. Words say neither which of several metrics knows something, nor how far back
/// it counts, nor that the series are those of the cluster itself: there, the condition follows the query.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Whether some selector of a metric says which cluster its series are of.
    metrics: BTreeMap<String, bool>,
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
            if let Expr::Selector(selector) = &node.expr
                && let Some(name) = selector.metric()
            {
                let mut labels = selector.matchers.iter().map(|one| one.label.value.as_str());
                let names_cluster = labels.any(|label| label == promql::CLUSTER_ID);
                *asked.metrics.entry(name.to_owned()).or_default() |= names_cluster;
            }
        }
        asked
    }
}

/// How a query compares values. All forms mean the same, but a proof needs one like that of the
/// query that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `group(metric > 0)`
    Each,
    /// `group(max(metric) > 0)`
    Greatest,
    /// `group(metric >= 1)`
    EachWithEqual,
    /// `group(max(metric > bool 0) == 1)`
    Bool,
    /// `group(max(metric >= bool 1) == 1)`
    BoolWithEqual,
}

impl Form {
    /// The forms that can make a difference for a condition.
    pub(super) fn all(condition: &Condition) -> &'static [Self] {
        const ALL: &[Form] =
            &[Form::Each, Form::Greatest, Form::EachWithEqual, Form::Bool, Form::BoolWithEqual];
        if condition.compares() { ALL } else { &ALL[..1] }
    }

    fn has_equal(self) -> bool {
        matches!(self, Self::EachWithEqual | Self::BoolWithEqual)
    }
}

/// Writes conditions.
pub(super) struct Writer<'a> {
    pub(super) asked: &'a Asked,
    pub(super) dictionary: &'a Dictionary,
    pub(super) form: Form,
}

impl Writer<'_> {
    /// The query for a condition.
    pub(super) fn query(&self, condition: &Condition) -> String {
        match condition {
            Condition::Always => "vector(1)".to_owned(),
            _ => format!("{} or vector(0)", self.holds(condition)),
        }
    }

    /// A query that answers 1 without labels where a condition holds, and else nothing.
    pub(super) fn holds(&self, condition: &Condition) -> String {
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
        let mut series = self.selector(selection);
        if let Some(seconds) = self.asked.ranges.get(&selection.metric) {
            series = format!("max_over_time({series}[{:.0}ms])", seconds * 1_000.0);
        }
        if selection.is_counted {
            series = format!("count({series})");
        }
        match has.value {
            None => format!("group({series})"),
            Some(value) if selection.is_counted => {
                let (comparison, number) = self.bound(value, true);
                format!("group({series} {} {number})", comparison.operator())
            }
            Some(value) => self.compared(&series, value, self.dictionary.metric(&selection.metric)),
        }
    }

    /// Some of the series have such a value.
    fn compared(&self, series: &str, value: (Comparison, f64), metric: Option<&Metric>) -> String {
        let (comparison, number) = self.bound(value, metric.is_some_and(Metric::is_whole));
        let operator = comparison.operator();
        let is_flag = metric.is_some_and(Metric::is_flag);
        let end = match comparison {
            Comparison::AtLeast | Comparison::MoreThan => Some("max"),
            Comparison::AtMost | Comparison::LessThan => Some("min"),
            Comparison::Equal if is_flag && number >= 1.0 => Some("max"),
            Comparison::Equal if is_flag && number <= 0.0 => Some("min"),
            Comparison::Equal => None,
        };
        match (self.form, end) {
            (Form::Bool | Form::BoolWithEqual, _) => {
                format!("group(max({series} {operator} bool {number}) == 1)")
            }
            (Form::Greatest, Some(end)) => format!("group({end}({series}) {operator} {number})"),
            _ => format!("group({series} {operator} {number})"),
        }
    }

    /// The same bound in the form of the query: of whole numbers, at least 4 is more than 3.
    fn bound(&self, (comparison, number): (Comparison, f64), is_whole: bool) -> (Comparison, f64) {
        if !is_whole || number.fract() != 0.0 {
            return (comparison, number);
        }
        match (comparison, self.form.has_equal()) {
            (Comparison::AtLeast, false) => (Comparison::MoreThan, number - 1.0),
            (Comparison::LessThan, false) => (Comparison::AtMost, number - 1.0),
            (Comparison::MoreThan, true) => (Comparison::AtLeast, number + 1.0),
            (Comparison::AtMost, true) => (Comparison::LessThan, number + 1.0),
            _ => (comparison, number),
        }
    }

    /// The metric that the query asks. If it asks none, the first one that the clusters have.
    fn source<'s>(&self, sources: &'s [Selection]) -> Option<&'s Selection> {
        let is_asked = |one: &&Selection| self.asked.metrics.contains_key(&one.metric);
        let is_there = |one: &&Selection| {
            self.dictionary.metric(&one.metric).is_none_or(|metric| !metric.is_absent())
        };
        let mut all = sources.iter();
        all.clone().find(is_asked).or_else(|| all.clone().find(is_there)).or_else(|| all.next())
    }

    /// A selector as the query writes those of the metric.
    fn selector(&self, selection: &Selection) -> String {
        let names_cluster = self.asked.metrics.get(&selection.metric).is_none_or(|names| *names);
        let cluster = names_cluster.then_some(r#"_id="""#);
        let own = selection.matchers.iter().map(String::as_str);
        let matchers: Vec<&str> = cluster.into_iter().chain(own).collect();
        format!("{}{{{}}}", selection.metric, matchers.join(","))
    }
}
