//! What a query is made of.

use std::ops::Range;

use super::Function;

/// Names a node of one [`Query`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

/// A query. Its nodes stand in an order in which operands come before what uses them.
#[derive(Clone, Debug)]
pub struct Query {
    pub(super) nodes: Vec<Node>,
}

/// An expression and where it was written.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its bytes.
    pub range: Range<usize>,
    /// The type of its value.
    pub kind: Type,
    /// What it is.
    pub expr: Expr,
}

/// The types of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// One number without labels.
    Scalar,
    /// One number for each of some series.
    Vector,
    /// Many numbers over time for each of some series.
    Range,
    /// Text.
    Text,
}

impl Type {
    /// Prometheus's word for it, with its article.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "a scalar",
            Self::Vector => "an instant vector",
            Self::Range => "a range vector",
            Self::Text => "a string",
        }
    }
}

/// A part of an expression that is none itself, and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<T> {
    /// What it says.
    pub value: T,
    /// Its bytes.
    pub range: Range<usize>,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A number; a duration as a number is its seconds.
    Number(f64),
    /// A text.
    Text(String),
    /// `metric{label="value"}`
    Selector(Selector),
    /// `selector[5m]`: the selector, and the range in seconds.
    Range(NodeId, Part<f64>),
    /// `expression[1h:5m]`
    Subquery(Subquery),
    /// `function(argument, …)`
    Call(Call),
    /// `sum by (label) (expression)`
    Aggregation(Aggregation),
    /// `left + right`
    Binary(Binary),
    /// `-expression`, or `+expression` where it is false.
    Unary(bool, NodeId),
    /// `(expression)`
    Paren(NodeId),
}

/// `metric{label="value"}`
#[derive(Clone, Debug)]
pub struct Selector {
    /// The metric's name, where it stands before the braces.
    pub name: Option<Part<String>>,
    /// What stands between the braces.
    pub matchers: Vec<Matcher>,
    /// Another time than now.
    pub shift: Shift,
}

impl Selector {
    /// The name that a series must have, wherever it is written.
    #[must_use]
    pub fn metric(&self) -> Option<&str> {
        let named = self.matchers.iter().find(|m| m.label.value == NAME && m.op == MatchOp::Equal);
        match &self.name {
            Some(name) => Some(&name.value),
            None => named.map(|matcher| matcher.value.value.as_str()),
        }
    }
}

/// The label that holds a metric's name.
pub(super) const NAME: &str = "__name__";

/// `label="value"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matcher {
    /// All of it.
    pub range: Range<usize>,
    /// The label; its range is that of the value where the name alone stands in quotes.
    pub label: Part<String>,
    /// How the value is compared.
    pub op: MatchOp,
    /// The value.
    pub value: Part<String>,
}

impl std::fmt::Display for Matcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{:?}", self.label.value, self.op.name(), self.value.value)
    }
}

/// How a matcher compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchOp {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `=~`
    Regex,
    /// `!~`
    NotRegex,
}

impl MatchOp {
    /// How it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Regex => "=~",
            Self::NotRegex => "!~",
        }
    }
}

/// Another time to look at than that of the query.
#[derive(Clone, Debug, Default)]
pub struct Shift {
    /// `offset 5m`, in seconds into the past.
    pub offset: Option<Part<f64>>,
    /// `@ 1609746000`
    pub at: Option<Part<Anchor>>,
}

/// What `@` names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// Seconds since 1970.
    Time(f64),
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
    /// How far back, in seconds.
    pub reach: Part<f64>,
    /// How often, in seconds; clusters evaluate rules every 30 s where none is given.
    pub step: Option<Part<f64>>,
    /// Another time than now.
    pub shift: Shift,
}

/// `function(argument, …)`
#[derive(Clone, Debug)]
pub struct Call {
    /// The function.
    pub function: &'static Function,
    /// Where its name stands.
    pub name: Range<usize>,
    /// What it is given.
    pub arguments: Vec<NodeId>,
}

/// `sum by (label) (expression)`
#[derive(Clone, Debug)]
pub struct Aggregation {
    /// The operator.
    pub op: Part<Aggregator>,
    /// Its labels; without any, all series make one.
    pub grouping: Option<Grouping>,
    /// The first argument of those that take two.
    pub parameter: Option<NodeId>,
    /// What is aggregated.
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
    pub labels: Vec<Part<String>>,
}

