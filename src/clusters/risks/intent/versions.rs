//! Ranges of versions in words: `before 4.14`.

/// The kind of thing whose versions are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// `4.18.0-rc.1` is before `4.18.0`, and nothing is before 4.0.
    OpenShift,
    /// `4.18.0-202607201105` is a build of `4.18.0`.
    Operators,
}

/// A range of versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Versions {
    /// The first version. None if there is no lower bound.
    from: Option<Bound>,
    /// The first version after the range. None if there is no upper bound.
    before: Option<Bound>,
    /// The only version, instead of a range.
    exactly: Option<String>,
}

/// `4.14`, or `4.14.3`
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Bound {
    major: u64,
    minor: u64,
    /// None for the first version of the minor version, including its pre-releases.
    patch: Option<u64>,
}

impl Versions {
    /// The forms of ranges, for messages.
    pub(super) const FORMS: &str = "a version such as `4.12` or `4.12.5`, `before 4.14`, \
                                    `4.13 or earlier`, `4.14 or later`, or `4.10 to 4.13`";

    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let range = |from, before| Some(Self { from, before, exactly: None });
        if let Some(end) = text.strip_prefix("before ") {
            return range(None, Some(Bound::read(end)?));
        }
        if let Some((first, last)) = text.split_once(" to ") {
            let (first, last) = (Bound::read(first)?, Bound::read(last)?);
            return range(Some(first), Some(last.next())).filter(|_| first <= last);
        }
        for words in [" or earlier", " or older"] {
            if let Some(last) = text.strip_suffix(words) {
                return range(None, Some(Bound::read(last)?.next()));
            }
        }
        for words in [" or later", " or newer"] {
            if let Some(first) = text.strip_suffix(words) {
                return range(Some(Bound::read(first)?), None);
            }
        }
        let one = Bound::read(text)?;
        match one.patch {
            None => range(Some(one), Some(one.next())),
            Some(_) => Some(Self { from: None, before: None, exactly: Some(text.to_owned()) }),
        }
    }

    /// Whether the range can contain versions.
    pub(super) fn is_possible(&self, of: Of) -> bool {
        let is_usual = |bound: &Bound| bound.major < MOST_LISTED && bound.minor < MOST_LISTED;
        let is_possible = |before: Bound| before.below(of).is_some();
        let mut bounds = self.from.iter().chain(&self.before);
        let are_usual = of == Of::Operators || bounds.all(is_usual);
        are_usual && self.before.is_none_or(is_possible)
    }

    /// Groups of versions next to the bounds. If a query has other bounds, some of these versions
    /// show it.
    pub(super) fn neighbors(&self) -> Vec<Vec<String>> {
        let exactly = self.exactly.as_deref().and_then(Bound::read);
        let bounds = self.from.iter().chain(&self.before).chain(&exactly);
        let releases = bounds.clone().map(|bound| bound.releases());
        releases.chain(bounds.map(|bound| bound.pre_releases())).collect()
    }

    pub(super) fn patterns(&self, of: Of) -> VersionPatterns {
        let only = |pattern| VersionPatterns { is: Some(pattern), is_not: None };
        if let Some(exactly) = &self.exactly {
            let suffix = if of == Of::Operators { SUFFIX } else { "" };
            return only(format!("{}{suffix}", exactly.replace('.', "[.]")));
        }
        if let (Some(from), Some(before)) = (self.from, self.before)
            && from.major == before.major
            && (from.patch, before.patch) == (None, None)
            && before.minor - from.minor <= MOST_LISTED
        {
            let minors = one_of(&between(from.minor, before.minor));
            return only(format!("{}[.]{minors}[.].*", from.major));
        }
        let below = |bound: Option<Bound>| bound.and_then(|bound| bound.below(of));
        VersionPatterns { is: below(self.before), is_not: below(self.from) }
    }
}

/// The patterns that a version must match, and must not match.
#[derive(Default)]
pub(super) struct VersionPatterns {
    pub(super) is: Option<String>,
    pub(super) is_not: Option<String>,
}

