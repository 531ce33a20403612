//! From tokens to expressions.

mod cursor;
mod expressions;
mod labels;
mod selectors;
mod time;

pub use cursor::DEEPEST;

use super::super::dialect::Dialect;
use super::error::Error;
use super::tree::Query;
use cursor::Parser;

/// Reads a query without checking its types.
pub(super) fn query(text: &str, dialect: Dialect) -> Result<Query, Error> {
    let mut parser = Parser::new(text, dialect);
    if parser.is_at_end() {
        return Err(Error::at(0..0, "there is no expression here"));
    }
    parser.expression(0)?;
    if !parser.is_at_end() {
        return Err(parser.unexpected("", ""));
    }
    Ok(parser.into_query())
}
