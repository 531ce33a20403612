//! A query about one cluster, rewritten for a store with the series of many.
//!
//! The store adds a label with the cluster's id to each series. Each part of the rewritten query
//! has for each cluster the samples that the part has on that cluster, and the id in addition. So
//! the label must survive every aggregation and every match of two sides. What has no series to
//! take the id from, such as `vector(1)`, takes it from a series that each cluster has.

use crate::go::quoted;
use crate::promql::{
    Aggregation, Binary, CLUSTER_ID, Call, Dialect, Expr, Matching, MatchingKind, Query, Selector,
    Type, absent_labels, laid_out, parse, parse_as,
};
use crate::text::Failure;

use super::edits::Edits;

/// How a store names clusters, and which of them are meant.
#[derive(Clone, Debug)]
pub struct ClusterIds<'s> {
    /// The label with the id.
    pub label: &'s str,
    /// A matcher of that label. None for all clusters.
    pub only: Option<String>,
}

impl ClusterIds<'_> {
    /// One sample for each cluster, with its id as the only label.
    pub(super) fn each_cluster(&self) -> String {
        format!("group by ({}) ({})", self.label, self.selector("cluster_version", &[CURRENT]))
    }

    /// A selector of a metric, with these matchers.
    pub(super) fn selector(&self, metric: &str, matchers: &[&str]) -> String {
        let matchers = matchers.iter().copied().chain(self.only.as_deref());
        let matchers: Vec<&str> = matchers.collect();
        format!("{metric}{{{}}}", matchers.join(","))
    }

    /// Whether clusters do not have this label themselves.
    fn is_of_store(&self, label: &str) -> bool {
        label == self.label || label == CLUSTER_ID
    }
}

/// The matcher of the series with the release that a cluster runs.
pub(super) const CURRENT: &str = r#"type="current""#;

/// A query about one cluster, rewritten for all clusters of a store. The error says why that is
/// impossible.
pub fn query_for_many(text: &str, ids: &ClusterIds<'_>) -> Result<String, Failure> {
    let read = |text: &str| {
        let two = |error| parse_as(text, Dialect::Two).map_err(|_| error);
        parse(text).or_else(two).map_err(|error| Failure::new(error.message))
    };
    // In one line, without comments and needless commas.
    let line = laid_out(text, &read(text)?, usize::MAX);
    let query = read(&line)?;
    let root = query.node(query.root()).kind;
    if root != Type::Vector {
        let what = format!("its answer is {}, which clusters do not take", root.name());
        return Err(Failure::new(what));
    }
    let mut rewriting = Rewriting { line: &line, query: &query, ids, edits: Edits::default() };
    for (_, node) in query.nodes() {
        match &node.expr {
            Expr::Selector(selector) => rewriting.selector(selector)?,
            Expr::Aggregation(aggregation) => rewriting.aggregation(aggregation)?,
            Expr::Binary(binary) => rewriting.binary(binary),
            Expr::Call(call) => rewriting.call(call, node.range.end)?,
            _ => {}
        }
    }
    Ok(rewriting.edits.applied_to(&line))
}

struct Rewriting<'q> {
    line: &'q str,
    query: &'q Query,
    ids: &'q ClusterIds<'q>,
    edits: Edits,
}

