//! What a query can see of the series that its selectors select.
//!
//! `group(x)` sees only whether there is any series, `group by (node) (x)` also sees which nodes
//! there are, and `max(x)` sees values. The search need not vary what a query cannot see.

use std::collections::BTreeSet;

use crate::promql::{
    Aggregation, Aggregator, Binary, Call, Expr, Matching, MatchingKind, NodeId, Operator, Query,
    Type,
};

/// What a query can see of the samples of a node.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    pub(super) values: bool,
    pub(super) labels: SeenLabels,
    /// How far back a range looks, in seconds.
    pub(super) window: f64,
}

/// The labels that a query can see.
#[derive(Clone, Debug)]
pub(super) enum SeenLabels {
    /// Only these labels. Samples that differ only in others are the same to the query.
    These(BTreeSet<String>),
    /// No labels, only the number of samples.
    Number,
    All,
}

impl SeenLabels {
    pub(super) fn nothing() -> Self {
        Self::These(BTreeSet::new())
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::These(some), Self::These(others)) => Self::These(some | others),
            (Self::Number, Self::Number) => Self::Number,
            (Self::Number, other) | (other, Self::Number) if other.is_nothing() => Self::Number,
            _ => Self::All,
        }
    }

    fn and_these<'l>(&self, labels: impl IntoIterator<Item = &'l str>) -> Self {
        self.and(&Self::These(labels.into_iter().map(str::to_owned).collect()))
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Self::These(labels) if labels.is_empty())
    }

    pub(super) fn shows(&self, label: &str) -> bool {
        match self {
            Self::These(labels) => labels.contains(label),
            Self::Number | Self::All => true,
        }
    }
}

impl Sight {
    fn everything() -> Self {
        Self { values: true, labels: SeenLabels::All, window: 0.0 }
    }

    /// A sight of other values and labels in the same window.
    fn with(&self, values: bool, labels: SeenLabels) -> Self {
        Self { values, labels, window: self.window }
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            values: self.values || other.values,
            labels: self.labels.and(&other.labels),
            window: self.window.max(other.window),
        }
    }
}

/// What a query can see of each of its nodes.
pub(super) struct Sights {
    of_nodes: Vec<Sight>,
}

impl Sights {
    pub(super) fn of(query: &Query) -> Self {
        let count = query.root().index() + 1;
        // Clusters ignore the labels of the answer.
        let of_answer = Sight { labels: SeenLabels::Number, ..Sight::everything() };
        let mut sights = Self { of_nodes: vec![of_answer; count] };
        // Nodes come before the nodes that use them, so this goes backwards.
        for id in (0..count).rev().map(NodeId::new) {
            let sight = sights.get(id).clone();
            for (operand, sight) in Self::of_operands(query, id, &sight) {
                if let Some(known) = sights.of_nodes.get_mut(operand.index()) {
                    *known = sight;
                }
            }
        }
        sights
    }

    pub(super) fn get(&self, id: NodeId) -> &Sight {
        &self.of_nodes[id.index()]
    }

    fn of_operands(query: &Query, id: NodeId, sight: &Sight) -> Vec<(NodeId, Sight)> {
        match &query.node(id).expr {
            Expr::Number(_) | Expr::Text(_) | Expr::Selector(_) => Vec::new(),
            Expr::Paren(of) | Expr::Unary(_, of) => vec![(*of, sight.clone())],
            Expr::Range(of, window) => {
                vec![(*of, Sight { window: sight.window + window.value, ..sight.clone() })]
            }
            Expr::Subquery(subquery) => {
                let window = sight.window + subquery.reach.value;
                vec![(subquery.of, Sight { window, ..sight.clone() })]
            }
            Expr::Call(call) => Self::of_arguments(query, call, sight),
            Expr::Aggregation(aggregation) => Self::of_aggregated(query, aggregation, sight),
            Expr::Binary(binary) => Self::of_sides(query, binary, sight),
        }
    }

