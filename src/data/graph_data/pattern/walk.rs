//! Explains why a pattern matches a version.
//!
//! The service's library only says whether a pattern matches. This walk over the same syntax tree
//! answers the questions of a reviewer: Does the match begin where the version begins? Does it end
//! inside a number? Does it need a `.` that matches any character? Does each branch match
//! something? A version is short, so a set of positions in it is one integer. Each step of the walk
//! computes the positions after a part from the positions before it.

use std::ops::Range;

use regex_syntax::ast::Ast;
use regex_syntax::ast::parse::Parser;

use super::parts::{NOT_NEWLINE, Parts, PatternPart};

/// A pattern in ASCII, without flags and word boundaries.
#[derive(Clone, Debug)]
pub struct Walk(Parts);

/// How strict a walk is.
#[derive(Clone, Copy, Debug, Default)]
struct Reading<'w> {
    /// The match must begin where the text begins.
    from_start: bool,
    /// A `.` without repetition only matches a dot.
    plain_dots: bool,
    /// A [`PatternPart::Rest`] does not begin inside a number.
    whole_numbers: bool,
    /// The only branches to try in the alternations that contain them.
    through: &'w [usize],
}

/// Why a pattern matches a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// It matches as a person would read the pattern.
    Plain,
    /// A `.` matches another character than a dot.
    Dot,
    /// The match ends inside a number: `4[.]1` in 4.14.
    Prefix,
    /// A `.*` behind alternatives matches the rest of a number: `4[.](1|2).*` in 4.14.
    Rest,
    /// The match begins inside the version: `4[.]18` in 4.14.18.
    Middle,
}

/// The search takes too long, or the text is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Undecided;

/// Positions in a text, as bits.
type Places = u64;

/// The longest text to match: it has one position more than characters.
const LONGEST: usize = 63;
/// The most steps of a walk. Real patterns take a few hundred.
const STEPS: usize = 5_000;

impl Walk {
    /// The longest pattern. Real patterns have a tenth of this.
    pub const LONGEST: usize = 1024;

    /// None if the pattern uses syntax that versions do not need.
    pub fn of(pattern: &str) -> Option<Self> {
        if pattern.len() > Self::LONGEST {
            return None;
        }
        Self::of_syntax(pattern, &Parser::new().parse(pattern).ok()?)
    }

    /// Like [`of`](Self::of), with the syntax tree of the pattern.
    pub(super) fn of_syntax(pattern: &str, ast: &Ast) -> Option<Self> {
        if pattern.len() > Self::LONGEST {
            return None;
        }
        Parts::of(ast).map(Self)
    }

    /// Why the pattern matches a text. None if it does not match, or that is unknown.
    pub fn explain(&self, text: &str) -> Option<Match> {
        self.try_explain(text).ok().flatten()
    }

    /// Whether the pattern matches a text as a person means it: it explains the match with
    /// [`Match::Plain`].
    pub(crate) fn matches_plainly(&self, text: &str) -> bool {
        let plain =
            Reading { from_start: true, plain_dots: true, whole_numbers: true, through: &[] };
        self.ends(text, plain).is_some_and(|ends| has_whole_number(text, ends))
    }

    /// Whether the pattern matches a text. None if that is unknown.
    pub(super) fn matches(&self, text: &str) -> Option<bool> {
        self.matches_as(text, Reading::default())
    }

    /// Why the pattern matches a text. None if it does not match.
    pub(super) fn try_explain(&self, text: &str) -> Result<Option<Match>, Undecided> {
        let ends = |from_start, plain_dots, whole_numbers| {
            let reading = Reading { from_start, plain_dots, whole_numbers, through: &[] };
            self.ends(text, reading).ok_or(Undecided)
        };
        let mut plain = ends(true, true, true)?;
        if has_whole_number(text, plain) {
            return Ok(Some(Match::Plain));
        }
        if self.0.has_rest {
            plain = ends(true, true, false)?;
            if has_whole_number(text, plain) {
                return Ok(Some(Match::Rest));
            }
        }
        let ends = |from_start, plain_dots| ends(from_start, plain_dots, false);
        let is_strict = self.is_anchored() && self.0.dots.is_empty();
        if is_strict && plain == 0 || !is_strict && ends(false, false)? == 0 {
            return Ok(None);
        }
        let from_start = if self.0.dots.is_empty() { plain } else { ends(true, false)? };
        Ok(Some(if has_whole_number(text, from_start) {
            Match::Dot
        } else if from_start != 0 {
            Match::Prefix
        } else {
            Match::Middle
        }))
    }

    /// The branches of alternations, as ranges of the pattern.
    pub fn branches(&self) -> impl Iterator<Item = &Range<usize>> {
        self.0.branches.iter().map(|branch| &branch.at)
    }