impl Rewriting<'_> {
    fn selector(&mut self, selector: &Selector) -> Result<(), Failure> {
        let mut kept = Vec::new();
        for matcher in &selector.matchers {
            if !self.ids.is_of_store(&matcher.label.value) {
                kept.push(&self.line[matcher.range.clone()]);
            } else if !matcher.admits("", true).unwrap_or(false) {
                let what = format!("`{matcher}` matches no series of a cluster");
                return Err(Failure::new(what));
            }
        }
        kept.extend(self.ids.only.as_deref());
        let range = match (selector.matchers.as_slice(), &selector.name) {
            ([first, .., last] | [first @ last], _) => first.range.start - 1..last.range.end + 1,
            ([], Some(name)) => name.range.end..name.range.end,
            ([], None) => return Ok(()),
        };
        let is_bare = kept.is_empty() && selector.name.is_some();
        let kept = if is_bare { String::new() } else { format!("{{{}}}", kept.join(",")) };
        self.edits.replace(range, kept);
        Ok(())
    }

    fn aggregation(&mut self, aggregation: &Aggregation) -> Result<(), Failure> {
        if let Some(parameter) = aggregation.parameter {
            self.refuse_label(&self.query.node(self.query.bare(parameter)).expr)?;
        }
        let Some(grouping) = &aggregation.grouping else {
            let at = aggregation.op.range.end;
            self.edits.insert(at, format!(" by ({}) ", self.ids.label));
            return Ok(());
        };
        let labels = grouping.labels.iter().map(|label| (label.value.as_str(), &label.range));
        let kind = if grouping.without { "without" } else { "by" };
        let labels = self.labels(labels, !grouping.without);
        self.edits.replace(grouping.range.clone(), format!("{kind} ({labels})"));
        Ok(())
    }

    fn binary(&mut self, binary: &Binary) {
        let Some(matching) = &binary.matching else { return };
        let (kind, with_id) = match matching.kind {
            MatchingKind::On => ("on", true),
            MatchingKind::Ignoring => ("ignoring", false),
        };
        let labels = self.labels(listed(matching), with_id);
        let mut words = format!("{kind} ({labels})");
        if let Some(group) = &matching.group {
            let side = if group.left { "group_left" } else { "group_right" };
            let copied = group.labels.iter().map(|label| (label.value.as_str(), &label.range));
            words.extend([" ", side, " (", &self.labels(copied, false), ")"]);
        }
        self.edits.replace(matching.range.clone(), words);
    }

    fn call(&mut self, call: &Call, end: usize) -> Result<(), Failure> {
        let each = self.ids.each_cluster();
        let start = call.name.start;
        let opening = self.line[call.name.end..].find('(').map_or(end, |at| call.name.end + at + 1);
        match (call.function.name, call.arguments.as_slice()) {
            ("scalar", _) => {
                Err(Failure::new("`scalar` is one number for all clusters, and each has its own"))
            }
            ("absent", [of]) => {
                self.absent(absent_labels(self.query, *of).iter(), start..opening, end, "(");
                Ok(())
            }
            ("absent_over_time", [of]) => {
                let labels = absent_labels(self.query, *of);
                self.absent(labels.iter(), start..opening, end, "(present_over_time(");
                Ok(())
            }
            ("vector", _) => {
                self.edits.replace(start..opening, format!("(0 * {each} + ("));
                self.edits.insert(end, ")".to_owned());
                Ok(())
            }
            // Without an argument, a date function is about the time of the query.
            (_, []) if call.function.returns == Type::Vector => {
                self.edits.insert(opening, format!("0 * {each} + time()"));
                Ok(())
            }
            ("label_replace" | "label_join", [_, labels @ ..]) => labels
                .iter()
                .try_for_each(|of| self.refuse_label(&self.query.node(self.query.bare(*of)).expr)),
            _ => Ok(()),
        }
    }

    /// Replaces `absent(` and its end: the clusters without a sample, with the labels that `absent`
    /// gives.
    fn absent<'l>(
        &mut self,
        labels: impl Iterator<Item = (&'l str, &'l str)>,
        head: std::ops::Range<usize>,
        end: usize,
        opening: &str,
    ) {
        let labels = labels.filter(|(name, _)| !self.ids.is_of_store(name));
        let labels: Vec<(&str, String)> =
            labels.map(|(name, value)| (name, value.replace('$', "$$"))).collect();
        let each = self.ids.each_cluster();
        let starts = "label_replace(".repeat(labels.len());
        let starts = format!("({starts}({each} unless on ({}) {opening}", self.ids.label);
        let ends = labels
            .iter()
            .map(|(name, value)| format!(r#", {}, {}, "", "")"#, quoted(name), quoted(value)));
        let closing = ")".repeat(opening.matches('(').count());
        self.edits.replace(head, starts);
        self.edits.insert(end, format!("{closing}{})", ends.collect::<String>()));
    }

    /// Refuses a text that names the store's label.
    fn refuse_label(&self, expr: &Expr) -> Result<(), Failure> {
        match expr {
            Expr::Text(label) if self.ids.is_of_store(label) => {
                let what =
                    format!("it uses the label `{label}`, in which the store has the cluster's id");
                Err(Failure::new(what))
            }
            _ => Ok(()),
        }
    }

    /// A list of labels: with the id or without it.
    fn labels<'l>(
        &self,
        labels: impl Iterator<Item = (&'l str, &'l std::ops::Range<usize>)>,
        with_id: bool,
    ) -> String {
        let others = labels.filter(|(label, _)| !self.ids.is_of_store(label));
        let others = others.map(|(_, range)| &self.line[range.clone()]);
        let id = with_id.then_some(self.ids.label);
        id.into_iter().chain(others).collect::<Vec<_>>().join(", ")
    }
}

fn listed(matching: &Matching) -> impl Iterator<Item = (&str, &std::ops::Range<usize>)> {
    matching.labels.iter().map(|label| (label.value.as_str(), &label.range))
}
