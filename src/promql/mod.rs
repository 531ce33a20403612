//! PromQL with positions: every part of a query knows the bytes it was written in.
//!
//! The grammar is that of Prometheus 3 without its experimental flags, which is
//! what clusters run. A query is a flat list of nodes, operands before what uses
//! them: nothing walks it by recursion, so no query is too deep to be dropped,
//! checked or judged.

mod answer;
mod ast;
mod check;
mod contradiction;
mod functions;
mod join;
mod literal;
mod metrics;
mod needs;
mod parse;
mod regex;
mod selector;
mod shape;
mod token;
mod values;

pub use answer::{Answer, Dropped, Remark};
pub use ast::{
    Aggregation, Aggregator, Anchor, Binary, Call, Expr, Grouping, Include, Join, MatchOp, Matcher,
    Matching, Node, NodeId, Operator, Part, Query, Selector, Shift, Subquery, Type,
};
pub use functions::Function;
pub use metrics::label_for_name;
pub use needs::{Conflict, Needs};
pub use regex::{RegexError, anchored, endings, matches};
pub use shape::{Cause, Count, ID, Label, Labels, Shape};
pub use values::Values;

use std::ops::Range;

/// A longer text is not read as a query.
pub const LONGEST: usize = 16 << 10;

/// A query nested deeper is not read.
pub const DEEPEST: usize = 200;

/// Why a text is no query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The bytes at fault; empty at the end of the text where something is missing.
    pub range: Range<usize>,
    /// The cause in words.
    pub message: String,
    /// What was opened and not closed.
    pub opened: Option<Range<usize>>,
}

impl Error {
    fn at(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, message: message.into(), opened: None }
    }
}

/// Reads a query and checks its types.
pub fn parse(text: &str) -> Result<Query, Error> {
    if text.len() > LONGEST {
        let message = format!("the query is {} bytes long; {LONGEST} are read", text.len());
        return Err(Error::at(0..text.len(), message));
    }
    let query = parse::query(text)?;
    check::types(&query)?;
    Ok(query)
}
