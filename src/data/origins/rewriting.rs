//! The usual pattern for what another pattern matches.

use crate::domain::{Arch, Named, Version};
use crate::graph_data::Matcher;

use super::minors::{KnownReleases, Origins};

/// The pattern that `exitpath from` writes for the origins that another pattern matches. It has the
/// anchors of the other one. None if no pattern is right for these origins, or if the patterns
/// differ in a pre-release that may come.
pub(crate) fn rewritten(
    pattern: &str,
    origins: &Origins,
    known: &KnownReleases,
    arch: Option<Arch>,
) -> Option<String> {
    let matcher = Matcher::of(pattern);
    let written = written_like(origins, known, arch, &|served| matcher.is_match(served))?;
    let start = if pattern.starts_with('^') { "^" } else { "" };
    let end = if pattern.ends_with('$') && !pattern.ends_with("\\$") { "$" } else { "" };
    Some(format!("{start}{written}{end}"))
}

/// The pattern for some origins. None if there is none, or if a pre-release may come on which it and
/// `is_meant` differ.
pub(crate) fn written_like(
    origins: &Origins,
    known: &KnownReleases,
    arch: Option<Arch>,
    is_meant: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let written = origins.written(known, arch)?;
    let matcher = Matcher::of(&written);
    let end = arch.unwrap_or_default().name();
    let is_same = |version: Version| {
        let served = format!("{version}+{end}");
        matcher.is_match(&served) == is_meant(&served)
    };
    known.coming_pre_releases().all(is_same).then_some(written)
}