    fn of_arguments(query: &Query, call: &Call, sight: &Sight) -> Vec<(NodeId, Sight)> {
        let name = call.function.name;
        let texts =
            call.arguments.iter().filter_map(|id| match &query.node(query.bare(*id)).expr {
                Expr::Text(text) => Some(text.as_str()),
                _ => None,
            });
        let texts: Vec<&str> = texts.collect();
        let of_vector = match name {
            "label_replace" => {
                let labels = [texts.first(), texts.get(2)].into_iter().flatten().copied();
                sight.with(sight.values, sight.labels.and_these(labels))
            }
            "label_join" => sight.with(sight.values, sight.labels.and_these(texts)),
            "absent" | "absent_over_time" => sight.with(false, SeenLabels::nothing()),
            "present_over_time" => sight.with(false, sight.labels.clone()),
            "scalar" => Sight::everything(),
            _ => sight.clone(),
        };
        let vector = call.vector(query);
        let arguments = call.arguments.iter().map(|id| {
            let sight = if Some(*id) == vector { of_vector.clone() } else { Sight::everything() };
            (*id, sight)
        });
        arguments.collect()
    }

    fn of_aggregated(
        query: &Query,
        aggregation: &Aggregation,
        sight: &Sight,
    ) -> Vec<(NodeId, Sight)> {
        let groups = match &aggregation.grouping {
            None => SeenLabels::nothing(),
            Some(grouping) if grouping.without => SeenLabels::All,
            Some(grouping) => SeenLabels::nothing()
                .and_these(grouping.labels.iter().map(|label| label.value.as_str())),
        };
        let op = aggregation.op.value;
        let takes_one = |id: NodeId| matches!(query.node(query.bare(id)).expr, Expr::Number(1.0));
        let of = match op {
            Aggregator::Group => sight.with(false, groups),
            Aggregator::Max | Aggregator::Min => sight.with(sight.values, groups),
            Aggregator::Topk | Aggregator::Bottomk
                if aggregation.parameter.is_some_and(takes_one) =>
            {
                let is_one = aggregation.grouping.is_none();
                if is_one && matches!(sight.labels, SeenLabels::Number) {
                    sight.with(sight.values, SeenLabels::nothing())
                } else {
                    let values = sight.values || !sight.labels.is_nothing();
                    sight.with(values, sight.labels.and(&groups))
                }
            }
            Aggregator::Sum | Aggregator::Avg | Aggregator::Count if !sight.values => {
                sight.with(false, groups)
            }
            Aggregator::Count => sight.with(false, SeenLabels::All),
            _ => sight.with(true, SeenLabels::All),
        };
        let parameter = aggregation.parameter.map(|id| (id, Sight::everything()));
        parameter.into_iter().chain([(aggregation.of, of)]).collect()
    }

    fn of_sides(query: &Query, binary: &Binary, sight: &Sight) -> Vec<(NodeId, Sight)> {
        let op = binary.op.value;
        let (left, right) = (binary.left, binary.right);
        let filters = op.is_comparison() && binary.bool.is_none();
        let kinds = (query.node(left).kind, query.node(right).kind);
        if kinds.0 == Type::Scalar || kinds.1 == Type::Scalar {
            let is_zero = |id: NodeId| matches!(query.node(query.bare(id)).expr, Expr::Number(0.0));
            let erases = op == Operator::Multiply && (is_zero(left) || is_zero(right));
            let values = filters || sight.values && !erases;
            return vec![
                (left, sight.with(values, sight.labels.clone())),
                (right, sight.with(values, sight.labels.clone())),
            ];
        }
        let matched = matched_labels(binary.matching.as_ref());
        let kept = sight.labels.and(&matched);
        match op {
            Operator::Or => {
                vec![
                    (left, sight.with(sight.values, kept.clone())),
                    (right, sight.with(sight.values, kept)),
                ]
            }
            Operator::And | Operator::Unless => {
                vec![(left, sight.with(sight.values, kept)), (right, sight.with(false, matched))]
            }
            _ => {
                let values = filters || sight.values;
                vec![
                    (left, sight.with(values, SeenLabels::All)),
                    (right, sight.with(values, SeenLabels::All)),
                ]
            }
        }
    }
}

/// The labels by which the samples of two sides are matched.
fn matched_labels(matching: Option<&Matching>) -> SeenLabels {
    match matching {
        Some(on) if on.kind == MatchingKind::On => {
            SeenLabels::nothing().and_these(on.labels.iter().map(|label| label.value.as_str()))
        }
        _ => SeenLabels::All,
    }
}
