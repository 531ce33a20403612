//! The expressions of a query, and where they are written.

use std::ops::Range;
use std::sync::Arc;

use super::super::regex;
use super::functions::Function;
use super::operators::{Aggregator, MatchOp, Operator};
use super::value_type::Type;

/// Names a node of one [`Query`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    pub fn new(index: usize) -> Self {
        // A query has fewer nodes than bytes, and those are limited.
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Its index in the list of nodes.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A query. Its nodes are in an order in which operands come before their users.
#[derive(Clone, Debug)]
pub struct Query {
    nodes: Vec<Node>,
}

/// An expression and where it is written.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its bytes.
    pub range: Range<usize>,
    /// The type of its value.
    pub kind: Type,
    /// The expression.
    pub expr: Expr,
}

/// A part of an expression, such as a label, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// What it says.
    pub value: T,
    /// Its bytes.
    pub range: Range<usize>,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A number. A duration in place of a number counts as its seconds.
    Number(f64),
    /// A string.
    Text(String),
    /// `metric{label="value"}`
    Selector(Selector),
    /// `selector[5m]`: the selector, and the range in seconds.
    Range(NodeId, Located<f64>),
    /// `expression[1h:5m]`
    Subquery(Subquery),
    /// `function(argument, …)`
    Call(Call),
    /// `sum by (label) (expression)`
    Aggregation(Aggregation),
    /// `left + right`
    Binary(Binary),
    /// `-expression` if true, else `+expression`.
    Unary(bool, NodeId),
    /// `(expression)`
    Paren(NodeId),
}

/// `metric{label="value"}`
#[derive(Clone, Debug)]
pub struct Selector {
    /// The metric's name, if it is before the braces.
    pub name: Option<Located<String>>,
    /// The matchers between the braces.
    pub matchers: Vec<Matcher>,
    /// `offset` and `@`.
    pub modifiers: TimeModifiers,
}

impl Selector {
    /// The metric's name, before the braces or between them.
    pub fn metric(&self) -> Option<&str> {
        let names_it = |m: &&Matcher| m.label.value == METRIC_NAME && m.op == MatchOp::Equal;
        match &self.name {
            Some(name) => Some(&name.value),
            None => self.matchers.iter().find(names_it).map(|m| m.value.value.as_str()),
        }
    }
}

/// The label that holds a metric's name.
pub(super) const METRIC_NAME: &str = "__name__";

/// `label="value"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matcher {
    /// All of it.
    pub range: Range<usize>,
    /// The label. In `{"metric"}`, its range is that of the text.
    pub label: Located<String>,
    /// How it compares.
    pub op: MatchOp,
    /// The value or the pattern.
    pub value: Located<String>,
    /// The pattern, if it compares with one.
    pub pattern: Option<Arc<regex::CompiledPattern>>,
}

impl Matcher {
    /// Whether a value satisfies the matcher. Before Prometheus 3, `.` does not match a line feed.
    pub fn admits(&self, value: &str, dot_takes_line_feeds: bool) -> Result<bool, regex::TooLarge> {
        let same = match &self.pattern {
            Some(pattern) => pattern.is_match(value, dot_takes_line_feeds)?,
            None => self.value.value == value,
        };
        Ok(same != matches!(self.op, MatchOp::NotEqual | MatchOp::NotRegex))
    }
}

impl std::fmt::Display for Matcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{:?}", self.label.value, self.op.name(), self.value.value)
    }
}

/// The modifiers with which an expression looks at another time than that of the query.
#[derive(Clone, Debug, Default)]
pub struct TimeModifiers {
    /// `offset 5m`, in seconds into the past.
    pub offset: Option<Located<f64>>,
    /// `@ 1609746000`
    pub at: Option<Located<AtTime>>,
}

impl TimeModifiers {
    pub fn is_empty(&self) -> bool {
        self.offset.is_none() && self.at.is_none()
    }
}

/// The time after `@`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AtTime {
    /// Seconds since 1970.
    Seconds(f64),
    /// `start()`
    Start,
    /// `end()`
    End,
}

/// `expression[1h:5m]`
#[derive(Clone, Debug)]
pub struct Subquery {
    /// The expression.
    pub of: NodeId,
    /// How far it looks back, in seconds.
    pub reach: Located<f64>,
    /// The time between two evaluations, in seconds. Without a step, clusters use the interval of
    /// their rules, 30 s.
    pub step: Option<Located<f64>>,
    /// `offset` and `@`.
    pub modifiers: TimeModifiers,
}

