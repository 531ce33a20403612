//! Patterns that are compiled for matching.

use std::sync::{Arc, OnceLock};

use ::regex::{Captures, Regex, RegexBuilder};
use regex_syntax::hir::Hir;

use super::anchored::anchored;
use super::error::RegexError;
use super::go_syntax;
use super::known::KnownPatterns;
use super::small::Small;

/// A pattern that can be matched with whole values.
#[derive(Debug)]
pub struct CompiledPattern {
    text: String,
    has_groups: bool,
    small: Option<Small>,
    /// Compiled on demand, without and with `dot_takes_line_feeds`. None if it is too large.
    compiled: [OnceLock<Option<Regex>>; 2],
}

impl PartialEq for CompiledPattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for CompiledPattern {}

/// What the groups of a pattern match in a value.
pub enum Groups<'v> {
    /// The pattern has no groups. Group number 0 is the whole value, and there are no others.
    Whole(&'v str),
    Several(Captures<'v>),
}

/// The pattern is too large to compile.
#[derive(Debug)]
pub struct TooLarge;

impl CompiledPattern {
    fn new(text: &str) -> Result<Self, RegexError> {
        let hir = anchored(text)?;
        let has_groups = hir.properties().explicit_captures_len() > 0;
        let small = Small::new(hir);
        Ok(Self { text: text.to_owned(), has_groups, small, compiled: Default::default() })
    }

    /// Whether a whole value matches. Before Prometheus 3, `.` does not match a line feed.
    pub fn is_match(&self, value: &str, dot_takes_line_feeds: bool) -> Result<bool, TooLarge> {
        let small = self.small.as_ref().filter(|_| dot_takes_line_feeds || !value.contains('\n'));
        match small.and_then(|small| small.is_match(value)) {
            Some(is_match) => Ok(is_match),
            None => Ok(self.compiled(dot_takes_line_feeds)?.is_match(value)),
        }
    }

    /// The groups of a match. None if the value does not match.
    pub fn groups<'v>(
        &self,
        value: &'v str,
        dot_takes_line_feeds: bool,
    ) -> Result<Option<Groups<'v>>, TooLarge> {
        if self.has_groups {
            return Ok(self.compiled(dot_takes_line_feeds)?.captures(value).map(Groups::Several));
        }
        let is_match = self.is_match(value, dot_takes_line_feeds)?;
        Ok(is_match.then_some(Groups::Whole(value)))
    }

    fn compiled(&self, dot_takes_line_feeds: bool) -> Result<&Regex, TooLarge> {
        let known = &self.compiled[usize::from(dot_takes_line_feeds)];
        let compile = || compiled(&self.text, dot_takes_line_feeds);
        known.get_or_init(compile).as_ref().ok_or(TooLarge)
    }
}

/// The compiled pattern. None if it is too large.
fn compiled(text: &str, dot_takes_line_feeds: bool) -> Option<Regex> {
    // This does not use the crate's own tree: the crate prints `(?:a{2})?` as `a{2}?`, which is
    // something else.
    let rewritten = go_syntax::to_rust(text).ok()?;
    let mut builder = RegexBuilder::new(&format!("^(?:{rewritten})$"));
    builder.dot_matches_new_line(dot_takes_line_feeds);
    builder.size_limit(1 << 17).dfa_size_limit(1 << 18).build().ok()
}

impl<'v> Groups<'v> {
    /// The text of a group. Number 0 is the whole value.
    pub fn numbered(&self, number: usize) -> Option<&'v str> {
        match self {
            Self::Whole(value) => (number == 0).then_some(*value),
            Self::Several(groups) => groups.get(number).map(|group| group.as_str()),
        }
    }

    pub fn named(&self, name: &str) -> Option<&'v str> {
        match self {
            Self::Whole(_) => None,
            // `go_syntax` puts a `_` before the names of groups.
            Self::Several(groups) => groups.name(&format!("_{name}")).map(|group| group.as_str()),
        }
    }
}

/// Whether a pattern matches a value. None if it is not a pattern, or if it is too large to
/// compile.
pub fn matches(text: &str, value: &str) -> Option<bool> {
    ready(text).ok()?.is_match(value, true).ok()
}

