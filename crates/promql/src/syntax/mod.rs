//! From text to a query: tokens, the tree of expressions, and the type check.

mod error;
mod functions;
mod lexer;
mod literals;
mod messages;
mod operators;
mod parser;
mod token;
mod tree;
mod type_check;
mod value_type;
mod words;

use super::dialect::Dialect;
pub use error::Error;
pub use operators::{Aggregator, MatchOp, Operator};
pub use parser::DEEPEST;
pub use tree::{
    Aggregation, AtTime, Binary, Call, Grouping, Located, Matcher, Matching, MatchingKind, NodeId,
    Selector, Subquery, TimeModifiers,
};
pub use tree::{Expr, Query};
pub use value_type::Type;
pub use words::{Expected, Word, WordKind, callable, expected_after, has_comment, words};

/// The length of the longest text, in bytes, that is read as a query.
pub const LONGEST: usize = 16 << 10;

/// Reads a query as Prometheus 3 does, and checks its types.
pub fn parse(text: &str) -> Result<Query, Error> {
    parse_as(text, Dialect::Three)
}

/// Reads a query and checks its types. The dialect decides only which functions there are;
/// everything else is read as Prometheus 3 does.
pub fn parse_as(text: &str, dialect: Dialect) -> Result<Query, Error> {
    if text.len() > LONGEST {
        let message = format!("the query is longer than {} KiB", LONGEST >> 10);
        return Err(Error::at(0..text.len(), message));
    }
    let query = parser::query(text, dialect)?;
    type_check::check(&query)?;
    Ok(query)
}
