//! The parts of queries, in the order of evaluation.

use std::collections::HashMap;
use std::fmt::Write;

use crate::promql::{Binary, Expr, Matching, MatchingKind, NodeId, Query, Selector, Type};

/// A part of a query.
pub(super) struct Step<'q> {
    pub(super) query: &'q Query,
    /// The index of the query.
    pub(super) nth: usize,
    pub(super) id: NodeId,
    /// The first step of the query.
    pub(super) first: usize,
    /// The first step that always has the same value as this one.
    pub(super) same: usize,
    /// The last step that uses the value.
    pub(super) last_use: usize,
    /// The operators whose right side begins at this step, the longest right side first. The right
    /// side can be skipped if the left side decides the result.
    pub(super) right_sides: Vec<usize>,
    /// Whether the evaluation of the step, or of one of its operands, may fail.
    pub(super) can_fail: bool,
    /// Whether it is the selector in a range.
    pub(super) is_in_range: bool,
}

/// All parts of some queries.
pub(super) struct Steps<'q>(Vec<Step<'q>>);

impl<'q> Steps<'q> {
    pub(super) fn of(queries: &[&'q Query]) -> Self {
        let mut steps: Vec<Step> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (nth, query) in queries.iter().enumerate() {
            let first = steps.len();
            // For each node, the first step of its operands.
            let mut begins: Vec<usize> = Vec::new();
            for (id, node) in query.nodes() {
                let at = steps.len();
                let operands = node.expr.operands();
                let begin = operands.first().map_or(at, |operand| begins[operand.index()]);
                begins.push(begin);
                let same_of = |id: NodeId| steps[first + id.index()].same;
                let same = match &node.expr {
                    Expr::Paren(of) => same_of(*of),
                    expr => *known.entry(key(expr, at, same_of)).or_insert(at),
                };
                let of_operands = operands.iter().map(|id| steps[first + id.index()].can_fail);
                let can_fail =
                    of_operands.fold(can_fail(query, &node.expr), |one, other| one || other);
                let is_range = matches!(node.expr, Expr::Range(..));
                for operand in &operands {
                    let operand = &mut steps[first + operand.index()];
                    operand.last_use = at;
                    operand.is_in_range = is_range;
                }
                if let Some(earlier) = steps.get_mut(same) {
                    earlier.last_use = at;
                }
                if let Expr::Binary(binary) = &node.expr {
                    let right = begins[binary.right.index()];
                    if let Some(step) = steps.get_mut(right) {
                        step.right_sides.insert(0, at);
                    }
                }
                let right_sides = Vec::new();
                let step = Step {
                    query,
                    nth,
                    id,
                    first,
                    same,
                    last_use: at,
                    right_sides,
                    can_fail,
                    is_in_range: false,
                };
                steps.push(step);
            }
            // The answer is needed after the last step.
            if let Some(root) = steps.last_mut() {
                root.last_use = usize::MAX;
            }
        }
        Self(steps)
    }

    pub(super) fn get(&self, at: usize) -> Option<&Step<'q>> {
        self.0.get(at)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Step<'q>> {
        self.0.iter()
    }

    /// The steps of the root nodes.
    pub(super) fn answers(&self) -> impl Iterator<Item = usize> {
        let is_root = |(_, step): &(usize, &Step)| step.id == step.query.root();
        self.0.iter().enumerate().filter(is_root).map(|(at, _)| at)
    }
}

impl Step<'_> {
    pub(super) fn expr(&self) -> &Expr {
        &self.query.node(self.id).expr
    }

    /// The step of another node of the query.
    pub(super) fn of(&self, id: NodeId) -> usize {
        self.first + id.index()
    }
}

/// Whether an expression can fail although its operands do not.
fn can_fail(query: &Query, expr: &Expr) -> bool {
    match expr {
        Expr::Binary(binary) => {
            let is_vector = |id: NodeId| query.node(id).kind == Type::Vector;
            !binary.op.value.is_set_operator() && is_vector(binary.left) && is_vector(binary.right)
        }
        Expr::Call(call) => call.function.name.starts_with("label_"),
        Expr::Aggregation(aggregation) => aggregation.parameter.is_some(),
        Expr::Subquery(_) => true,
        _ => false,
    }
}