/// `function(argument, …)`
#[derive(Clone, Debug)]
pub struct Call {
    /// The function.
    pub function: &'static Function,
    /// The bytes of its name.
    pub name: Range<usize>,
    /// The arguments.
    pub arguments: Vec<NodeId>,
}

impl Call {
    /// The argument whose series the function works on.
    pub fn vector(&self, query: &Query) -> Option<NodeId> {
        let is_vector = |id: &NodeId| matches!(query.node(*id).kind, Type::Vector | Type::Range);
        self.arguments.iter().copied().find(is_vector)
    }
}

/// `sum by (label) (expression)`
#[derive(Clone, Debug)]
pub struct Aggregation {
    /// The operator.
    pub op: Located<Aggregator>,
    /// The labels that remain. Without a grouping, all series become one.
    pub grouping: Option<Grouping>,
    /// The first argument of operators with two.
    pub parameter: Option<NodeId>,
    /// The aggregated expression.
    pub of: NodeId,
}

/// `by (label, …)` or `without (label, …)`
#[derive(Clone, Debug)]
pub struct Grouping {
    /// All of it.
    pub range: Range<usize>,
    /// Whether it is `without`.
    pub without: bool,
    /// The labels.
    pub labels: Vec<Located<String>>,
}

/// `left + right`
#[derive(Clone, Debug)]
pub struct Binary {
    /// The operator.
    pub op: Located<Operator>,
    /// `bool`: a comparison returns 0 or 1.
    pub bool: Option<Range<usize>>,
    /// Which series of the two sides belong together.
    pub matching: Option<Matching>,
    /// The left side.
    pub left: NodeId,
    /// The right side.
    pub right: NodeId,
}

/// `on (label, …) group_left (label, …)`
#[derive(Clone, Debug)]
pub struct Matching {
    /// All of it.
    pub range: Range<usize>,
    /// `on` or `ignoring`.
    pub kind: MatchingKind,
    /// The labels after it.
    pub labels: Vec<Located<String>>,
    /// `group_left` or `group_right`: one series can match many.
    pub group: Option<GroupModifier>,
}

impl Matching {
    pub fn lists(&self, label: &str) -> bool {
        self.labels.iter().any(|listed| listed.value == label)
    }
}

/// Which labels two series must have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchingKind {
    /// The labels in the list.
    On,
    /// All labels that are not in the list.
    Ignoring,
}

/// `group_left (label, …)` or `group_right (label, …)`
#[derive(Clone, Debug)]
pub struct GroupModifier {
    /// All of it.
    pub range: Range<usize>,
    /// Whether the side with many series is the left one.
    pub left: bool,
    /// The labels copied from the other side.
    pub labels: Vec<Located<String>>,
}

impl Expr {
    /// The parts that are expressions themselves, in the order of their text.
    pub fn operands(&self) -> Vec<NodeId> {
        match self {
            Self::Number(_) | Self::Text(_) | Self::Selector(_) => Vec::new(),
            Self::Range(of, _) | Self::Unary(_, of) | Self::Paren(of) => vec![*of],
            Self::Subquery(subquery) => vec![subquery.of],
            Self::Call(call) => call.arguments.clone(),
            Self::Aggregation(aggregation) => {
                aggregation.parameter.into_iter().chain([aggregation.of]).collect()
            }
            Self::Binary(binary) => vec![binary.left, binary.right],
        }
    }

    pub fn is_or(&self) -> bool {
        matches!(self, Self::Binary(binary) if binary.op.value == Operator::Or)
    }
}

impl Query {
    pub(super) fn new(nodes: Vec<Node>) -> Self {
        Self { nodes }
    }

    /// The whole query.
    pub fn root(&self) -> NodeId {
        NodeId::new(self.nodes.len().saturating_sub(1))
    }

    /// The node of an id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Every node, operands before their users. The last node is the whole query.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId::new(index), node))
    }

    /// The names of the metrics that it selects.
    pub fn metrics(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter_map(|node| match &node.expr {
            Expr::Selector(selector) => selector.metric(),
            _ => None,
        })
    }

    /// The node inside any parentheses.
    pub fn bare(&self, mut id: NodeId) -> NodeId {
        while let Expr::Paren(inner) = self.node(id).expr {
            id = inner;
        }
        id
    }
}