/// Calls `of` with the syntax of a pattern. None if the text is not a pattern.
pub(super) fn with_syntax<T>(text: &str, of: impl FnOnce(&Hir) -> T) -> Option<T> {
    let pattern = ready(text).ok()?;
    // The syntax of a large pattern needs much memory, so it is not kept.
    match &pattern.small {
        Some(small) => Some(of(small.syntax())),
        None => anchored(text).ok().map(|syntax| of(&syntax)),
    }
}

/// The compiled pattern of a text.
pub fn ready(text: &str) -> Result<Arc<CompiledPattern>, RegexError> {
    static KNOWN: KnownPatterns<CompiledPattern> = KnownPatterns::new();
    KNOWN.get(text, || CompiledPattern::new(text))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    use proptest::prelude::*;

    /// Patterns that are made of the same parts as those of risks.
    fn pattern() -> impl Strategy<Value = String> {
        let atoms = [
            "", "a", "b", "ab", "[.]", "[0-3]", "[ab]", ".", ".*", ".*", ".+", "a*", "b?", "[ab]?",
            "[^a]*", "[0-3]+", "[bé]*", "(?-s:.+)", "a{2}", "(?i:a)", "(?i:k)", "(?s:.*)",
            "(?-s:.*)", "\n", "é", "[^a]", "^", "$", r"\b", "(?i)", "|",
        ];
        let atom = prop::sample::select(atoms.to_vec()).prop_map(str::to_owned);
        atom.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                3 => prop::collection::vec(inner.clone(), 1..5).prop_map(|parts| parts.concat()),
                1 => prop::collection::vec(inner.clone(), 1..5).prop_map(|arms| arms.join("|")),
                1 => prop::collection::vec(inner.clone(), 1..4)
                    .prop_map(|arms| format!("({})", arms.join("|"))),
                1 => inner.prop_map(|part| format!("(?:{part})?")),
            ]
        })
    }

    fn value() -> impl Strategy<Value = String> {
        let parts = ["a", "b", "A", "k", "K", "\u{212a}", ".", "1", "3", "4", "é", "\n", "\r"];
        let part = prop::sample::select(parts.to_vec());
        prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_pattern_matches_what_the_compiled_one_does(
            pattern in pattern(),
            values in prop::collection::vec(value(), 1..20),
            dot_takes_line_feeds: bool,
        ) {
            let Ok(ready) = CompiledPattern::new(&pattern) else { return Ok(()) };
            let compiled = compiled(&pattern, dot_takes_line_feeds).unwrap();
            for value in values {
                let is_match = ready.is_match(&value, dot_takes_line_feeds).unwrap();
                prop_assert_eq!(is_match, compiled.is_match(&value), "{:?}", value);
            }
        }
    }

    #[test]
    fn a_repetition_that_is_optional_is_not_lazy() {
        for (value, expected) in [("", true), ("aa", true), ("a", false), ("aab", true)] {
            assert_eq!(matches("(?:a{2})?(?:a{2}b)?", value), Some(expected), "{value}");
        }
    }

    #[test]
    fn patterns_of_risks_are_small() {
        let is_small = |pattern| CompiledPattern::new(pattern).unwrap().small.is_some();
        for pattern in [
            "A|B",
            "name[.].*",
            "https?",
            "4[.](([0-9]|1[01])[.][0-9]*|12[.]([1-4]?[0-9]|5[0-3]))",
            "|rendered-master-.*",
            "",
            ".*",
            "ptp-operator[.]v4[.][0-9]*[.]0-(202[3-5]|20260[1-9])[0-9]*",
            "(kernel-module-management(?:.hub|)|amd-gpu-operator)[.].*",
            ".*(?:[.]dkr[.]ecr(?:-fips)?[.].*[.]amazonaws[.]com(?:[.]cn)?|[.]gov)[/@:].*",
        ] {
            assert!(is_small(pattern), "{pattern}");
        }
        for pattern in ["^a", r"a\b", "a{2}", "(?:a|b.)*", "(?:a+)+", r"\pL", &"[ac]".repeat(99)] {
            assert!(!is_small(pattern), "{pattern}");
        }
    }

    #[test]
    fn a_long_value_is_matched_too() {
        for length in [126, 127, 128, 129, 1000] {
            let value = "a".repeat(length);
            assert_eq!(matches("a.*a", &value), Some(true), "{length}");
            assert_eq!(matches("a.*b", &value), Some(false), "{length}");
        }
    }
}
