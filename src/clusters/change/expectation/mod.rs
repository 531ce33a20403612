//! Statements of an author about what a change does, and whether they are right.
//!
//! A statement is only about its own kind of change: `strands nobody` does not restrict blocks.
//! Together, all statements of one kind must name all changes of that kind.

mod facts;
mod statement;

pub(crate) use facts::BrokenStatement;
pub(crate) use statement::{ReleaseSpan, Statement, UpdateSpan};

use crate::text::Failure;

use super::GraphChange;

/// A statement and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    pub text: String,
    /// The commit whose message contains it. None if it is from a flag.
    pub commit: Option<String>,
    /// The parsed statement, or why it cannot be parsed.
    pub statement: Result<Statement, Failure>,
}

/// The key of a trailer in a commit message.
const TRAILER_KEY: &str = "Exitpath-Expect:";
/// The most statements to read in one message.
const MOST_STATEMENTS: usize = 100;

impl Stated {
    pub fn by_flag(text: &str) -> Self {
        Self { text: text.to_owned(), commit: None, statement: Statement::parse(text) }
    }

    pub fn in_message(commit: &str, message: &str) -> Vec<Self> {
        let value = |line: &str| {
            let key = line.get(..TRAILER_KEY.len())?;
            key.eq_ignore_ascii_case(TRAILER_KEY)
                .then(|| line[TRAILER_KEY.len()..].trim().to_owned())
        };
        let stated = message.lines().filter_map(value).take(MOST_STATEMENTS);
        let stated = stated.map(|text| Self {
            statement: Statement::parse(&text),
            commit: Some(commit.to_owned()),
            text,
        });
        stated.collect()
    }
}

/// The statements that are wrong or cannot be read.
pub(crate) fn broken<'s>(
    stated: &'s [Stated],
    change: &GraphChange<'_>,
) -> Vec<BrokenStatement<'s>> {
    facts::broken(stated, change)
}
