//! The operators of matchers, aggregations and calculations.

use super::value_type::Type;

/// How a matcher compares a label with its value.
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
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Regex => "=~",
            Self::NotRegex => "!~",
        }
    }
}

/// The operators that combine the series of one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// All of them, with their keywords.
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

    /// Its keyword.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, op)| *op == self).map_or("", |(name, _)| name)
    }

    /// The type of its first argument, if it takes two.
    pub fn parameter(self) -> Option<Type> {
        match self {
            Self::Topk | Self::Bottomk | Self::Quantile | Self::Limitk | Self::LimitRatio => {
                Some(Type::Scalar)
            }
            Self::CountValues => Some(Type::Text),
            _ => None,
        }
    }

    /// Whether Prometheus has it only with a feature flag, which clusters do not set.
    pub fn is_experimental(self) -> bool {
        matches!(self, Self::Limitk | Self::LimitRatio)
    }

    /// Whether it picks some of the series, and keeps their labels.
    pub fn picks(self) -> bool {
        matches!(self, Self::Topk | Self::Bottomk | Self::Limitk | Self::LimitRatio)
    }
}

/// The operators between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// Whether it is one of `==`, `!=`, `<`, `<=`, `>`, and `>=`.
    pub fn is_comparison(self) -> bool {
        self.precedence() == 3
    }

    /// Whether it is `and`, `or`, or `unless`.
    pub fn is_set_operator(self) -> bool {
        self.precedence() < 3
    }

    /// The precedence. Operators with a higher number are applied first.
    pub(super) fn precedence(self) -> u8 {
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
