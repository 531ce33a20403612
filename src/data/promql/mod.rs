//! PromQL with positions: every part of a query knows its bytes.
//!
//! The grammar is that of Prometheus 3 without its experimental flags, because clusters run that.
//! `parse_as` also knows the function that only Prometheus 2 has. A query is a flat list of nodes,
//! operands before their users. No code walks it by recursion, so deep nesting cannot overflow the
//! stack.
//!
//! - `regex`: the patterns of matchers. It knows nothing of queries.
//! - `syntax`: from text to a type-checked query. It uses `regex` to refuse bad patterns.
//! - `layout`: a query in lines that people can read.
//! - `meaning`: what a query can answer. It uses `regex` and `syntax`.
//! - `value`: what a query answers over given series. It uses `regex` and `syntax`.

mod dialect;
mod layout;
mod meaning;
mod regex;
mod syntax;
mod value;

pub use dialect::Dialect;
pub use layout::laid_out;
pub use meaning::{Answer, ManyCause, Remark, SampleCount, Values};
pub(crate) use meaning::{CLUSTER_ID, Conflict, Dropped, Needs, label_for_name};
pub(crate) use regex::{alternatives, endings, names_several, samples, together, values};
pub use regex::{anchored, matches};
#[cfg(feature = "testing")]
pub use syntax::DEEPEST;
pub(crate) use syntax::{
    Aggregation, Aggregator, Binary, Call, MatchOp, Matcher, Matching, MatchingKind, NodeId,
    Operator, Selector, Subquery, Type,
};
pub use syntax::{Error, Expr, LONGEST, Query, parse, parse_as};
#[cfg(feature = "testing")]
pub use value::Malformed;
pub use value::{
    EvalError, Exposition, Format, Inserted, Interner, Labels, Limits, Malformations, Point,
    ReadError, Settings, Store, Value, evaluate, in_json, read_from, seconds, series_labels,
};
pub(crate) use value::{
    Evaluation, Known, Step, calculated, evaluate_counted, plain, remove, replaced,
};