/// What can follow the numbers of a version.
const SUFFIX: &str = "([-+].*)?";

/// The most numbers that a pattern lists.
const MOST_LISTED: u64 = 100;

impl Of {
    /// The lowest major version of this kind.
    fn least(self) -> u64 {
        match self {
            Self::OpenShift => 4,
            Self::Operators => 0,
        }
    }
}

impl Bound {
    fn read(text: &str) -> Option<Self> {
        let number = |text: &str| {
            let is_plain = text.chars().all(|c| c.is_ascii_digit())
                && (text == "0" || !text.starts_with('0'))
                && text.len() < 9;
            text.parse::<u64>().ok().filter(|_| is_plain)
        };
        let numbers: Option<Vec<u64>> = text.trim().split('.').map(number).collect();
        match numbers?.as_slice() {
            [major, minor] => Some(Self { major: *major, minor: *minor, patch: None }),
            [major, minor, patch] => {
                Some(Self { major: *major, minor: *minor, patch: Some(*patch) })
            }
            _ => None,
        }
    }

    /// The first version after all versions of this bound.
    fn next(self) -> Self {
        match self.patch {
            None => Self { minor: self.minor + 1, ..self },
            Some(patch) => Self { patch: Some(patch + 1), ..self },
        }
    }

    /// The minor version, and the previous one.
    fn minors(self) -> impl Iterator<Item = String> {
        let Self { major, minor, .. } = self;
        (minor.saturating_sub(1)..=minor).map(move |minor| format!("{major}.{minor}"))
    }

    fn releases(self) -> Vec<String> {
        let first = self.minors().map(|minor| format!("{minor}.1"));
        let Self { major, minor, patch: Some(patch) } = self else { return first.collect() };
        let patches = (patch.saturating_sub(1)..=patch).map(|p| format!("{major}.{minor}.{p}"));
        first.take(1).chain(patches).collect()
    }

    fn pre_releases(self) -> Vec<String> {
        self.minors().map(|minor| format!("{minor}.0-rc.1")).collect()
    }

    /// A pattern for all lower versions. None if there are none.
    fn below(self, of: Of) -> Option<String> {
        let Self { major, minor, patch } = self;
        let least = of.least();
        let mut parts = Vec::new();
        if major > least {
            parts.push(format!("{}[.].*", one_of(&between(least, major))));
        }
        if minor > 0 {
            parts.push(format!("{major}[.]{}[.].*", one_of(&between(0, minor))));
        }
        if let Some(patch) = patch {
            if patch > 0 {
                let patches = one_of(&between(0, patch));
                parts.push(format!("{major}[.]{minor}[.]{patches}{SUFFIX}"));
            }
            if of == Of::OpenShift {
                parts.push(format!("{major}[.]{minor}[.]{patch}-.*"));
            }
        }
        (!parts.is_empty()).then(|| parts.join("|"))
    }
}

fn one_of(patterns: &[String]) -> String {
    match patterns {
        [one] => one.clone(),
        several => format!("({})", several.join("|")),
    }
}

