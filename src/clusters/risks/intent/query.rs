//! Writes a condition as a query that answers exactly one sample, 0 or 1, on every cluster.

use std::collections::BTreeMap;

use crate::coverage::{Dictionary, Metric};
use crate::promql::{self, Expr, Query};

use super::condition::{Comparison, Condition, Has, Selection};

/// How a query asks. The words of an intent do not say which of several metrics to use, how far
/// back to look, or that series must be those of the cluster itself. For these, the condition
/// follows the query.
#[derive(Debug, Default)]
pub(super) struct QueryChoices {
    /// For each metric, whether some selector restricts it to the series of the cluster.
    metrics: BTreeMap<String, bool>,
    /// For each metric, the longest range in seconds.
    ranges: BTreeMap<String, f64>,
}

impl QueryChoices {
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

/// How a query compares values. All forms are equivalent, but a proof succeeds only if the form is
/// like that of the query in question.
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
    /// The forms that can matter for a condition.
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
    pub(super) asked: &'a QueryChoices,
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

    /// A query that answers 1 without labels if a condition is true, and nothing otherwise.
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

    /// Selects the series whose value fulfills a comparison.
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

    /// An equivalent bound like that in the query. For whole numbers, at least 4 is the same as
    /// more than 3.
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

    /// The metric that the query uses. If it uses none, the first one that clusters have.
    fn source<'s>(&self, sources: &'s [Selection]) -> Option<&'s Selection> {
        let is_asked = |one: &&Selection| self.asked.metrics.contains_key(&one.metric);
        let is_there = |one: &&Selection| {
            self.dictionary.metric(&one.metric).is_none_or(|metric| !metric.is_absent())
        };
        let mut all = sources.iter();
        all.clone().find(is_asked).or_else(|| all.clone().find(is_there)).or_else(|| all.next())
    }

    /// Writes a selector as the query does for the same metric.
    fn selector(&self, selection: &Selection) -> String {
        let names_cluster = self.asked.metrics.get(&selection.metric).is_none_or(|names| *names);
        let cluster = names_cluster.then_some(r#"_id="""#);
        let own = selection.matchers.iter().map(String::as_str);
        let matchers: Vec<&str> = cluster.into_iter().chain(own).collect();
        format!("{}{{{}}}", selection.metric, matchers.join(","))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::super::amount::Amount;
    use super::super::keys::{self, Operator};
    use super::super::versions::Versions;
    use super::*;
    use crate::coverage::{Coverage, Difference, ProofVerdict};
    use crate::promql::parse;

    fn conditions() -> Vec<Condition> {
        let names =
            |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let versions = |text: &str| Versions::read(text).unwrap();
        let amount = |text: &str| Amount::read(text).unwrap();
        let operator = |version: Option<&str>| Operator {
            name: "metallb-operator".to_owned(),
            versions: version.map(versions),
        };
        let mut all = vec![
            keys::platforms(&names(&["AWS", "Azure"])),
            keys::capabilities(&names(&["Console"]), 1.0),
            keys::capabilities(&names(&["Console", "baremetal"]), 0.0),
            keys::operators(&[operator(None)]),
            keys::operators(&[operator(Some("4.18 or older")), operator(Some("4.20 or later"))]),
            keys::cluster_operator("aro", None),
            keys::cluster_operator("network", Some("Degraded")),
            keys::hosted(),
            keys::has_version(),
            Condition::not(keys::hosted()),
            keys::all(vec![keys::hosted(), keys::platforms(&names(&["AWS"]))]),
            keys::any(vec![keys::hosted(), keys::platforms(&names(&["AWS"]))]),
        ];
        let bounds = ["4.12", "4.12.5", "before 4.14", "4.12.53 or earlier", "4.10 to 4.13.7"];
        all.extend(bounds.map(|text| keys::born_in(&versions(text))));
        for text in ["0", "4", "at least 4", "more than 0", "at most 4", "fewer than 4"] {
            all.push(amount(text).of_things(&keys::nodes()));
            all.push(amount(text).of_things(&keys::objects("egressips.k8s.ovn.org")));
        }
        for (name, number) in [("cluster_proxy_enabled", "1"), ("cluster_proxy_enabled", "0")] {
            let value = amount(number);
            let value = Some((value.comparison, value.number));
            all.push(Condition::Has(Has::of(vec![Selection::of(name, [])], value)));
        }
        all
    }

    /// A condition must have exactly one answer on every cluster, so that any difference comes from
    /// the query.
    #[test]
    fn conditions_are_proved_to_have_one_answer() {
        let dictionary = Dictionary::built_in();
        let asked =
            QueryChoices::by(&parse("max_over_time(apiserver_storage_objects[1h])").unwrap());
        let mut failed = Vec::new();
        for condition in conditions() {
            let of = |form: Form| Writer { asked: &asked, dictionary, form }.query(&condition);
            let first = parse(&of(Form::Each)).unwrap();
            for form in Form::all(&condition) {
                let text = of(*form);
                let query = parse(&text).unwrap();
                if Coverage::of(&query, dictionary).verdict != ProofVerdict::Proved {
                    failed.push(format!("not proved: {text}"));
                }
                let difference = Difference::of(&first, &query, dictionary);
                if difference.caught.is_some() || difference.missed.is_some() {
                    failed.push(format!("another meaning: {text}"));
                }
            }
        }
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }

    #[test]
    fn a_condition_asks_as_the_query_does() {
        let written = |query: &str| {
            let (asked, dictionary) =
                (QueryChoices::by(&parse(query).unwrap()), Dictionary::built_in());
            let condition = Amount::read("more than 3").unwrap().of_things(&keys::nodes());
            Writer { asked: &asked, dictionary, form: Form::Each }.query(&condition)
        };
        assert_eq!(written("up"), r#"group(count(kube_node_info{_id=""}) > 3) or vector(0)"#);
        assert_eq!(
            written("max_over_time(apiserver_storage_objects[1h]) or apiserver_storage_objects"),
            r#"group(max_over_time(apiserver_storage_objects{resource="nodes"}[3600000ms]) > 3) or vector(0)"#
        );
        assert_eq!(
            written(r#"apiserver_resource_objects{_id=""}"#),
            r#"group(apiserver_resource_objects{_id="",resource="nodes",group=""} > 3) or vector(0)"#
        );
    }
}
