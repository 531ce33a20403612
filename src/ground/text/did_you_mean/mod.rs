//! "Did you mean": finds the known word that is similar to a wrong one.

mod channels;
mod versions;

pub(crate) use channels::closest_channel;
pub(crate) use versions::{closest_version, version_slip};

use std::cmp::Reverse;

/// The most similar candidate. None if no candidate is similar.
///
/// Differences in case and separators are ignored. About one letter in three may differ.
pub(crate) fn closest<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    // A long word is not a typo, and the comparison takes quadratic time.
    if word.len() > 64 {
        return None;
    }
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance * 3 <= candidate.chars().count().max(3))
        .min_by_key(|(distance, candidate)| {
            let is_longer_or_shorter = candidate.len() != word.len();
            (*distance, Reverse(is_swap(word, candidate)), is_longer_or_shorter)
        })
        .map(|(_, candidate)| candidate)
}

/// Whether `word` differs from `meant` by at most one letter, apart from case and separators. Then
/// `--fix` can correct it.
pub(crate) fn is_typo_of(word: &str, meant: &str) -> bool {
    distance(word, meant) <= 1
}

/// The texts that differ in one key stroke: a character that is missing, added, or wrong, or two
/// that changed places. `typed` has the characters that can be typed.
fn one_slip_away(text: &str, typed: &str) -> impl Iterator<Item = String> {
    const LONGEST: usize = 64;
    let typed: Vec<char> = typed.chars().collect();
    let chars: Vec<char> = if text.len() > LONGEST { Vec::new() } else { text.chars().collect() };
    (0..=chars.len()).flat_map(move |at| {
        let with = |middle: &[char], skipped: usize| -> String {
            let after = chars.iter().skip(at + skipped);
            chars[..at].iter().chain(middle).chain(after).collect()
        };
        let mut texts = vec![with(&[], 1)];
        if let [first, second, ..] = chars[at..] {
            texts.push(with(&[second, first], 2));
        }
        texts.extend(typed.iter().flat_map(|typed| [with(&[*typed], 0), with(&[*typed], 1)]));
        texts
    })
}

/// Whether two texts have the same characters, in another order.
fn is_swap(a: &str, b: &str) -> bool {
    let sorted = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.sort_unstable();
        bytes
    };
    a.len() == b.len() && sorted(a) == sorted(b)
}

fn distance(a: &str, b: &str) -> usize {
    let plain = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    let (plain_a, plain_b) = (plain(a), plain(b));
    if plain_a == plain_b { 0 } else { strsim::osa_distance(&plain_a, &plain_b) }
}

#[cfg(test)]
mod tests {
    use super::{closest, one_slip_away};

    #[test]
    fn a_slip_is_a_character_too_many_too_few_wrong_or_in_the_wrong_place() {
        let is_slip_of = |meant: &str, written: &str| {
            one_slip_away(written, "eistx").any(|other| other == meant)
        };
        for written in ["exist", "exiist", "exast", "xeist"] {
            assert!(is_slip_of("exist", written), "{written}");
        }
        assert!(!is_slip_of("exist", "xeits"));
    }

    #[test]
    fn likely_slips_are_recognised_and_strangers_are_not() {
        let keys = ["to", "from", "message", "matchingRules", "fixedIn"];
        assert_eq!(closest("form", keys), Some("from"));
        assert_eq!(closest("MatchingRules", keys), Some("matchingRules"));
        assert_eq!(closest("fixed_in", keys), Some("fixedIn"));
        assert_eq!(closest("mesage", keys), Some("message"));
        assert_eq!(closest("severity", keys), None);
    }
}
