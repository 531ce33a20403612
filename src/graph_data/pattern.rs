//! The `from` patterns: each distinct text is compiled once. What is kept is
//! whether it compiles: a small text can make a very large machine.

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;
use regex::Regex;

use crate::text::Spanned;

/// Patterns by their text.
#[derive(Debug, Default)]
pub struct Patterns(HashMap<String, Result<(), PatternError>>);

/// Why a pattern is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The cause in words.
    pub why: String,
    /// The bytes of the pattern at fault; all of it when no part can be named.
    pub at: Option<Range<usize>>,
}

impl Patterns {
    pub(super) fn compile<'t>(texts: impl Iterator<Item = &'t Spanned<String>>) -> Self {
        let mut distinct: Vec<&str> = texts.map(|text| text.value.as_str()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        Self(distinct.par_iter().map(|text| ((*text).to_owned(), compile(text))).collect())
    }

    /// Why the pattern written as `text` is none; `None` when it is one.
    #[must_use]
    pub fn error(&self, text: &str) -> Option<&PatternError> {
        self.0.get(text)?.as_ref().err()
    }
}

fn compile(text: &str) -> Result<(), PatternError> {
    Regex::new(text).map(drop).map_err(|error| match &error {
        regex::Error::CompiledTooBig(limit) => PatternError {
            why: format!("it takes more than the {limit} bytes that the service allows a pattern"),
            at: None,
        },
        _ => syntax_error(text),
    })
}

fn syntax_error(text: &str) -> PatternError {
    let (why, span) = match regex_syntax::parse(text) {
        Err(regex_syntax::Error::Parse(error)) => (error.kind().to_string(), Some(*error.span())),
        Err(regex_syntax::Error::Translate(error)) => {
            (error.kind().to_string(), Some(*error.span()))
        }
        Err(other) => (other.to_string(), None),
        Ok(_) => ("the service's regex library refuses it".to_owned(), None),
    };
    PatternError { why, at: span.map(|span| span.start.offset..span.end.offset) }
}