    /// The `.` without repetition, as ranges of the pattern.
    pub fn dots(&self) -> &[Range<usize>] {
        &self.0.dots
    }

    /// A branch and those around it, for [`matches_through`](Self::matches_through).
    pub fn path_to(&self, branch: usize) -> Vec<usize> {
        let around = |branch: &usize| self.0.branches.get(*branch)?.around;
        std::iter::successors(Some(branch), around).collect()
    }

    /// Whether a text matches through the branches of a path. None if the search takes too long.
    pub fn matches_through(&self, path: &[usize], text: &str) -> Option<bool> {
        self.matches_as(text, Reading { through: path, ..Reading::default() })
    }

    fn matches_as(&self, text: &str, reading: Reading<'_>) -> Option<bool> {
        self.ends(text, reading).map(|ends| ends != 0)
    }

    /// Whether each match begins where the text begins.
    fn is_anchored(&self) -> bool {
        match &self.0.root {
            PatternPart::Start => true,
            PatternPart::Sequence(parts) => matches!(parts.first(), Some(PatternPart::Start)),
            _ => false,
        }
    }

    /// The positions where matches end.
    fn ends(&self, text: &str, reading: Reading<'_>) -> Option<Places> {
        if text.len() > LONGEST || !text.is_ascii() {
            return None;
        }
        let all = Places::MAX >> (LONGEST - text.len());
        let start = if reading.from_start { 1 } else { all };
        Walker { text: text.as_bytes(), reading, steps: 0 }.walk(&self.0.root, start)
    }
}

/// Whether one of the positions is not between two digits.
fn has_whole_number(text: &str, ends: Places) -> bool {
    let text = text.as_bytes();
    (0..=text.len()).any(|at| ends >> at & 1 == 1 && !is_inside_number(text, at))
}

/// Whether a position is between two digits.
fn is_inside_number(text: &[u8], at: usize) -> bool {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    at > 0 && is_digit(at - 1) && is_digit(at)
}

struct Walker<'t> {
    text: &'t [u8],
    reading: Reading<'t>,
    steps: usize,
}

impl Walker<'_> {
    fn walk(&mut self, part: &PatternPart, before: Places) -> Option<Places> {
        self.steps += 1;
        if before == 0 || self.steps > STEPS {
            return (before == 0).then_some(0);
        }
        match part {
            PatternPart::One(set) => Some(self.step(*set, before)),
            PatternPart::Dot if self.reading.plain_dots => Some(self.step(1 << b'.', before)),
            PatternPart::Dot => Some(self.step(NOT_NEWLINE, before)),
            PatternPart::Rest => Some(self.rest(before)),
            PatternPart::Start => Some(before & 1),
            PatternPart::End => Some(before & (1 << self.text.len())),
            PatternPart::Sequence(parts) => self.sequence(parts, before),
            PatternPart::Choice { first, branches } => {
                let here = *first..first + branches.len();
                if let Some(only) = self.reading.through.iter().find(|n| here.contains(n)) {
                    return self.walk(&branches[only - first], before);
                }
                branches
                    .iter()
                    .try_fold(0, |after, branch| Some(after | self.walk(branch, before)?))
            }
            PatternPart::Repeat { part, min, max } => match (&**part, min, max) {
                (PatternPart::One(set), 0, None) => Some(self.run(*set, before)),
                _ => self.repeat(part, *min, *max, before),
            },
        }
    }

    fn sequence(&mut self, parts: &[PatternPart], before: Places) -> Option<Places> {
        let mut places = before;
        for part in parts {
            places = match part {
                // Most patterns fail at one of their first characters.
                _ if places == 0 => return Some(0),
                PatternPart::One(set) => self.step(*set, places),
                _ => self.walk(part, places)?,
            };
        }
        Some(places)
    }

    fn step(&self, set: u128, before: Places) -> Places {
        let mut after = 0;
        let mut left = before & !(1 << self.text.len());
        while left != 0 {
            let at = left.trailing_zeros();
            left &= left - 1;
            let byte = self.text[at as usize];
            after |= Places::from(holds(set, byte)) << (at + 1);
        }
        after
    }

    /// The positions after any number of characters of a set.
    fn run(&self, set: u128, before: Places) -> Places {
        if before == 0 {
            return 0;
        }
        let steps = self.text.iter().enumerate().skip(before.trailing_zeros() as usize);
        steps.fold(before, |places, (at, byte)| {
            places | (places >> at & Places::from(holds(set, *byte))) << (at + 1)
        })
    }

    /// The positions after a `.*`.
    fn rest(&self, before: Places) -> Places {
        if !self.reading.whole_numbers {
            return self.run(NOT_NEWLINE, before);
        }
        let is_whole = |at: &usize| !is_inside_number(self.text, *at);
        let starts = (0..=self.text.len()).filter(|at| before >> at & 1 == 1).filter(is_whole);
        let starts = starts.fold(0, |places, at| places | 1 << at);
        before | self.run(NOT_NEWLINE, starts)
    }

    fn repeat(
        &mut self,
        part: &PatternPart,
        min: u32,
        max: Option<u32>,
        before: Places,
    ) -> Option<Places> {
        let mut places = before;
        for _ in 0..min {
            let next = self.walk(part, places)?;
            if next == places {
                break;
            }
            places = next;
        }
        let mut reached = places;
        for _ in min..max.unwrap_or(u32::MAX) {
            places = self.walk(part, places)?;
            if places & !reached == 0 {
                break;
            }
            reached |= places;
        }
        Some(reached)
    }
}

