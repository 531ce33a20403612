//! Why something cannot be read or done.

use std::fmt;
use std::io;

use super::{closest, closest_channel, closest_version, printable, printable_lines};

/// Why something cannot be read or done, and a hint: what the user can do about it. Unprintable
/// characters are escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    what: String,
    hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: printable(&what.into()).into_owned(), hint: None }
    }

    /// A failure with several lines. Text from outside must not contain line breaks, because it
    /// could then imitate a message of exitpath.
    pub(crate) fn of_lines(lines: &str) -> Self {
        Self { what: printable_lines(lines).into_owned(), hint: None }
    }

    /// A file, named `name`, that the system does not let us read.
    pub(crate) fn unreadable(name: &str, error: &io::Error) -> Self {
        Self::new(format!("cannot read {name}: {}", system_words(error)))
    }

    /// A name that does not exist, with a suggestion.
    pub(crate) fn unknown<'n>(
        what: &str,
        name: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Self {
        Self::new(format!("there is no {what} `{name}`")).did_you_mean(name, names)
    }

    pub(crate) fn unknown_channel<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Self {
        let failure = Self::new(format!("there is no channel `{name}`"));
        failure.suggest(closest_channel(name, names))
    }

    pub(crate) fn unknown_release<'n>(version: &str, known: impl Iterator<Item = &'n str>) -> Self {
        Self::new(format!("there is no release `{version}`")).did_you_mean_release(version, known)
    }

    pub(crate) fn did_you_mean<'n>(self, name: &str, names: impl Iterator<Item = &'n str>) -> Self {
        self.suggest(closest(name, names).map(str::to_owned))
    }

    pub(crate) fn did_you_mean_release<'n>(
        self,
        version: &str,
        known: impl Iterator<Item = &'n str>,
    ) -> Self {
        self.suggest(closest_version(version, known))
    }

    fn suggest(self, meant: Option<String>) -> Self {
        self.hint_if_any(meant.map(|meant| format!("did you mean `{meant}`?")))
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(printable(&hint.into()).into_owned()), ..self }
    }

    pub(crate) fn hint_if_any(self, hint: Option<String>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// Adds a hint if there is none yet.
    pub(crate) fn or_hint(self, hint: impl Into<String>) -> Self {
        if self.hint.is_some() { self } else { self.hint(hint) }
    }

    /// The same failure for a file, named `name`, that can be read but not used.
    pub(crate) fn cannot_use(self, name: &str) -> Self {
        self.at(format!("cannot use {name}"))
    }

    /// The same failure, with the file or the place before the message.
    pub(crate) fn at(self, place: impl fmt::Display) -> Self {
        let place = place.to_string();
        Self { what: format!("{}: {}", printable(&place), self.what), ..self }
    }

    /// The message and the hint.
    pub fn words(&self) -> (&str, Option<&str>) {
        (&self.what, self.hint.as_deref())
    }
}

/// The message and the hint in one line, for places that have only one.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for Failure {}

impl From<String> for Failure {
    fn from(what: String) -> Self {
        Self::new(what)
    }
}

impl From<&str> for Failure {
    fn from(what: &str) -> Self {
        Self::new(what)
    }
}

/// The system's message, without Rust's "(os error 13)".
pub(crate) fn system_words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
