//! Compiles `from` patterns, each distinct text once.

mod cost;
mod matcher;
mod parts;
mod reused;
mod walk;

use cost::Cost;
pub(crate) use matcher::Matcher;
pub(crate) use walk::{Match, Undecided, Walk};

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use regex::{Regex, RegexBuilder, bytes};
use regex_syntax::ast::Ast;
use regex_syntax::ast::parse::Parser;

use crate::domain::{ArchSet, HashMap, SharedList, each_id};

use super::blocked_edge::possible_origins;
use super::{BlockedEdge, ReleaseId, ReleasePairs, Releases};

/// Patterns by text.
#[derive(Debug, Default)]
pub struct Patterns(HashMap<String, Compiled>);

/// A pattern, and the releases that it was tested with.
#[derive(Clone, Debug)]
struct Compiled {
    /// The possible origins of its targets, as ranges with gaps between them.
    origins: Vec<Range<ReleaseId>>,
    cost: Cost,
    pattern: Result<Arc<Pattern>, PatternError>,
}

/// A pattern of some declarations.
struct Wanted<'p> {
    text: &'p str,
    origins: Vec<Range<ReleaseId>>,
    /// The compiled pattern, if another state of the repository has it.
    known: Option<Compiled>,
    /// None if it is known, or invalid.
    ast: Option<Ast>,
    cost: Cost,
}

/// A pattern that the service accepts, and what it matches. The compiled form is not kept, because
/// a short text can compile to a very large one.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Its syntax. None if the pattern is too long to explain.
    pub syntax: Option<Arc<Ast>>,
    /// Explains its matches. None if it is not simple enough.
    pub walk: Option<Arc<Walk>>,
    /// What it matches.
    pub reach: Reach,
    /// The pattern for what a person means with it, computed on demand. None if there is no such
    /// pattern.
    pub(crate) meant: OnceLock<Option<String>>,
}

/// Which of the known releases a pattern matches.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// The matching releases that are possible origins of the pattern's targets, oldest first.
    pub origins: Vec<Reached>,
    /// Whether it matches any known release.
    pub any: bool,
}

/// A release that a pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The release.
    pub release: ReleaseId,
    /// Why it matches. `Plain` if that is unknown.
    pub why: Match,
    /// The architectures for which it matches.
    pub architectures: ArchSet,
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

/// Real patterns compile to less than this many bytes.
const SMALL: usize = 16 << 10;
/// Patterns that compile to more than this many bytes are too costly to match.
const ASKED: usize = 256 << 10;

impl Patterns {
    /// Compiles the patterns of declarations. `known` is what another state of the repository knows
    /// of them, and where the releases of that state are in this one.
    pub(super) fn compile(
        edges: &SharedList<BlockedEdge>,
        releases: &Releases,
        known: Option<(&Self, &ReleasePairs)>,
    ) -> Self {
        let mut by_text: HashMap<&str, Vec<&BlockedEdge>> = HashMap::default();
        for edge in edges {
            if let Some(from) = &edge.from {
                by_text.entry(&from.value).or_default().push(edge);
            }
        }
        let bytes = releases.iter().map(|(_, release)| release.served.len() as u64).sum();
        let wanted = by_text.into_par_iter().map(|(text, edges)| {
            let origins = possible_origins(edges.into_iter());
            let known = known.and_then(|(all, pairs)| all.0.get(text)?.reused(&origins, pairs));
            let ast = if known.is_some() { None } else { Parser::new().parse(text).ok() };
            let cost = known.as_ref().map_or_else(|| Cost::of(text, ast.as_ref()), |one| one.cost);
            Wanted { text, origins, known, ast, cost }
        });
        let wanted: Vec<Wanted<'_>> = wanted.collect();
        let costs = wanted.iter().map(|one| (one.cost.with(bytes), one.text));
        let unaffordable = cost::unaffordable(costs);
        let patterns = wanted.into_par_iter().map(|wanted| {
            let Wanted { text, origins, known, ast, cost } = wanted;
            let compiled = if unaffordable.contains(text) {
                Compiled { origins, cost, pattern: Err(PatternError::TooCostly) }
            } else {
                known.unwrap_or_else(|| {
                    let pattern = Pattern::compile(text, ast, &origins, releases);
                    Compiled { origins, cost, pattern: pattern.map(Arc::new) }
                })
            };
            (text.to_owned(), compiled)
        });
        Self(patterns.collect())
    }

    /// Why it is unknown what the pattern `text` matches. None if it is known.
    pub fn error(&self, text: &str) -> Option<&PatternError> {
        self.0.get(text)?.pattern.as_ref().err()
    }

    /// The pattern `text`. None if it is invalid.
    pub fn get(&self, text: &str) -> Option<&Pattern> {
        self.0.get(text)?.pattern.as_deref().ok()
    }

    /// The patterns that compile, each with its text.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Pattern)> {
        let all = self.0.iter();
        all.filter_map(|(text, one)| Some((text.as_str(), &**one.pattern.as_ref().ok()?)))
    }

    /// Takes over what a person means with patterns of another state, if that is the same.
    pub(crate) fn take_meanings(&self, before: &Self, is_same: impl Fn(&Pattern) -> bool) {
        for (text, compiled) in &before.0 {
            let Ok(pattern) = &compiled.pattern else { continue };
            let (Some(meant), Some(after)) = (pattern.meant.get(), self.get(text)) else {
                continue;
            };
            if after.meant.get().is_none() && is_same(pattern) {
                // If another thread has set it, its value is the same.
                let _ = after.meant.set(meant.clone());
            }
        }
    }
}

