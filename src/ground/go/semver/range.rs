//! A range as blang/semver reads it: `>=1.0.0 <1.2.0 || 2.x`.

use std::cmp::Ordering;
use std::fmt;

use super::super::Error;
use super::Version;
use super::wildcard::{expand, split_operator};
use promql::quoting::quoted;

/// A set of versions. Pre-releases count like all other versions: `<1.0.0` contains `1.0.0-rc.1`.
#[derive(Clone, Debug)]
pub struct Range {
    text: String,
    alternatives: Vec<Vec<Comparator>>,
}

#[derive(Clone, Debug)]
struct Comparator {
    operator: Operator,
    version: Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

impl Range {
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut expanded = Vec::new();
        for alternative in alternatives(parts(text))? {
            let mut bounds = Vec::new();
            for part in alternative {
                bounds.extend(expand(part)?);
            }
            expanded.push(bounds);
        }
        let parse_all = |bounds: Vec<String>| bounds.iter().map(|part| parse_part(part)).collect();
        let alternatives = expanded.into_iter().map(parse_all).collect::<Result<_, Error>>()?;
        Ok(Self { text: text.to_owned(), alternatives })
    }

    /// The range as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn contains(&self, version: &Version) -> bool {
        self.alternatives.iter().any(|bounds| {
            // The Go program crashes if an alternative has no bounds, as in `>=1.0.0 || ||`.
            !bounds.is_empty() && bounds.iter().all(|bound| bound.allows(version))
        })
    }

    /// Whether each alternative states a lowest version, even if it is `>=0.0.0`.
    pub fn has_lower_bound(&self) -> bool {
        self.each_has(&[Operator::Equal, Operator::Greater, Operator::GreaterOrEqual])
    }

    /// Whether each alternative states a highest version.
    pub fn has_upper_bound(&self) -> bool {
        self.each_has(&[Operator::Equal, Operator::Less, Operator::LessOrEqual])
    }

    fn each_has(&self, operators: &[Operator]) -> bool {
        self.alternatives
            .iter()
            .filter(|bounds| !bounds.is_empty())
            .all(|bounds| bounds.iter().any(|bound| operators.contains(&bound.operator)))
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Comparator {
    fn allows(&self, version: &Version) -> bool {
        let order = version.precedence(&self.version);
        match self.operator {
            Operator::Equal => order == Ordering::Equal,
            Operator::NotEqual => order != Ordering::Equal,
            Operator::Greater => order == Ordering::Greater,
            Operator::GreaterOrEqual => order != Ordering::Less,
            Operator::Less => order == Ordering::Less,
            Operator::LessOrEqual => order != Ordering::Greater,
        }
    }
}

/// Splits at spaces, but not after an operator. Drops parts of one byte, as the library does: `!
/// 1.0.0` is `1.0.0`.
fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut last = None;
    let mut add = |part: Option<&str>| {
        parts.extend(part.filter(|part| part.len() > 1).map(|part| part.replace(' ', "")));
    };
    for (at, c) in text.char_indices() {
        if c != ' ' {
            last = Some(c);
        } else if !matches!(last, Some('>' | '<' | '=')) {
            add(text.get(start..at));
            start = at + 1;
        }
    }
    add(text.get(start..));
    parts
}

fn alternatives(parts: Vec<String>) -> Result<Vec<Vec<String>>, Error> {
    let mut alternatives = Vec::new();
    let mut alternative = Vec::new();
    let mut is_open = true;
    for (at, part) in parts.into_iter().enumerate() {
        is_open = part == "||";
        if !is_open {
            alternative.push(part);
        } else if at == 0 {
            return Err("First element in range is '||'".to_owned().into());
        } else {
            alternatives.push(std::mem::take(&mut alternative));
        }
    }
    if is_open {
        return Err("Last element in range is '||'".to_owned().into());
    }
    alternatives.push(alternative);
    Ok(alternatives)
}

fn parse_part(part: &str) -> Result<Comparator, Error> {
    let (operator, version) = split_operator(part)?;
    parse_comparator(operator, version)
        .map_err(|fault| format!("Could not parse Range {}: {fault}", quoted(part)).into())
}

fn parse_comparator(operator: &str, version: &str) -> Result<Comparator, Error> {
    let whole = || quoted(&format!("{operator}{version}"));
    let Some(known) = Operator::parse(operator) else {
        return Err(
            format!("Could not parse comparator {} in {}", quoted(operator), whole()).into()
        );
    };
    let version = Version::parse(version).map_err(|fault| {
        format!("Could not parse version {} in {}: {fault}", quoted(version), whole())
    })?;
    Ok(Comparator { operator: known, version })
}

impl Operator {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "" | "=" | "==" => Self::Equal,
            "!" | "!=" => Self::NotEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            _ => return None,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{Range, Version};

    fn range(text: &str) -> Range {
        Range::parse(text).unwrap()
    }

    fn contains(text: &str, version: &str) -> bool {
        range(text).contains(&Version::parse(version).unwrap())
    }

    #[test]
    fn and_binds_tighter_than_or() {
        let text = ">=4.14.0 <4.15.0 || 4.16.x !4.16.3";
        for (version, expected) in
            [("4.14.9", true), ("4.15.0", false), ("4.16.2", true), ("4.16.3", false)]
        {
            assert_eq!(contains(text, version), expected, "{version}");
        }
    }

    #[test]
    fn pre_releases_are_versions_like_others() {
        assert!(contains("<4.16.0", "4.16.0-rc.1"));
        assert!(!contains("<4.16.0-0", "4.16.0-rc.1"));
        assert!(contains("=4.16.0", "4.16.0+build"));
    }

    #[test]
    fn parts_of_one_character_vanish() {
        assert!(contains("! 4.16.0", "4.16.0"));
        assert_eq!(Range::parse("4").unwrap_err().words(), "Last element in range is '||'");
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |text| Range::parse(text).unwrap_err().to_string();
        assert_eq!(error("|| 4.16.0"), "First element in range is '||'");
        assert_eq!(error("4.16.0 ||"), "Last element in range is '||'");
        assert_eq!(error("latest"), "Could not get version from string: \"latest\"");
        assert_eq!(
            error("^4.16.0"),
            "Could not parse Range \"^4.16.0\": Could not parse comparator \"^\" in \"^4.16.0\""
        );
        assert_eq!(
            error("<=4.16"),
            "Could not parse Range \"<=4.16\": Could not parse version \"4.16\" in \"<=4.16\": \
             No Major.Minor.Patch elements found"
        );
    }

    #[test]
    fn bounds_of_all_alternatives_count() {
        let bounds = |text| (range(text).has_lower_bound(), range(text).has_upper_bound());
        assert_eq!(bounds("<4.16.0"), (false, true));
        assert_eq!(bounds(">=4.14.0 <4.16.0 || 4.17.x"), (true, true));
        assert_eq!(bounds(">=4.14.0 || <4.12.0"), (false, false));
        assert_eq!(bounds("!4.16.0"), (false, false));
    }

    #[test]
    fn an_empty_alternative_contains_nothing() {
        assert!(!contains("4.16.0 || || 4.17.0", "4.18.0"));
    }
}