/// The operators that make few series of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is its own word")]
pub enum Aggregator {
    Sum,
    Avg,
    Min,
    Max,
    Count,
    Group,
    Stddev,
    Stdvar,
    Topk,
    Bottomk,
    Quantile,
    CountValues,
    Limitk,
    LimitRatio,
}

impl Aggregator {
    /// Every one, by its word.
    pub const ALL: [(&'static str, Self); 14] = [
        ("sum", Self::Sum),
        ("avg", Self::Avg),
        ("min", Self::Min),
        ("max", Self::Max),
        ("count", Self::Count),
        ("group", Self::Group),
        ("stddev", Self::Stddev),
        ("stdvar", Self::Stdvar),
        ("topk", Self::Topk),
        ("bottomk", Self::Bottomk),
        ("quantile", Self::Quantile),
        ("count_values", Self::CountValues),
        ("limitk", Self::Limitk),
        ("limit_ratio", Self::LimitRatio),
    ];

    /// Its word.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, op)| *op == self).map_or("", |(name, _)| name)
    }

    /// The type of its first argument, if it takes two.
    #[must_use]
    pub fn parameter(self) -> Option<Type> {
        match self {
            Self::Topk | Self::Bottomk | Self::Quantile | Self::Limitk | Self::LimitRatio => {
                Some(Type::Scalar)
            }
            Self::CountValues => Some(Type::Text),
            _ => None,
        }
    }

    /// Whether clusters lack it.
    #[must_use]
    pub fn is_experimental(self) -> bool {
        matches!(self, Self::Limitk | Self::LimitRatio)
    }

    /// Whether it picks series and leaves them as they are.
    #[must_use]
    pub fn picks(self) -> bool {
        matches!(self, Self::Topk | Self::Bottomk | Self::Limitk | Self::LimitRatio)
    }
}

/// `left + right`
#[derive(Clone, Debug)]
pub struct Binary {
    /// The operator.
    pub op: Part<Operator>,
    /// `bool`: a comparison answers 0 or 1.
    pub bool: Option<Range<usize>>,
    /// How series of both sides find each other.
    pub matching: Option<Matching>,
    /// The left side.
    pub left: NodeId,
    /// The right side.
    pub right: NodeId,
}

/// The operators between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is its own word")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    Atan2,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
    Unless,
}

impl Operator {
    /// How it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
            Self::Power => "^",
            Self::Atan2 => "atan2",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::And => "and",
            Self::Or => "or",
            Self::Unless => "unless",
        }
    }

    /// Whether it keeps or drops series by comparing.
    #[must_use]
    pub fn compares(self) -> bool {
        self.binding() == 3
    }

    /// Whether it is `and`, `or` or `unless`.
    #[must_use]
    pub fn joins_sets(self) -> bool {
        self.binding() < 3
    }

    /// How strongly it binds.
    pub(super) fn binding(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And | Self::Unless => 2,
            Self::Equal
            | Self::NotEqual
            | Self::Less
            | Self::LessOrEqual
            | Self::Greater
            | Self::GreaterOrEqual => 3,
            Self::Add | Self::Subtract => 4,
            Self::Multiply | Self::Divide | Self::Modulo | Self::Atan2 => 5,
            Self::Power => 6,
        }
    }
}

/// `on (label, …) group_left (label, …)`
#[derive(Clone, Debug)]
pub struct Matching {
    /// All of it.
    pub range: Range<usize>,
    /// Which labels count.
    pub join: Join,
    /// The labels named.
    pub labels: Vec<Part<String>>,
    /// Whether one series may meet many.
    pub include: Option<Include>,
}

/// Which labels tell that two series belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// Those named.
    On,
    /// All but those named.
    Ignoring,
}

/// `group_left (label, …)` or `group_right (label, …)`
#[derive(Clone, Debug)]
pub struct Include {
    /// All of it.
    pub range: Range<usize>,
    /// Whether the many are on the left.
    pub left: bool,
    /// The labels taken from the one.
    pub labels: Vec<Part<String>>,
}

impl Query {
    /// The whole.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId(u32::try_from(self.nodes.len().saturating_sub(1)).unwrap_or(u32::MAX))
    }

    /// The node of an id.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Every node, operands before what uses them; the last is the whole.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (0..).map(NodeId).zip(&self.nodes)
    }

    /// The node that stands between all parentheses around one.
    #[must_use]
    pub fn bare(&self, mut id: NodeId) -> NodeId {
        while let Expr::Paren(inner) = self.node(id).expr {
            id = inner;
        }
        id
    }
}
