//! What the author of a change says that it does, and whether that is so.
//!
//! A statement constrains its own kind of change only: `strands nobody` says nothing of blocks.
//! All statements of one kind together name everything of that kind.

mod facts;
mod statement;

pub(crate) use facts::Broken;
pub(crate) use statement::{Releases, Statement, Updates};

use super::GraphChange;

/// A statement, and where it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// As it is written.
    pub text: String,
    /// The commit whose message has it; none of a flag.
    pub commit: Option<String>,
    /// What it says, or why it cannot be read.
    pub statement: Result<Statement, String>,
}

/// The key of a line in a commit's message.
const KEY: &str = "Exitpath-Expect:";
/// So many statements of one message are read.
const MOST: usize = 100;

impl Stated {
    /// A statement of a flag.
    #[must_use]
    pub fn by_flag(text: &str) -> Self {
        Self { text: text.to_owned(), commit: None, statement: Statement::parse(text) }
    }

    /// The statements in a commit's message.
    #[must_use]
    pub fn in_message(commit: &str, message: &str) -> Vec<Self> {
        let value = |line: &str| {
            let key = line.get(..KEY.len())?;
            key.eq_ignore_ascii_case(KEY).then(|| line[KEY.len()..].trim().to_owned())
        };
        let stated = message.lines().filter_map(value).take(MOST);
        let stated = stated.map(|text| Self {
            statement: Statement::parse(&text),
            commit: Some(commit.to_owned()),
            text,
        });
        stated.collect()
    }
}

/// The statements that are not so, or cannot be read.
#[must_use]
pub(crate) fn broken(stated: &[Stated], change: &GraphChange<'_>) -> Vec<Broken> {
    facts::broken(stated, change)
}
