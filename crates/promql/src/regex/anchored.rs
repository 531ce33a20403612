//! Parses patterns.

use regex_syntax::hir::Hir;

use super::error::RegexError;
use super::go_syntax;

/// Parses a matcher's pattern. It matches a whole value, not a part of one.
pub fn anchored(text: &str) -> Result<Hir, RegexError> {
    let rewritten = go_syntax::to_rust(text)?;
    let mut parser = regex_syntax::ParserBuilder::new();
    let mut parser = parser.dot_matches_new_line(true).nest_limit(100).build();
    parser.parse(&rewritten).map_err(|error| {
        let why = match error {
            regex_syntax::Error::Parse(error) => error.kind().to_string(),
            regex_syntax::Error::Translate(error) => error.kind().to_string(),
            other => other.to_string(),
        };
        RegexError { range: 0..text.len(), why }
    })
}
