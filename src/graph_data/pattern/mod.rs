//! The `from` patterns: each distinct text is compiled once.

mod cost;
mod walk;

pub(crate) use walk::{Match, Walk};

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use regex::{Regex, RegexBuilder, bytes};

use super::{BlockedEdge, ReleaseId, Releases};

/// Patterns by their text.
#[derive(Debug, Default)]
pub struct Patterns(HashMap<String, Compiled>);

/// A pattern, and the releases that it was asked about.
#[derive(Clone, Debug)]
struct Compiled {
    /// Those that may be updated to one of its targets, as ranges that do not touch.
    origins: Vec<Range<usize>>,
    pattern: Result<Arc<Pattern>, PatternError>,
}

/// A pattern that the service can use, and what it matches. The compiled machine is not
/// kept: a small text can make a very large one.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What explains its matches, where it is simple enough.
    pub walk: Option<Walk>,
    /// What it matches.
    pub reach: Reach,
}

/// Which of the known releases a pattern matches.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Those that may be updated to one of the pattern's targets, oldest first.
    pub origins: Vec<Reached>,
    /// Whether it matches any known release at all.
    pub any: bool,
}

/// A release that a pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The release.
    pub release: ReleaseId,
    /// What the match is owed to; plain where that cannot be told.
    pub why: Match,
}

/// Why it is unknown what a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// The service's library rejects it.
    Invalid {
        /// The reason in words.
        why: String,
        /// The wrong bytes of the pattern. None for all of it.
        at: Option<Range<usize>>,
    },
    /// Matching it takes too long.
    TooCostly,
}

/// The size of a machine that patterns in use stay below.
const SMALL: usize = 16 << 10;
/// The size of the largest machine that is asked about every release.
const ASKED: usize = 256 << 10;

impl Patterns {
    /// Compiles the patterns of some declarations. `other` is another state of the repository with
    /// the same releases: what is asked there in the same way is taken from there.
    pub(super) fn compile(
        edges: &[BlockedEdge],
        releases: &Releases,
        other: Option<&Self>,
    ) -> Self {
        let mut targets: HashMap<&str, BTreeSet<(usize, usize)>> = HashMap::new();
        for edge in edges {
            let Some(from) = &edge.from else { continue };
            let ranges = targets.entry(&from.value).or_default();
            let possible = edge.target.as_ref().map(|target| releases.possible_origins(target));
            ranges.extend(possible.map(|Range { start, end }| (start.index(), end.index())));
        }
        let bytes = releases.iter().map(|(_, release)| release.served.len()).sum();
        let unaffordable = cost::unaffordable(targets.keys().copied(), bytes);
        let patterns = targets.into_par_iter().map(|(text, ranges)| {
            let origins = merged(&ranges);
            let known = other.and_then(|other| other.0.get(text));
            let known = known.filter(|known| known.origins == origins).cloned();
            let compiled = if unaffordable.contains(text) {
                Compiled { origins, pattern: Err(PatternError::TooCostly) }
            } else {
                known.unwrap_or_else(|| {
                    let pattern = Pattern::compile(text, &origins, releases);
                    Compiled { origins, pattern: pattern.map(Arc::new) }
                })
            };
            (text.to_owned(), compiled)
        });
        Self(patterns.collect())
    }

    /// Why it is unknown what the pattern `text` matches. None if it is known.
    #[must_use]
    pub fn error(&self, text: &str) -> Option<&PatternError> {
        self.0.get(text)?.pattern.as_ref().err()
    }

    /// The pattern written as `text`, if the service can use it.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<&Pattern> {
        self.0.get(text)?.pattern.as_deref().ok()
    }
}