/// Patterns for the numbers from `least` up to, but not including, `end`, which is greater than
/// `least`.
fn between(least: u64, end: u64) -> Vec<String> {
    if least > 0 {
        return (least..end.min(least + MOST_LISTED)).map(|number| number.to_string()).collect();
    }
    let digits: Vec<u64> = end.to_string().bytes().map(|digit| u64::from(digit - b'0')).collect();
    let any = |count: usize| "[0-9]".repeat(count);
    let range = |from: u64, to: u64| match to - from {
        0 => from.to_string(),
        _ => format!("[{from}-{to}]"),
    };
    let shorter = (1..digits.len()).map(|length| match length {
        1 => any(1),
        _ => format!("[1-9]{}", any(length - 1)),
    });
    let same = digits.iter().enumerate().filter_map(|(at, digit)| {
        let from = u64::from(at == 0 && digits.len() > 1);
        let to = digit.checked_sub(1).filter(|to| *to >= from)?;
        let before: String = digits[..at].iter().map(u64::to_string).collect();
        Some(format!("{before}{}{}", range(from, to), any(digits.len() - at - 1)))
    });
    shorter.chain(same).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::*;
    use crate::promql::regex::matches;

    fn is_in(text: &str, version: &str) -> bool {
        let versions = Versions::read(text).unwrap_or_else(|| panic!("{text}"));
        let VersionPatterns { is, is_not } = versions.patterns(Of::OpenShift);
        let matches = |pattern: &String| matches(pattern, version) == Some(true);
        is.is_none_or(|pattern| matches(&pattern)) && !is_not.is_some_and(|one| matches(&one))
    }

    /// Compares every range with the numbers themselves.
    #[test]
    fn ranges_have_the_versions_between_their_bounds() {
        for (major, minor, patch) in
            (4..6).flat_map(|x| (0..112).flat_map(move |y| (0..3).map(move |z| (x, y, z))))
        {
            let (at, version) = ((major, minor), format!("{major}.{minor}.{patch}"));
            for bound in [1, 9, 10, 14, 20, 99, 100, 109] {
                let text = |words: &str| words.replace('X', &format!("4.{bound}"));
                assert_eq!(is_in(&text("before X"), &version), at < (4, bound), "{version}");
                assert_eq!(is_in(&text("X or earlier"), &version), at <= (4, bound), "{version}");
                assert_eq!(is_in(&text("X or later"), &version), at >= (4, bound), "{version}");
                assert_eq!(is_in(&text("X"), &version), at == (4, bound), "{version}");
                let between = at >= (4, bound) && at <= (5, 2);
                assert_eq!(is_in(&text("X to 5.2"), &version), between, "{version}");
            }
        }
    }

    #[test]
    fn patches_and_pre_releases_have_their_order() {
        let before = |version| is_in("before 4.12.54", version);
        assert!(before("4.12.53") && before("4.12.0-rc.1") && before("4.9.100"));
        assert!(!before("4.12.54") && !before("4.12.540") && !before("4.13.0-ec.1"));
        assert!(before("4.12.54-rc.1"));
        assert!(is_in("4.12.5", "4.12.5") && !is_in("4.12.5", "4.12.50"));
        assert!(is_in("4.12.5 to 4.12.7", "4.12.7") && !is_in("4.12.5 to 4.12.7", "4.12.8"));
        assert!(!is_in("before 4.14", "4.14.0-rc.1") && is_in("4.14 or later", "4.14.0-rc.1"));
        assert!(is_in("before 4.12.0", "4.12.0-rc.1") && !is_in("before 4.12.0", "4.12.0"));
    }

    #[test]
    fn builds_of_operators_are_their_versions() {
        let is_in = |text: &str| {
            let VersionPatterns { is, is_not } =
                Versions::read(text).unwrap().patterns(Of::Operators);
            let matches = |pattern: String| matches(&pattern, "4.18.0-202607201105") == Some(true);
            is.is_none_or(matches) && !is_not.is_some_and(matches)
        };
        assert!(
            is_in("4.18") && is_in("4.18.0") && is_in("4.18 or earlier") && is_in("before 5.0")
        );
        assert!(is_in("4.18.0 or later") && !is_in("before 4.18.0") && !is_in("before 4.18"));
    }

    #[test]
    fn some_ranges_have_no_versions() {
        let is_possible = |text, of| Versions::read(text).unwrap().is_possible(of);
        assert!(!is_possible("before 4.0", Of::OpenShift));
        assert!(!is_possible("before 400.1", Of::OpenShift));
        assert!(is_possible("before 4.1", Of::OpenShift) && is_possible("4.0", Of::OpenShift));
        assert!(is_possible("before 4.0", Of::Operators));
        assert!(!is_possible("before 0.0", Of::Operators));
    }

    #[test]
    fn what_is_no_range_is_not_read() {
        for text in ["", "4", "4.x", "4.14.", "before", "4.14 to 4.12", "> 4.12", "4.01", "04.1"] {
            assert_eq!(Versions::read(text), None, "{text}");
        }
    }
}