/// A key. Expressions with equal keys have equal values.
fn key(expr: &Expr, at: usize, same_of: impl Fn(NodeId) -> usize) -> String {
    let mut key = String::new();
    // Writing to a string does not fail.
    let _ = match expr {
        Expr::Number(number) => write!(key, "{}", number.to_bits()),
        Expr::Text(text) => write!(key, "{text:?}"),
        Expr::Selector(selector) => write!(key, "{}", selector_key(selector)),
        Expr::Range(of, window) => write!(key, "{}[{}]", same_of(*of), window.value),
        // Subqueries are never equal, because the prover cannot evaluate them.
        Expr::Subquery(_) => write!(key, "subquery {at}"),
        Expr::Call(call) => {
            let arguments: Vec<usize> = call.arguments.iter().map(|id| same_of(*id)).collect();
            write!(key, "{}{arguments:?}", call.function.name)
        }
        Expr::Aggregation(aggregation) => {
            let grouping = aggregation.grouping.as_ref().map(|grouping| {
                let mut labels: Vec<&str> =
                    grouping.labels.iter().map(|label| label.value.as_str()).collect();
                labels.sort_unstable();
                (grouping.without, labels)
            });
            let parameter = aggregation.parameter.map(&same_of);
            let name = aggregation.op.value.name();
            write!(key, "{name} {grouping:?} {parameter:?} {}", same_of(aggregation.of))
        }
        Expr::Binary(binary) => {
            let (left, right) = (same_of(binary.left), same_of(binary.right));
            write!(key, "{left} {} {right}", operator_key(binary))
        }
        Expr::Unary(minus, of) => write!(key, "{minus} {}", same_of(*of)),
        Expr::Paren(of) => write!(key, "({})", same_of(*of)),
    };
    key
}

fn selector_key(selector: &Selector) -> String {
    let mut matchers: Vec<String> = selector.matchers.iter().map(ToString::to_string).collect();
    matchers.sort_unstable();
    format!("{:?}{matchers:?}{:?}", selector.metric(), shift(selector))
}

/// The modifiers that move a selector to another time. None without modifiers.
pub(super) fn shift(selector: &Selector) -> Option<String> {
    let modifiers = &selector.modifiers;
    let offset = modifiers.offset.as_ref().map(|offset| offset.value);
    let at = modifiers.at.as_ref().map(|at| at.value);
    (!modifiers.is_empty()).then(|| format!("{offset:?}{at:?}"))
}

fn operator_key(binary: &Binary) -> String {
    let matching = binary.matching.as_ref().map(matching_key);
    format!("{}{}{matching:?}", binary.op.value.name(), binary.bool.is_some())
}

fn matching_key(matching: &Matching) -> String {
    let mut labels: Vec<&str> = matching.labels.iter().map(|label| label.value.as_str()).collect();
    labels.sort_unstable();
    let group = matching.group.as_ref().map(|group| {
        let labels: Vec<&str> = group.labels.iter().map(|label| label.value.as_str()).collect();
        (group.left, labels)
    });
    format!("{}{labels:?}{group:?}", matching.kind == MatchingKind::On)
}

/// The labels that queries name.
pub(super) fn named_labels(queries: &[&Query]) -> Vec<String> {
    let mut names = Vec::new();
    for (_, node) in queries.iter().flat_map(|query| query.nodes()) {
        match &node.expr {
            Expr::Selector(selector) => {
                names.extend(selector.matchers.iter().map(|matcher| matcher.label.value.clone()));
            }
            Expr::Aggregation(aggregation) => {
                let labels = aggregation.grouping.iter().flat_map(|grouping| &grouping.labels);
                names.extend(labels.map(|label| label.value.clone()));
            }
            Expr::Binary(binary) => {
                if let Some(matching) = &binary.matching {
                    let group = matching.group.iter().flat_map(|group| &group.labels);
                    let labels = matching.labels.iter().chain(group);
                    names.extend(labels.map(|label| label.value.clone()));
                }
            }
            // `label_replace` and `label_join` name labels as texts.
            Expr::Text(text) => names.push(text.clone()),
            _ => {}
        }
    }
    names
}

/// Whether the sides of an operator match regardless of their labels.
pub(super) fn finds_all(binary: &Binary) -> bool {
    let on = binary.matching.as_ref().filter(|matching| matching.kind == MatchingKind::On);
    on.is_some_and(|on| on.labels.is_empty())
}
