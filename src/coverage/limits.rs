//! Parts of a query that can tell clusters apart which look the same here. Then one cluster of each
//! class is no proof.

use std::collections::BTreeSet;

use crate::promql::{
    Aggregation, Aggregator, Binary, CLUSTER_ID, Call, Expr, MatchingKind, NodeId, Operator, Query,
};

use super::dictionary::Dictionary;

/// The first such part of a query.
pub(super) fn beyond(query: &Query, dictionary: &Dictionary) -> Option<String> {
    let mut parts = Parts { query, dictionary, of_nodes: Vec::new() };
    for (_, node) in query.nodes() {
        match parts.part(&node.expr) {
            Ok(part) => parts.of_nodes.push(part),
            Err(why) => return Some(why),
        }
    }
    None
}

/// What is known of the samples of a node.
#[derive(Clone, Default)]
struct Part {
    /// The metrics that they come from.
    metrics: BTreeSet<String>,
    /// The only labels that they can have. None: all of their metric.
    labels: Option<BTreeSet<String>>,
    /// Whether the values are calculated from those of series.
    is_calculated: bool,
}

struct Parts<'q> {
    query: &'q Query,
    dictionary: &'q Dictionary,
    of_nodes: Vec<Part>,
}

/// Functions that have a sample for every series, and values in the order of theirs.
const PLAIN: &[&str] = &[
    "abs",
    "ceil",
    "clamp",
    "clamp_max",
    "clamp_min",
    "floor",
    "last_over_time",
    "max_over_time",
    "min_over_time",
    "present_over_time",
    "round",
    "sgn",
    "sort",
    "sort_desc",
    "vector",
];

impl Parts<'_> {
    fn get(&self, id: NodeId) -> Part {
        self.of_nodes.get(id.index()).cloned().unwrap_or_default()
    }

    fn part(&self, expr: &Expr) -> Result<Part, String> {
        Ok(match expr {
            Expr::Number(_) | Expr::Text(_) => {
                Part { labels: Some(BTreeSet::new()), ..Part::default() }
            }
            Expr::Selector(selector) => Part {
                metrics: selector.metric().map(str::to_owned).into_iter().collect(),
                ..Part::default()
            },
            Expr::Paren(of) | Expr::Range(of, _) => self.get(*of),
            Expr::Unary(_, of) => Part { is_calculated: true, ..self.get(*of) },
            Expr::Subquery(subquery) => self.get(subquery.of),
            Expr::Call(call) => self.of_call(call)?,
            Expr::Aggregation(aggregation) => self.of_aggregation(aggregation),
            Expr::Binary(binary) => self.of_binary(binary)?,
        })
    }

    fn of_call(&self, call: &Call) -> Result<Part, String> {
        let name = call.function.name;
        let of = call.vector(self.query).map(|id| self.get(id)).unwrap_or_default();
        match name {
            "absent" | "absent_over_time" => Ok(of),
            "label_replace" => self.relabeled(call, of),
            _ if PLAIN.contains(&name) => {
                let is_vector = name == "vector";
                let labels = if is_vector { Some(BTreeSet::new()) } else { of.labels };
                Ok(Part { labels, ..of })
            }
            _ => Err(format!("`{name}`")),
        }
    }

    /// With a label that gets a text of its own.
    fn relabeled(&self, call: &Call, of: Part) -> Result<Part, String> {
        let text = |at: usize| {
            let argument = call.arguments.get(at).map(|id| self.query.bare(*id));
            match argument.map(|id| &self.query.node(id).expr) {
                Some(Expr::Text(text)) => text.clone(),
                _ => String::new(),
            }
        };
        let (target, source) = (text(1), text(3));
        let has = |label: &str| match &of.labels {
            Some(labels) => labels.contains(label),
            None => of.metrics.iter().any(|metric| {
                let metric = self.dictionary.metric(metric);
                metric.is_none_or(|metric| self.dictionary.values_of(metric, label).is_some())
            }),
        };
        if !source.is_empty() && has(&source) || has(&target) {
            return Err("`label_replace` of a label that series have".into());
        }
        // The text is the same for all samples, so it needs no place among their labels.
        Ok(of)
    }

    fn of_aggregation(&self, aggregation: &Aggregation) -> Part {
        let of = self.get(aggregation.of);
        let op = aggregation.op.value;
        let labels = match &aggregation.grouping {
            _ if op.picks() => of.labels.clone(),
            None => Some(BTreeSet::new()),
            Some(grouping) if grouping.without => None,
            Some(grouping) => {
                Some(grouping.labels.iter().map(|label| label.value.clone()).collect())
            }
        };
        let is_plain =
            op.picks() || matches!(op, Aggregator::Group | Aggregator::Max | Aggregator::Min);
        Part { labels, is_calculated: of.is_calculated || !is_plain, ..of }
    }

    fn of_binary(&self, binary: &Binary) -> Result<Part, String> {
        let op = binary.op.value;
        let (left, right) = (self.get(binary.left), self.get(binary.right));
        let is_odd =
            matches!(op, Operator::Divide | Operator::Modulo | Operator::Power | Operator::Atan2);
        if is_odd {
            return Err(format!("`{}`", op.name()));
        }
        if op.is_comparison() && (left.is_calculated || right.is_calculated) {
            return Err("a comparison of calculated values".into());
        }
        let is_zero =
            |id: NodeId| matches!(self.query.node(self.query.bare(id)).expr, Expr::Number(0.0));
        let keeps_values = op.is_set_operator() || op.is_comparison();
        let erases = is_zero(binary.left) || is_zero(binary.right);
        let is_calculated = !keeps_values && !erases;
        if left.metrics.is_empty() || right.metrics.is_empty() {
            let vector = if left.metrics.is_empty() { right } else { left };
            return Ok(Part { is_calculated: vector.is_calculated || is_calculated, ..vector });
        }
        if op.is_comparison() {
            return Err("a comparison of two vectors".into());
        }
        if let Some(label) = shared_label(binary, &left, &right) {
            return Err(format!("series of different metrics that find each other by {label}"));
        }
        let labels = match (op, &left.labels, &right.labels) {
            (Operator::And | Operator::Unless, labels, _) => labels.clone(),
            (_, Some(some), Some(others)) => Some(some | others),
            _ => None,
        };
        let metrics = &left.metrics | &right.metrics;
        let is_calculated = is_calculated || left.is_calculated || right.is_calculated;
        Ok(Part { metrics, labels, is_calculated })
    }
}

/// A label by which samples of different metrics find each other, in words.
fn shared_label(binary: &Binary, left: &Part, right: &Part) -> Option<String> {
    if left.metrics == right.metrics && left.metrics.len() == 1 {
        return None;
    }
    let has = |part: &Part, label: &String| {
        part.labels.as_ref().is_none_or(|labels| labels.contains(label))
    };
    let on = binary.matching.as_ref().filter(|matching| matching.kind == MatchingKind::On);
    let Some(on) = on else {
        return match (&left.labels, &right.labels) {
            (Some(some), Some(others)) => {
                let mut shared = some.intersection(others);
                shared.find(|label| *label != CLUSTER_ID).map(|label| format!("`{label}`"))
            }
            _ => Some("all their labels".into()),
        };
    };
    let mut labels = on.labels.iter().map(|label| &label.value);
    let shared = labels.find(|label| *label != CLUSTER_ID && has(left, label) && has(right, label));
    shared.map(|label| format!("`{label}`"))
}
