//! Origins of updates: in words, as the pattern that a careful person writes, and back.

mod minors;
mod numbers;
mod reach;
mod reading;
mod rewriting;
mod spec;
mod words;
mod writing;

pub(crate) use minors::{KnownReleases, Origins, coming_pre_releases, last_patch};
pub(crate) use reach::{Later, Reach};
pub(crate) use reading::{reached, reached_on_all};
pub(crate) use rewriting::{rewritten, written_like};
pub(crate) use spec::{Spec, origins, releases};
pub(crate) use words::{check_pattern, is_pattern, pattern_for, pattern_of, specs};
