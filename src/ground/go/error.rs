//! Errors in the words of programs in Go.

use std::fmt;

/// What a program in Go says is wrong: opm, OLM, `oc`, an operator, or a library of theirs.
/// Exitpath repeats its words, and adds none. Our own messages are a `Failure`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    pub(crate) fn words(&self) -> &str {
        &self.0
    }
}

impl From<String> for Error {
    fn from(words: String) -> Self {
        Self(words)
    }
}

impl From<Error> for String {
    fn from(error: Error) -> Self {
        error.0
    }
}

impl From<&str> for Error {
    fn from(words: &str) -> Self {
        Self(words.to_owned())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