impl Pattern {
    fn compile(
        text: &str,
        origins: &[Range<usize>],
        releases: &Releases,
    ) -> Result<Self, PatternError> {
        let walk = Walk::of(text);
        let reach = |matches: &dyn Fn(&str) -> bool| {
            Reach::of(text, matches, walk.as_ref(), origins, releases)
        };
        // Versions are ASCII, for which a machine over bytes does the same and is made in a
        // fraction of the time. One this small is none that the service would refuse for its size.
        let small = bytes::RegexBuilder::new(text).unicode(false).size_limit(SMALL).build();
        if let (Ok(regex), Ok(_)) = (small, regex_syntax::parse(text)) {
            let reach = reach(&|version| regex.is_match(version.as_bytes()));
            return Ok(Self { walk, reach });
        }
        let Ok(regex) = RegexBuilder::new(text).size_limit(ASKED).build() else {
            Regex::new(text).map_err(|error| invalid(text, &error))?;
            return Err(PatternError::TooCostly);
        };
        let reach = reach(&|version| regex.is_match(version));
        Ok(Self { walk, reach })
    }
}

impl Reach {
    /// What it matches among some releases.
    #[must_use]
    pub fn within(&self, range: &Range<ReleaseId>) -> &[Reached] {
        let place = |id: ReleaseId| self.origins.partition_point(|reached| reached.release < id);
        &self.origins[place(range.start)..place(range.end)]
    }

    /// Whether it shares an origin with another.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        let is_there = |one: &Reached| {
            other.origins.binary_search_by(|reached| reached.release.cmp(&one.release)).is_ok()
        };
        self.origins.iter().any(is_there)
    }

    fn of(
        text: &str,
        matches: &dyn Fn(&str) -> bool,
        walk: Option<&Walk>,
        origins: &[Range<usize>],
        releases: &Releases,
    ) -> Self {
        let every_arch = may_depend_on_architecture(text);
        let reached = |id: ReleaseId| {
            let release = releases.get(id);
            let is_reached = matches(&release.served)
                || every_arch && release.names().any(|name| matches(&name));
            let why = || walk.and_then(|walk| walk.explain(&release.served));
            is_reached.then(|| Reached { release: id, why: why().unwrap_or(Match::Plain) })
        };
        let origins = origins.iter().cloned().flatten().map(ReleaseId::at);
        let origins: Vec<Reached> = origins.filter_map(reached).collect();
        let any = !origins.is_empty()
            || releases.iter().any(|(_, release)| {
                matches(&release.served) || every_arch && release.names().any(|name| matches(&name))
            });
        Self { origins, any }
    }
}

/// Ranges in order, with those that overlap or touch made one.
fn merged(ranges: &BTreeSet<(usize, usize)>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for (start, end) in ranges.iter().filter(|(start, end)| start < end) {
        match merged.last_mut().filter(|last| *start <= last.end) {
            Some(last) => last.end = last.end.max(*end),
            None => merged.push(*start..*end),
        }
    }
    merged
}

/// Whether a pattern has letters that are not those of pre-releases: they may be an
/// architecture's, and then every architecture must be asked about.
fn may_depend_on_architecture(pattern: &str) -> bool {
    let mut words = pattern.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| !matches!(word, "" | "c" | "d" | "ec" | "fc" | "fr" | "hotfix" | "rc"))
}

fn invalid(text: &str, error: &regex::Error) -> PatternError {
    if let regex::Error::CompiledTooBig(limit) = error {
        let why = format!("it takes more than the {limit} bytes that the service allows a pattern");
        return PatternError::Invalid { why, at: None };
    }
    let (why, span) = match regex_syntax::parse(text) {
        Err(regex_syntax::Error::Parse(error)) => (error.kind().to_string(), Some(*error.span())),
        Err(regex_syntax::Error::Translate(error)) => {
            (error.kind().to_string(), Some(*error.span()))
        }
        Err(other) => (other.to_string(), None),
        Ok(_) => ("the service's regex library refuses it".to_owned(), None),
    };
    PatternError::Invalid { why, at: span.map(|span| span.start.offset..span.end.offset) }
}
