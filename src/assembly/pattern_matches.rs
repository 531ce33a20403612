//! Which releases each pattern matches.

use rayon::prelude::*;
use regex::{Regex, RegexSet, bytes};

use crate::domain::{Arena, ids};
use crate::lineage::LineageNodeId;

ids! {
    /// A pattern of one [`LoadedDeclarations`](super::declarations::LoadedDeclarations).
    PatternId;
}

/// A table of bits: for each release, the patterns that match its version.
pub(super) struct PatternMatches {
    /// Words for each release.
    words: usize,
    bits: Vec<u64>,
}

/// How many patterns to test together: the bits of one word.
const TOGETHER: usize = 64;

impl PatternMatches {
    /// Tests all patterns on all versions. An invalid pattern matches nothing: the service does not
    /// load its file.
    pub(super) fn of(
        patterns: &Arena<PatternId, String>,
        versions: &Arena<LineageNodeId, String>,
    ) -> Self {
        let words = patterns.len().div_ceil(TOGETHER);
        let columns: Vec<Vec<u64>> =
            patterns.par_chunks(TOGETHER).map(|patterns| column(patterns, versions)).collect();
        let mut bits = vec![0; words * versions.len()];
        for (word, column) in columns.iter().enumerate() {
            for (version, found) in column.iter().enumerate() {
                bits[version * words + word] = *found;
            }
        }
        Self { words, bits }
    }

    /// The bits of some patterns, each with the index of its word.
    pub(super) fn mask(patterns: impl Iterator<Item = PatternId>) -> Vec<(usize, u64)> {
        let mut masks: Vec<(usize, u64)> = Vec::new();
        for pattern in patterns {
            let (word, bit) = word_and_bit(pattern);
            match masks.iter_mut().find(|(known, _)| *known == word) {
                Some((_, mask)) => *mask |= bit,
                None => masks.push((word, bit)),
            }
        }
        masks
    }

    pub(super) fn word(&self, release: LineageNodeId, word: usize) -> u64 {
        self.bits[release.index() * self.words + word]
    }

    pub(super) fn matches(&self, release: LineageNodeId, pattern: PatternId) -> bool {
        let (word, bit) = word_and_bit(pattern);
        self.word(release, word) & bit != 0
    }
}

fn word_and_bit(pattern: PatternId) -> (usize, u64) {
    (pattern.index() / TOGETHER, 1 << (pattern.index() % TOGETHER))
}

fn column(patterns: &[String], versions: &[String]) -> Vec<u64> {
    // For ASCII, sets over bytes match the same and are much smaller.
    let set = bytes::RegexSetBuilder::new(patterns).unicode(false).build();
    if let Ok(set) = set
        && versions.iter().all(|version| version.is_ascii())
    {
        let found = |version: &String| {
            set.matches(version.as_bytes()).iter().fold(0, |bits, pattern| bits | 1 << pattern)
        };
        return versions.iter().map(found).collect();
    }
    if let Ok(set) = RegexSet::new(patterns) {
        let found = |version: &String| {
            set.matches(version).iter().fold(0, |bits, pattern| bits | 1 << pattern)
        };
        return versions.iter().map(found).collect();
    }
    // The set is too large, or one of the patterns is invalid.
    let mut column = vec![0; versions.len()];
    for (at, pattern) in patterns.iter().enumerate() {
        let Ok(regex) = Regex::new(pattern) else { continue };
        for (bits, version) in column.iter_mut().zip(versions) {
            *bits |= u64::from(regex.is_match(version)) << at;
        }
    }
    column
}
