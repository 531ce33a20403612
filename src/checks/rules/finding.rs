//! What a rule finds.

use crate::catalog::simulation::Role;
use crate::domain::Severity;
use crate::text::{Edit, Fix, SourceId, Span};

use super::Rule;

/// The place of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Some text of a file.
    Text(Span),
    /// A whole file.
    File(SourceId),
    /// A file that does not exist, by its path relative to the repository.
    Absent(String),
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Self::Text(span)
    }
}

/// One problem.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// Its severity.
    pub severity: Severity,
    /// Its severity if a change introduces it, if that is different.
    pub when_new: Option<Severity>,
    /// Its place.
    pub place: Place,
    /// What is wrong, and what it causes.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// The edits that fix it, if there is one right answer.
    pub fix: Option<Fix>,
    /// The key by which a baseline recognizes it, if that is not the text at its place.
    pub about: Option<String>,
    /// Whether it is about all files of one risk. A baseline then ignores its path.
    pub is_grouped: bool,
    /// The message that opm prints for it.
    pub opm_words: Option<String>,
    /// The part of a catalog that it is about.
    pub catalog: CatalogPlace,
}

/// The part of a catalog that a finding is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogPlace {
    /// Its package.
    pub package: Option<String>,
    /// Its channel, if there is only one.
    pub channel: Option<String>,
    /// Its entry or bundle.
    pub entry: Option<String>,
    /// The best role of the entry.
    pub role: Option<Role>,
    /// The entries whose installs the problem affects.
    pub installs: Vec<String>,
}

/// Another place that belongs to a finding, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub place: Place,
    /// What is there.
    pub message: String,
    /// Whether this place has the same mistake, so that the finding could also be reported here.
    pub is_copy: bool,
}

impl Finding {
    /// A finding on some text.
    pub fn at(rule: &'static Rule, span: Span, message: impl Into<String>) -> Self {
        Self::on(rule, Place::Text(span), message)
    }

    /// A finding at any place.
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
            is_grouped: false,
            opm_words: None,
            catalog: CatalogPlace::default(),
        }
    }

    /// The same finding where its files have other ids. None if one of them has none.
    pub(crate) fn in_files(&self, id: &dyn Fn(SourceId) -> Option<SourceId>) -> Option<Self> {
        let mut moved = self.clone();
        let places = moved.related.iter_mut().map(|related| &mut related.place);
        for place in places.chain([&mut moved.place]) {
            match place {
                Place::Text(span) => span.source = id(span.source)?,
                Place::File(file) => *file = id(*file)?,
                Place::Absent(_) => {}
            }
        }
        for edit in moved.fix.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.span.source = id(edit.span.source)?;
        }
        Some(moved)
    }

    /// Sets a severity other than the rule's.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the severity that the finding has if a change introduces it.
    pub fn when_new(mut self, severity: Severity) -> Self {
        self.when_new = Some(severity);
        self
    }

    /// Adds what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the key by which a baseline recognizes the finding.
    pub fn about(mut self, about: impl Into<String>) -> Self {
        self.about = Some(about.into());
        self
    }

    /// Makes it a finding about all files of one risk. A baseline still recognizes it if the risk
    /// gains or loses files.
    pub fn grouped(mut self, about: impl Into<String>) -> Self {
        self.is_grouped = true;
        self.about(about)
    }

    /// Adds the message that opm prints for it.
    pub fn opm_words(mut self, words: Option<&str>) -> Self {
        self.opm_words = words.map(str::to_owned);
        self
    }

    /// Names the entries whose installs the problem affects.
    pub fn installs<T: AsRef<str>>(mut self, names: &[T]) -> Self {
        self.catalog.installs = names.iter().map(|name| name.as_ref().to_owned()).collect();
        self
    }

    /// Adds another place.
    pub fn related(mut self, place: impl Into<Place>, message: impl Into<String>) -> Self {
        let (place, message) = (place.into(), message.into());
        self.related.push(Related { place, message, is_copy: false });
        self
    }

    /// Adds a place with the same mistake.
    pub fn copy(mut self, place: impl Into<Place>, message: impl Into<String>) -> Self {
        let (place, message) = (place.into(), message.into());
        self.related.push(Related { place, message, is_copy: true });
        self
    }

    /// If the finding is not in a file that `is_wanted`, moves it to its first copy in such a file.
    pub(crate) fn prefer(&mut self, is_wanted: impl Fn(SourceId) -> bool) {
        let is_there = |place: &Place| match place {
            Place::Text(span) => is_wanted(span.source),
            Place::File(file) => is_wanted(*file),
            Place::Absent(_) => false,
        };
        if is_there(&self.place) {
            return;
        }
        let mut copies = self.related.iter_mut();
        if let Some(copy) = copies.find(|one| one.is_copy && is_there(&one.place)) {
            std::mem::swap(&mut self.place, &mut copy.place);
        }
    }

    /// Adds a fix that replaces one text.
    pub fn fix(self, message: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.fix_all(message, vec![Edit { span, text: text.into() }])
    }

    /// Adds a fix of several edits.
    pub fn fix_all(mut self, message: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fix = Some(Fix { message: message.into(), edits });
        self
    }
}

/// Cuts a message that quotes too much of a file.
fn cut(mut message: String) -> String {
    const LONGEST: usize = 800;
    if message.len() > LONGEST {
        message.truncate(message.floor_char_boundary(LONGEST));
        message.push('…');
    }
    message
}
