//! Which releases each pattern matches.

use rayon::prelude::*;

use crate::domain::{Arena, ids};
use crate::graph_data::{Matcher, Patterns};
use crate::lineage::LineageNodeId;

ids! {
    /// A pattern of one [`LoadedDeclarations`](super::declarations::LoadedDeclarations).
    PatternId;
}

/// A table of bits: for each release, the patterns that match its version, as far as they are
/// needed.
pub(super) struct PatternMatches {
    /// The number of words for each release.
    words: usize,
    bits: Vec<u64>,
}

/// A set of patterns, as the indexes of words and the bits in them.
pub(super) type PatternMask = Vec<(usize, u64)>;

/// The number of patterns in a word.
const TOGETHER: usize = 64;

impl PatternMatches {
    /// Tests patterns on versions. `asked` has, for each target, its patterns and its origins: no
    /// other pairs are tested. `known` has most of the patterns, already parsed.
    pub(super) fn of<O: Iterator<Item = LineageNodeId>>(
        patterns: &Arena<PatternId, String>,
        versions: &Arena<LineageNodeId, String>,
        known: &Patterns,
        asked: impl Iterator<Item = (PatternMask, O)>,
    ) -> Self {
        let words = patterns.len().div_ceil(TOGETHER);
        let mut bits = vec![0; words * versions.len()];
        for (mask, origins) in asked.filter(|(mask, _)| !mask.is_empty()) {
            for origin in origins {
                let of_origin = origin.index() * words;
                for (word, asked) in &mask {
                    bits[of_origin + word] |= asked;
                }
            }
        }
        let matchers: Vec<Matcher<'_>> =
            patterns.par_iter().map(|text| matcher(text, known)).collect();
        let rows = bits.par_chunks_mut(words.max(1)).zip(versions.par_iter());
        rows.with_min_len(32).for_each(|(row, version)| {
            for (bits, matchers) in row.iter_mut().zip(matchers.chunks(TOGETHER)) {
                *bits = matching(*bits, matchers, version);
            }
        });
        Self { words, bits }
    }

    /// The bits of some patterns, each with the index of its word.
    pub(super) fn mask(patterns: impl Iterator<Item = PatternId>) -> PatternMask {
        let mut masks = PatternMask::new();
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

fn matcher<'p>(text: &'p str, known: &'p Patterns) -> Matcher<'p> {
    known.get(text).map_or_else(|| Matcher::of(text), |known| Matcher::of_known(text, known))
}

fn word_and_bit(pattern: PatternId) -> (usize, u64) {
    (pattern.index() / TOGETHER, 1 << (pattern.index() % TOGETHER))
}

/// Which of the asked patterns match a version.
fn matching(asked: u64, matchers: &[Matcher<'_>], version: &str) -> u64 {
    let mut left = asked;
    let mut found = 0;
    while left != 0 {
        let bit = left & left.wrapping_neg();
        left ^= bit;
        if matchers[bit.trailing_zeros() as usize].is_match(version) {
            found |= bit;
        }
    }
    found
}
