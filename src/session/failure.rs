//! Why a command cannot run.

use crate::http::HttpError;
use crate::lineage::SourceError;
use crate::lint::ConfigError;
use crate::text::{closest, closest_channel, closest_version, printable, printable_lines};
use crate::tree::TreeError;

/// Why a command cannot run. Unprintable characters are escaped.
#[derive(Debug)]
pub(crate) struct Failure {
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

    /// A name that does not exist, with a suggestion.
    pub(crate) fn unknown<'n>(
        what: &str,
        name: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Self {
        let failure = Self::new(format!("there is no {what} `{name}`"));
        failure.suggest(closest(name, names).map(str::to_owned))
    }

    pub(crate) fn unknown_channel<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Self {
        let failure = Self::new(format!("there is no channel `{name}`"));
        failure.suggest(closest_channel(name, names))
    }

    pub(crate) fn unknown_release<'n>(version: &str, known: impl Iterator<Item = &'n str>) -> Self {
        Self::new(format!("there is no release `{version}`")).did_you_mean_release(version, known)
    }

    pub(crate) fn did_you_mean_release<'n>(
        self,
        version: &str,
        known: impl Iterator<Item = &'n str>,
    ) -> Self {
        self.suggest(closest_version(version, known))
    }

    fn suggest(self, meant: Option<String>) -> Self {
        match meant {
            Some(meant) => self.hint(format!("did you mean `{meant}`?")),
            None => self,
        }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(printable(&hint.into()).into_owned()), ..self }
    }

    /// Adds a hint if there is none yet.
    pub(crate) fn or_hint(self, hint: impl Into<String>) -> Self {
        if self.hint.is_some() { self } else { self.hint(hint) }
    }

    /// The message and the hint.
    pub(crate) fn words(&self) -> (&str, Option<&str>) {
        (&self.what, self.hint.as_deref())
    }
}

impl From<HttpError> for Failure {
    fn from(HttpError { what, hint }: HttpError) -> Self {
        let failure = Self::new(what);
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::of_lines(&error.to_string())
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        let failure = Self::new(error.what);
        match error.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl From<TreeError> for Failure {
    fn from(error: TreeError) -> Self {
        let failure = Self::new(error.to_string());
        match error {
            TreeError::NoGit(_) => {
                failure.hint("install git: `--rev`, `--base`, and `diff` need it")
            }
            TreeError::UnknownRevision(_, helps) => failure.hint(helps),
            TreeError::Omitted { .. } => {
                failure.hint("`git sparse-checkout disable` gets the whole repository")
            }
            TreeError::Refused { help: Some(help), .. } => failure.hint(help),
            _ => failure,
        }
    }
}
