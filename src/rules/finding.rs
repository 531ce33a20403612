//! What a rule found: where, what, why it matters, and how to mend it.

use crate::domain::Severity;
use crate::text::{SourceId, Span};

use super::Rule;

/// Where a finding stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// On some text of a file.
    Text(Span),
    /// On a whole file.
    File(SourceId),
    /// On a file that is not there, by its path relative to the repository.
    Absent(String),
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Self::Text(span)
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// How bad it is.
    pub severity: Severity,
    /// How bad it is where a change brings it in.
    pub when_new: Option<Severity>,
    /// Where.
    pub place: Place,
    /// What, and what comes of it.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Other places that have to do with it.
    pub related: Vec<Related>,
    /// A change that mends it, where one answer is right.
    pub fix: Option<Fix>,
    /// What it is about, where that is not the text at its place.
    pub about: Option<String>,
}

/// Another place, and what it has to do with a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// What stands there.
    pub message: String,
}

/// A change that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does.
    pub message: String,
    /// The texts to replace, which do not overlap.
    pub edits: Vec<Edit>,
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The text that goes.
    pub span: Span,
    /// The text that comes.
    pub text: String,
}

impl Finding {
    /// A finding on some text.
    #[must_use]
    pub fn at(rule: &'static Rule, span: Span, message: impl Into<String>) -> Self {
        Self::on(rule, Place::Text(span), message)
    }

    /// A finding at any place.
    #[must_use]
    pub fn on(rule: &'static Rule, place: Place, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            when_new: None,
            place,
            message: cut(message.into()),
            help: None,
            related: Vec::new(),
            fix: None,
            about: None,
        }
    }

    /// Says how bad it is, where that is not as bad as the rule's other findings.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Says how bad it is where a change brings it in.
    #[must_use]
    pub fn when_new(mut self, severity: Severity) -> Self {
        self.when_new = Some(severity);
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what the finding is about: a baseline knows it by this.
    #[must_use]
    pub fn about(mut self, about: impl Into<String>) -> Self {
        self.about = Some(about.into());
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn related(mut self, place: impl Into<Place>, message: impl Into<String>) -> Self {
        self.related.push(Related { place: place.into(), message: message.into() });
        self
    }

    /// Offers to replace one text.
    #[must_use]
    pub fn fix(self, message: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.fix_all(message, vec![Edit { span, text: text.into() }])
    }

    /// Offers several replacements that belong together.
    #[must_use]
    pub fn fix_all(mut self, message: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fix = Some(Fix { message: message.into(), edits });
        self
    }
}

/// A message may quote what a file holds; this much of it is enough.
fn cut(mut message: String) -> String {
    const LONGEST: usize = 800;
    if message.len() > LONGEST {
        message.truncate(message.floor_char_boundary(LONGEST));
        message.push('…');
    }
    message
}
