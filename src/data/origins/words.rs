//! What people write for origins: words, or a pattern.

use crate::domain::{Arch, version};
use crate::graph_data::{PatternError, pattern_fault};
use crate::text::{Failure, printable};

use super::minors::{KnownReleases, Origins};
use super::spec::{Spec, origins};

/// Whether a text is a pattern, and not origins in words.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-'))
        && version::parse(text).is_none()
}

/// Fails if the service does not accept a pattern.
pub(crate) fn check_pattern(pattern: &str) -> Result<(), Failure> {
    match pattern_fault(pattern) {
        Some(PatternError::Invalid { why, .. }) => {
            let pattern = printable(pattern);
            Err(Failure::new(format!("the service does not accept `{pattern}`: {why}")))
        }
        Some(PatternError::TooCostly) => Err(Failure::new("this pattern takes too long to match")),
        None => Ok(()),
    }
}

/// The specs that these words are.
pub(crate) fn specs(words: &[String]) -> Result<Vec<Spec>, Failure> {
    let parse = |text: &String| {
        let failed = |failure: Failure| {
            failure.or_hint("name releases like `4.18.3`, `4.18`, or `4.17..4.18.20`")
        };
        text.parse::<Spec>().map_err(failed)
    };
    words.iter().map(parse).collect()
}

/// The pattern that the words are, or the one for the origins that they name.
pub(crate) fn pattern_of(
    known: &KnownReleases,
    words: &[String],
    pre_releases: bool,
) -> Result<String, Failure> {
    if let [pattern] = words
        && is_pattern(pattern)
    {
        check_pattern(pattern)?;
        return Ok(pattern.clone());
    }
    pattern_for(known, &origins(known, &specs(words)?, &[], pre_releases)?, None)
}

/// The pattern for a set of origins.
pub(crate) fn pattern_for(
    known: &KnownReleases,
    origins: &Origins,
    arch: Option<Arch>,
) -> Result<String, Failure> {
    let failed = || Failure::new("no simple pattern matches these releases and no others");
    origins.written(known, arch).ok_or_else(failed)
}
