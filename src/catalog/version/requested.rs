//! The range that a ClusterExtension asks for, as Masterminds/semver reads it: `~4.16, !=4.16.3`.

#![allow(missing_docs, reason = "the names say it")]

use std::sync::LazyLock;

use regex::Regex;

use super::constraint::Constraint;
use super::semver::Version;
use crate::go::quoted;

/// The library's own limit in newer versions. Ranges of a ClusterExtension have 64 bytes at most.
const LONGEST: usize = 512;

const SPACE: &str = r"[\t\n\f\r ]";

const OPERATOR: &str = r"=||!=|>|<|>=|=>|<=|=<|~|~>|\^";

/// A version with one to three numbers or wildcards.
const VERSION: &str = r"v?(?:[0-9|xX*]+)(?:\.[0-9|xX*]+)?(?:\.[0-9|xX*]+)?(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?";

static HYPHEN_RANGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = format!("{SPACE}*(?<low>{VERSION}){SPACE}+-{SPACE}+(?<high>{VERSION}){SPACE}*");
    Regex::new(&pattern).ok()
});

static GROUP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let one = format!("(?:{OPERATOR}){SPACE}*(?:{VERSION}){SPACE}*");
    Regex::new(&format!("^{SPACE}*{one}(?:(?:{SPACE}+|,{SPACE}*){one})*$")).ok()
});

static ONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!("(?<operator>{OPERATOR}){SPACE}*(?<version>{VERSION})")).ok()
});

/// A set of versions. Builds do not matter. Pre-releases are only in an alternative that names one.
#[derive(Clone, Debug)]
pub struct Requested {
    text: String,
    alternatives: Vec<Alternative>,
}

#[derive(Clone, Debug)]
struct Alternative {
    constraints: Vec<Constraint>,
    has_pre_releases: bool,
}

impl Requested {
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("constraint string is too long (max {LONGEST} bytes)"));
        }
        let plain = without_hyphen_ranges(text);
        let alternatives = plain.split("||").map(parse_group).collect::<Result<_, _>>()?;
        Ok(Self { text: text.to_owned(), alternatives })
    }

    /// The range as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    #[must_use]
    pub fn contains(&self, version: &Version) -> bool {
        self.alternatives.iter().any(|alternative| {
            (alternative.has_pre_releases || !version.has_pre_release())
                && alternative.constraints.iter().all(|constraint| constraint.allows(version))
        })
    }
}

/// `1.0 - 1.4` becomes `>= 1.0, <= 1.4`.
fn without_hyphen_ranges(text: &str) -> String {
    let mut plain = text.to_owned();
    let Some(regex) = &*HYPHEN_RANGE else { return plain };
    for captures in regex.captures_iter(text) {
        if let (Some(whole), Some(low), Some(high)) =
            (captures.get(0), captures.name("low"), captures.name("high"))
        {
            let bounds = format!(">= {}, <= {} ", low.as_str(), high.as_str());
            plain = plain.replacen(whole.as_str(), &bounds, 1);
        }
    }
    plain
}

fn parse_group(text: &str) -> Result<Alternative, String> {
    let improper = || format!("improper constraint: {}", quoted(text));
    let (Some(group), Some(one)) = (&*GROUP, &*ONE) else { return Err(improper()) };
    if !group.is_match(text) {
        return Err(improper());
    }
    let mut constraints = Vec::new();
    for captures in one.captures_iter(text) {
        let (Some(operator), Some(version)) = (captures.name("operator"), captures.name("version"))
        else {
            return Err(improper());
        };
        let constraint = Constraint::parse(operator.as_str(), version.as_str())
            .ok_or("constraint parser error")?;
        constraints.push(constraint);
    }
    let has_pre_releases = constraints.iter().any(Constraint::has_pre_release);
    Ok(Alternative { constraints, has_pre_releases })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{Requested, Version};

    fn contains(text: &str, version: &str) -> bool {
        Requested::parse(text).unwrap().contains(&Version::parse(version).unwrap())
    }

    fn assert_contains(text: &str, inside: &[&str], outside: &[&str]) {
        for version in inside {
            assert!(contains(text, version), "{text} must contain {version}");
        }
        for version in outside {
            assert!(!contains(text, version), "{text} must not contain {version}");
        }
    }

    #[test]
    fn operators() {
        assert_contains("~4.16.2", &["4.16.2", "4.16.9"], &["4.16.1", "4.17.0"]);
        assert_contains("~>4", &["4.0.0", "4.17.0"], &["5.0.0"]);
        assert_contains("^0.4.1", &["0.4.1", "0.4.9"], &["0.4.0", "0.5.0"]);
        assert_contains("^0.0.3", &["0.0.3"], &["0.0.4", "0.1.3", "1.0.3"]);
        assert_contains("^0", &["0.0.1", "0.9.0"], &["1.0.0"]);
        assert_contains("^4.16", &["4.16.0", "4.17.0"], &["4.15.0", "5.0.0"]);
        assert_contains("4.16", &["4.16.0", "4.16.9"], &["4.17.0"]);
        assert_contains(">4.16", &["4.17.0"], &["4.16.1"]);
        assert_contains("<=4.16", &["4.16.9"], &["4.17.0"]);
        assert_contains("=<4.x", &["4.16.9"], &["5.0.0"]);
        assert_contains("!=4.16", &["4.15.0", "5.16.0"], &["4.16.9"]);
        assert_contains("!=4.16.3", &["4.16.2"], &["4.16.3"]);
        assert_contains("*", &["0.0.0", "9.9.9"], &["1.0.0-rc.1"]);
    }

    #[test]
    fn alternatives_and_hyphens() {
        assert_contains("4.14.0 - 4.15 || >=4.17 <5", &["4.15.9", "4.17.0"], &["4.16.0", "5.0.0"]);
        assert_contains(">=4.14.0, <4.16.0", &["4.15.0"], &["4.16.0"]);
    }

    #[test]
    fn pre_releases_must_be_named() {
        assert_contains(">=4.16.0", &["4.16.0"], &["4.17.0-rc.1"]);
        assert_contains(">=4.16.0-0 <4.18.0", &["4.16.0-rc.1", "4.17.0-rc.1"], &["4.18.0"]);
    }

    #[test]
    fn builds_do_not_matter() {
        assert_contains("4.16.0+1", &["4.16.0", "4.16.0+2"], &["4.16.1"]);
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |text| Requested::parse(text).unwrap_err();
        assert_eq!(error("latest"), "improper constraint: \"latest\"");
        assert_eq!(error(">=4.16 ||"), "improper constraint: \"\"");
        assert_eq!(error("4.16.0.1"), "improper constraint: \"4.16.0.1\"");
        assert_eq!(error("4.1x"), "constraint parser error");
        assert_eq!(error(&"4 ".repeat(600)), "constraint string is too long (max 512 bytes)");
    }
}