/// Whether a set contains an ASCII character.
fn holds(set: u128, byte: u8) -> bool {
    set >> (byte & 127) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::{Match, Walk};
    use proptest::prelude::*;

    fn explain(pattern: &str, text: &str) -> Option<Match> {
        Walk::of(pattern).and_then(|walk| walk.explain(text))
    }

    #[test]
    fn a_match_is_explained() {
        assert_eq!(explain("4[.]1[.].*", "4.1.3+amd64"), Some(Match::Plain));
        assert_eq!(explain("4[.]1", "4.14.3+amd64"), Some(Match::Prefix));
        assert_eq!(explain("4[.]18", "4.14.18+amd64"), Some(Match::Middle));
        assert_eq!(explain("4[.]14[.].[3-8]", "4.14.13+amd64"), Some(Match::Dot));
        assert_eq!(explain("^4[.]14[.]3$", "4.14.3+amd64"), None);
        assert_eq!(explain(".*", "4.14.3+amd64"), Some(Match::Plain));
        assert_eq!(explain("4[.]20[.]([0-9]|1[0-4]).*", "4.20.34+amd64"), Some(Match::Rest));
        assert_eq!(explain("4[.]20[.]([0-9]|1[0-4]).*", "4.20.14+amd64"), Some(Match::Plain));
        assert_eq!(explain("4[.](20|2[12])[.][0-9].*", "4.20.34+amd64"), Some(Match::Plain));
    }

    #[test]
    fn a_branch_that_matches_nothing_is_known() {
        let walk = Walk::of("4[.](12[.]([0-9]|50])|11[.].*)").unwrap_or_else(|| unreachable!());
        let through =
            |text| [0, 1, 2, 3].map(|branch| walk.matches_through(&walk.path_to(branch), text));
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(through("4.12.5+amd64"), [yes, no, yes, no]);
        assert_eq!(through("4.11.3+amd64"), [no, yes, no, no]);
    }

    #[test]
    fn a_walk_ends_whatever_it_walks() {
        let text = "a".repeat(100);
        let nested =
            |part: &str| (0..7).fold("a".to_owned(), |inner, _| format!("({inner}){part}"));
        assert_eq!(explain(&format!("{}b", nested("{2,9}")), &text), None);
        assert_eq!(explain(&format!("{}b", nested("*")), &text), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), cases: 2000, ..ProptestConfig::default() })]

        /// The walk and the service's library agree on what matches.
        #[test]
        fn the_walk_finds_what_the_library_finds(
            pattern in "(\\^)?(4|[.]|\\.|[0-4]|\\[.\\]|\\[0-3\\]|\\[\\^1\\]|\\\\d|\\.\\*|1\\?|(\\(1\\|2[0-4]?\\))|(\\(\\|-ec\\)))(4|[.]|1|\\.\\*|\\(2\\|4\\*\\)\\{1,3\\}|[|]|\\[+\\]|a\\+){0,5}(\\$)?",
            text in "4[.]1?[0-4][.][0-4]{1,2}(-ec[.][0-4])?[+]amd64"
        ) {
            let regex = regex::Regex::new(&pattern);
            prop_assume!(regex.is_ok());
            let theirs = regex.is_ok_and(|regex| regex.is_match(&text));
            let walk = Walk::of(&pattern);
            prop_assume!(walk.is_some());
            prop_assert_eq!(explain(&pattern, &text).is_some(), theirs, "{} on {}", pattern, text);
            let bytes = regex::bytes::RegexBuilder::new(&pattern).unicode(false).build();
            // A regex over bytes is valid only for ASCII patterns.
            if let Ok(regex) = bytes {
                let ours = regex.is_match(text.as_bytes());
                prop_assert_eq!(ours, theirs, "{} on {}, as bytes", pattern, text);
            }
        }
    }
}
