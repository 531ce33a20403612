//! Patterns that are ready to match.

use std::sync::Arc;

use ::regex::{Captures, Regex, RegexBuilder};

use super::go_syntax;
use super::known::Known;
use super::listed::Listed;
use super::pattern::parsed;

/// A pattern that is ready to match whole values.
pub(crate) enum Ready {
    Listed(Listed),
    Compiled(Regex),
}

/// What the groups of a pattern match in a value.
pub(crate) enum Groups<'v> {
    /// The pattern has no groups but itself.
    Whole(&'v str),
    Several(Captures<'v>),
}

impl Ready {
    fn new(text: &str, dot_takes_line_feeds: bool, reads_groups: bool) -> Option<Self> {
        let hir = parsed(text, dot_takes_line_feeds).ok()?;
        let reads_one = !reads_groups || hir.properties().explicit_captures_len() == 0;
        if let Some(listed) = reads_one.then(|| Listed::new(&hir)).flatten() {
            return Some(Self::Listed(listed));
        }
        compiled(text, dot_takes_line_feeds).map(Self::Compiled)
    }

    pub(crate) fn is_match(&self, value: &str) -> bool {
        match self {
            Self::Listed(listed) => listed.is_match(value),
            Self::Compiled(regex) => regex.is_match(value),
        }
    }

    /// `None`: the value does not match.
    pub(crate) fn groups<'v>(&self, value: &'v str) -> Option<Groups<'v>> {
        match self {
            Self::Listed(listed) => listed.is_match(value).then_some(Groups::Whole(value)),
            Self::Compiled(regex) => regex.captures(value).map(Groups::Several),
        }
    }
}

/// `None`: it is too large.
fn compiled(text: &str, dot_takes_line_feeds: bool) -> Option<Regex> {
    // Not the tree: the crate writes `(?:a{2})?` as `a{2}?`, which is something else.
    let rewritten = go_syntax::to_rust(text).ok()?;
    let mut builder = RegexBuilder::new(&format!("^(?:{rewritten})$"));
    builder.dot_matches_new_line(dot_takes_line_feeds);
    builder.size_limit(1 << 17).dfa_size_limit(1 << 18).build().ok()
}

impl<'v> Groups<'v> {
    /// The whole value is number 0.
    pub(crate) fn numbered(&self, number: usize) -> Option<&'v str> {
        match self {
            Self::Whole(value) => (number == 0).then_some(*value),
            Self::Several(groups) => groups.get(number).map(|group| group.as_str()),
        }
    }

    pub(crate) fn named(&self, name: &str) -> Option<&'v str> {
        match self {
            Self::Whole(_) => None,
            // The reader of patterns puts a `_` before the names of groups.
            Self::Several(groups) => groups.name(&format!("_{name}")).map(|group| group.as_str()),
        }
    }
}

/// Whether a pattern matches a value; `None` if the pattern is too large to compile.
#[must_use]
pub fn matches(text: &str, value: &str) -> Option<bool> {
    Some(ready(text, true)?.is_match(value))
}

/// A matcher's pattern; `None` if it is too large. Before Prometheus 3, `.` does not match a line
/// feed.
pub(crate) fn ready(text: &str, dot_takes_line_feeds: bool) -> Option<Arc<Ready>> {
    static KNOWN: [Known<Ready>; 2] = [Known::new(), Known::new()];
    known(&KNOWN, text, dot_takes_line_feeds, false)
}

/// A pattern whose groups are read.
pub(crate) fn ready_with_groups(text: &str, dot_takes_line_feeds: bool) -> Option<Arc<Ready>> {
    static KNOWN: [Known<Ready>; 2] = [Known::new(), Known::new()];
    known(&KNOWN, text, dot_takes_line_feeds, true)
}

fn known(
    known: &[Known<Ready>; 2],
    text: &str,
    dot_takes_line_feeds: bool,
    reads_groups: bool,
) -> Option<Arc<Ready>> {
    known[usize::from(dot_takes_line_feeds)]
        .get(text, || Ready::new(text, dot_takes_line_feeds, reads_groups))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    use proptest::prelude::*;

    /// Patterns of what the patterns of risks are made of.
    fn pattern() -> impl Strategy<Value = String> {
        let atoms = [
            "", "a", "b", "ab", "[.]", "[0-3]", "[ab]", ".", ".*", ".*", ".+", "a*", "b?", "[ab]?",
            "a{2}", "(?i:a)", "(?i:k)", "(?s:.*)", "(?-s:.*)", "\n", "é", "[^a]", "^", "$", r"\b",
            "(?i)", "|",
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
        fn a_listed_pattern_matches_what_the_compiled_one_does(
            pattern in pattern(),
            values in prop::collection::vec(value(), 1..20),
            dot_takes_line_feeds: bool,
        ) {
            let Ok(hir) = parsed(&pattern, dot_takes_line_feeds) else { return Ok(()) };
            let Some(listed) = Listed::new(&hir) else { return Ok(()) };
            let compiled = compiled(&pattern, dot_takes_line_feeds).unwrap();
            for value in values {
                prop_assert_eq!(listed.is_match(&value), compiled.is_match(&value), "{:?}", value);
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
    fn patterns_of_risks_are_listed() {
        let listed = |pattern| Listed::new(&parsed(pattern, false).unwrap());
        for pattern in [
            "A|B",
            "name[.].*",
            "https?",
            "4[.]([0-9]|1[0-2])[.].*",
            "|rendered-master-.*",
            "",
            ".*",
            "apple[.].*|apricot[.]2",
            "202[3-5]",
        ] {
            assert!(listed(pattern).is_some(), "{pattern}");
        }
        for pattern in ["^a", "a.", "[a-z]+", ".*a", r"a\b"] {
            assert!(listed(pattern).is_none(), "{pattern}");
        }
    }
}
