//! Which of several patterns a text can match at once.

use std::collections::{BTreeSet, HashSet, VecDeque};

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::alphabet::Unit;
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, Input, MatchKind};

use super::compiled::{matches, with_syntax};
use super::samples::samples;

/// The most states to visit.
const MOST: usize = 20_000;

/// The most memory for one pattern, in bytes.
const LARGEST: usize = 1 << 21;

/// For each kind of nonempty text, which of the patterns it matches. None if the patterns are too
/// large.
pub fn together(patterns: &[&str]) -> Option<BTreeSet<Vec<bool>>> {
    let seen = of_samples(patterns);
    // The samples already show every combination.
    if patterns.len() < 8 && seen.len() == 1 << patterns.len() {
        return Some(seen);
    }
    of_all(patterns)
}

/// The combinations for some texts.
fn of_samples(patterns: &[&str]) -> BTreeSet<Vec<bool>> {
    let known = patterns.iter().flat_map(|pattern| samples(pattern));
    let texts = known.chain(["\u{1}".to_owned(), "~".to_owned()]).filter(|text| !text.is_empty());
    let matched = |text: String| -> Option<Vec<bool>> {
        patterns.iter().map(|pattern| matches(pattern, &text)).collect()
    };
    texts.filter_map(matched).collect()
}

/// The combinations for all texts. The automata of all patterns read every text in parallel.
fn of_all(patterns: &[&str]) -> Option<BTreeSet<Vec<bool>>> {
    // The last automaton tells valid texts from other bytes.
    let all = patterns.iter().chain(&[".*"]);
    let automata: Option<Vec<_>> = all.map(|pattern| automaton(pattern)).collect();
    let automata = automata?;
    let bytes: BTreeSet<u8> = automata
        .iter()
        .flat_map(|automaton| automaton.byte_classes().representatives(..))
        .filter_map(Unit::as_u8)
        .collect();
    let start: Option<Vec<StateID>> = automata
        .iter()
        .map(|automaton| {
            automaton.start_state_forward(&Input::new("").anchored(Anchored::Yes)).ok()
        })
        .collect();
    let start = start?;
    let mut known = HashSet::from([start.clone()]);
    let mut waiting = VecDeque::from([start]);
    let mut seen = BTreeSet::new();
    while let Some(states) = waiting.pop_front() {
        for byte in &bytes {
            let pairs = automata.iter().zip(&states);
            let next: Vec<StateID> =
                pairs.map(|(automaton, state)| automaton.next_state(*state, *byte)).collect();
            if known.contains(&next) {
                continue;
            }
            let ends = automata.iter().zip(&next);
            let ends = ends.map(|(automaton, state)| {
                automaton.is_match_state(automaton.next_eoi_state(*state))
            });
            let mut ends: Vec<bool> = ends.collect();
            if ends.pop() == Some(true) {
                seen.insert(ends);
            }
            known.insert(next.clone());
            waiting.push_back(next);
        }
        if known.len() > MOST {
            return None;
        }
    }
    Some(seen)
}

fn automaton(pattern: &str) -> Option<dense::DFA<Vec<u32>>> {
    let config =
        thompson::Config::new().which_captures(WhichCaptures::None).nfa_size_limit(Some(LARGEST));
    let nfa = with_syntax(pattern, |syntax| {
        thompson::Compiler::new().configure(config).build_from_hir(syntax).ok()
    })??;
    let config = dense::Config::new()
        .match_kind(MatchKind::All)
        .start_kind(StartKind::Anchored)
        .dfa_size_limit(Some(LARGEST))
        .determinize_size_limit(Some(LARGEST));
    dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::{of_all, of_samples, together};

    fn sorted(patterns: &[&str]) -> Vec<Vec<bool>> {
        together(patterns).unwrap().into_iter().collect()
    }

    #[test]
    fn a_text_matches_only_what_the_patterns_allow() {
        assert_eq!(sorted(&["a.*"]), [[false], [true]]);
        assert_eq!(sorted(&[".*"]), [[true]]);
        assert_eq!(sorted(&[".+"]), [[true]]);
        // What begins with `ab` begins with `a`.
        assert_eq!(sorted(&["a.*", "ab.*"]), [[false, false], [true, false], [true, true]]);
        assert_eq!(sorted(&["a.*", "b.*"]), [[false, false], [false, true], [true, false]]);
        assert_eq!(
            sorted(&["a[0-9]+", "a[^0-9].*"]),
            [[false, false], [false, true], [true, false]]
        );
        assert_eq!(sorted(&["[^a]*", ".*a.*"]), [[false, true], [true, false]]);
    }

    #[test]
    fn samples_show_nothing_else() {
        for patterns in [&["4[.]1[0-9].*", "4[.].*", ".*rc.*"][..], &["(a|b)+", "(ab)*"], &["é.?"]]
        {
            let all = of_all(patterns).unwrap();
            let some = of_samples(patterns);
            assert!(some.is_subset(&all), "{patterns:?}: {some:?} {all:?}");
        }
    }
}
