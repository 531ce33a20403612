//! PromQL with positions: every part of a query knows its bytes.
//!
//! The grammar is that of Prometheus 3 without its experimental flags, because clusters
//! run that. A query is a flat list of nodes, operands before their users. Nothing walks
//! it by recursion, so deep nesting cannot overflow the stack.
//!
//! - `regex`: the patterns of matchers. It knows nothing of queries.
//! - `syntax`: from text to a query of checked types. It uses `regex` to refuse bad patterns.
//! - `meaning`: what a query can answer. It uses both.

mod meaning;
mod regex;
mod syntax;

pub use meaning::{
    Answer, CLUSTER_ID, Conflict, Dropped, Label, Labels, ManyCause, Needs, Remark, SampleCount,
    Shape, Values, label_for_name,
};
pub use regex::{RegexError, anchored, endings, matches};
pub use syntax::{
    Aggregation, Aggregator, AtTime, Binary, Call, DEEPEST, Error, Expr, Function, GroupModifier,
    Grouping, LONGEST, Located, MatchOp, Matcher, Matching, MatchingKind, Node, NodeId, Operator,
    Query, Selector, Subquery, TimeModifiers, Type, parse,
};
