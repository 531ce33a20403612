//! "Did you mean": the known word that a wrong one was probably meant to be.

/// The candidate most like `word`, if any is like it at all.
///
/// The same letters in another case always count; otherwise about one letter
/// in three may differ.
#[must_use]
pub(crate) fn closest<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    // Long garbage is like nothing, and comparing it would take its square in time.
    if word.len() > 64 {
        return None;
    }
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance * 3 <= candidate.chars().count().max(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Whether `word` is `meant` but for one letter, or for case and separators: then
/// a machine may mend it, and not only ask.
#[must_use]
pub(crate) fn is_slip(word: &str, meant: &str) -> bool {
    distance(word, meant) <= 1
}

fn distance(a: &str, b: &str) -> usize {
    let plain = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    let (plain_a, plain_b) = (plain(a), plain(b));
    if plain_a == plain_b { 0 } else { strsim::osa_distance(&plain_a, &plain_b) }
}

#[cfg(test)]
mod tests {
    use super::closest;

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
