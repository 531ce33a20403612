#![doc = include_str!("../README.md")]
//!
//! # The folders
//!
//! - `regex`: the patterns of matchers. It knows nothing of queries.
//! - `syntax`: from text to a type-checked query, operands before their users. It uses `regex` to refuse
//!   bad patterns. `parse_as` also knows the function that only Prometheus 2 has.
//! - `layout`: a query in lines that people can read.
//! - `meaning`: what a query can answer. It uses `regex` and `syntax`.
//! - `value`: what a query answers over given series. It uses `regex` and `syntax`.

mod dialect;
mod layout;
mod meaning;
pub mod quoting;
pub mod regex;
mod syntax;
mod value;

pub use dialect::Dialect;
pub use layout::laid_out;
pub use meaning::{Answer, ManyCause, Remark, SampleCount, Shape, Values};
pub use meaning::{CLUSTER_ID, Conflict, Dropped, Needs, label_for_name};
pub use syntax::{
    Aggregation, Aggregator, Binary, Call, MatchOp, Matcher, Matching, MatchingKind, NodeId,
    Operator, Selector, Subquery, Type,
};
pub use syntax::{DEEPEST, Error, Expr, LONGEST, Query, parse, parse_as};
pub use syntax::{Expected, Word, WordKind, callable, expected_after, has_comment, words};
pub use value::{
    EvalError, Exposition, Format, Inserted, Interner, Labels, Limits, LineFault, Malformations,
    Malformed, Point, ReadError, Settings, Store, Value, evaluate, in_json, read, read_from,
    seconds, series_labels,
};
pub use value::{
    Evaluation, KnownValues, Step, absent_labels, calculated, evaluate_counted, in_decimal,
    label_replaced, remove_selected,
};