impl Pattern {
    /// Why it matches a version. None if it does not match.
    pub(crate) fn try_explain(&self, version: &str) -> Result<Option<Match>, Undecided> {
        self.walk.as_ref().ok_or(Undecided)?.try_explain(version)
    }

    fn compile(
        text: &str,
        ast: Option<Ast>,
        origins: &[Range<ReleaseId>],
        releases: &Releases,
    ) -> Result<Self, PatternError> {
        let (walk, reach) = explained(text, ast.as_ref(), origins, releases)?;
        let syntax = ast.filter(|_| text.len() <= Walk::LONGEST).map(Arc::new);
        Ok(Self { syntax, walk: walk.map(Arc::new), reach, meant: OnceLock::new() })
    }
}

/// Why the service does not accept a pattern. None if it does.
pub(crate) fn fault(text: &str) -> Option<PatternError> {
    let ast = Parser::new().parse(text).ok();
    explained(text, ast.as_ref(), &[], &Releases::default()).err()
}

/// The explanation of a pattern's matches, and the releases that it matches.
fn explained(
    text: &str,
    ast: Option<&Ast>,
    origins: &[Range<ReleaseId>],
    releases: &Releases,
) -> Result<(Option<Walk>, Reach), PatternError> {
    let matcher = Matcher::of_syntax(text, ast);
    if let Some(walk) = matcher.walk() {
        let is_match = |version: &str| matcher.is_match(version);
        let reach = Reach::of(text, &is_match, Some(walk), origins, releases);
        return Ok((matcher.into_walk(), reach));
    }
    let walk = ast.and_then(|ast| Walk::of_syntax(text, ast));
    let reach =
        |matches: &dyn Fn(&str) -> bool| Reach::of(text, matches, walk.as_ref(), origins, releases);
    // Versions are ASCII, so a regex over bytes matches the same, and compiles much faster. A
    // small one is never too large for the service.
    let small = bytes::RegexBuilder::new(text).unicode(false).size_limit(SMALL).build();
    if let (Ok(regex), Ok(_)) = (small, regex_syntax::parse(text)) {
        let reach = reach(&|version| regex.is_match(version.as_bytes()));
        return Ok((walk, reach));
    }
    let Ok(regex) = RegexBuilder::new(text).size_limit(ASKED).build() else {
        Regex::new(text).map_err(|error| invalid(text, &error))?;
        return Err(PatternError::TooCostly);
    };
    let reach = reach(&|version| regex.is_match(version));
    Ok((walk, reach))
}

impl Reached {
    /// Whether `reached`, which is in order of releases, has a release.
    pub(crate) fn holds(reached: &[Self], release: ReleaseId) -> bool {
        reached.binary_search_by_key(&release, |one| one.release).is_ok()
    }
}

impl Reach {
    /// The matches in a range of releases.
    pub fn within(&self, range: &Range<ReleaseId>) -> &[Reached] {
        let place = |id: ReleaseId| self.origins.partition_point(|reached| reached.release < id);
        &self.origins[place(range.start)..place(range.end)]
    }

    fn of(
        text: &str,
        matches: &dyn Fn(&str) -> bool,
        walk: Option<&Walk>,
        origins: &[Range<ReleaseId>],
        releases: &Releases,
    ) -> Self {
        let by_arch = may_depend_on_architecture(text);
        let reached = |id: ReleaseId| {
            let release = releases.get(id);
            let explained = walk.map(|walk| walk.try_explain(&release.served));
            let (is_served_matched, why) = match explained {
                Some(Ok(why)) => (why.is_some(), why),
                Some(Err(Undecided)) | None => (matches(&release.served), None),
            };
            let architectures = if by_arch {
                release.architectures_where(matches)
            } else if is_served_matched {
                ArchSet::EVERY
            } else {
                return None;
            };
            let why = why.unwrap_or(Match::Plain);
            (!architectures.is_empty()).then_some(Reached { release: id, why, architectures })
        };
        let origins = origins.iter().cloned().flat_map(each_id);
        let origins: Vec<Reached> = origins.filter_map(reached).collect();
        let any = !origins.is_empty()
            || releases.iter().any(|(_, release)| {
                matches(&release.served)
                    || by_arch && !release.architectures_where(matches).is_empty()
            });
        Self { origins, any }
    }
}

/// Whether a pattern has other letters than pre-releases have. They may belong to an architecture,
/// so the pattern must be tested with each architecture.
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

#[cfg(test)]
mod tests {
    use super::{PatternError, Patterns};
    use crate::graph_data::{GraphData, ReleasePairs};
    use crate::tree::Blob;

    /// Which patterns are too costly depends on the others, and these may be gone.
    #[test]
    fn a_pattern_that_was_too_costly_is_tried_again() {
        let files = [
            ("blocked-edges/a.yaml", "to: 4.14.1\nfrom: 4[.]14[.]0[+].*\n"),
            ("channels/candidate-4.14.yaml", "name: candidate-4.14\nversions: [4.14.0, 4.14.1]\n"),
        ];
        let blob = |(path, text): (&str, &str)| Blob::new(path.into(), Ok(text.into()));
        let data = GraphData::from_blobs(files.map(blob).into());
        let pattern = "4[.]14[.]0[+].*";
        let mut known = data.patterns.0.clone();
        if let Some(compiled) = known.get_mut(pattern) {
            compiled.pattern = Err(PatternError::TooCostly);
        }
        let costly = Patterns(known);
        assert_eq!(costly.error(pattern), Some(&PatternError::TooCostly));
        let pairs = ReleasePairs::between(&data.releases, &data.releases);
        let known = Some((&costly, &pairs));
        let again = Patterns::compile(&data.blocked_edges, &data.releases, known);
        assert_eq!(again.get(pattern).map(|pattern| pattern.reach.origins.len()), Some(1));
    }
}
