//! Versions and ranges, as blang/semver reads, orders, and prints them. opm, OLM, the operator, and
//! `oc` use it. Its ranges differ from Cargo's.

mod identifier;
mod range;
mod wildcard;

pub(crate) use identifier::{Identifier, write_dotted};
pub use range::Range;

use std::cmp::Ordering;
use std::fmt;

use super::Error;
use super::strconv::unsigned;
use identifier::{are_digits, are_letters_or_digits, compare_pre_releases, has_leading_zero};
use promql::quoting::quoted;

/// Two versions are equal if their texts are. [`Version::precedence`] ignores the build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Version {
    major: u64,
    minor: u64,
    patch: u64,
    pre_release: Vec<Identifier>,
    build: Vec<String>,
}

impl Version {
    /// Reads a version as strictly as opm: three numbers, no `v`, and no leading zeros.
    pub fn parse(text: &str) -> Result<Self, Error> {
        if text.is_empty() {
            return Err("Version string empty".to_owned().into());
        }
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err("No Major.Minor.Patch elements found".to_owned().into());
        };
        let major = component("major", "Major", major)?;
        let minor = component("minor", "Minor", minor)?;
        let (rest, build) = cut(rest, '+');
        let (patch, pre_release) = cut(rest, '-');
        let patch = component("patch", "Patch", patch)?;
        let pre_release = parse_dotted(pre_release, Identifier::parse)?;
        let build = parse_dotted(build, parse_build)?;
        Ok(Self { major, minor, patch, pre_release, build })
    }

    /// Reads a version as leniently as the catalog operator: a leading `v`, leading zeros, and
    /// missing numbers are fine.
    pub fn parse_tolerant(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<String> = text.splitn(3, '.').map(without_leading_zeros).collect();
        if parts.len() < 3 {
            if parts.last().is_some_and(|last| last.contains(['+', '-'])) {
                return Err("Short version cannot contain PreRelease/Build meta data"
                    .to_owned()
                    .into());
            }
            parts.resize(3, "0".to_owned());
        }
        Self::parse(&parts.join("."))
    }

    pub fn major(&self) -> u64 {
        self.major
    }

    pub fn minor(&self) -> u64 {
        self.minor
    }

    pub fn patch(&self) -> u64 {
        self.patch
    }

    pub fn has_pre_release(&self) -> bool {
        !self.pre_release.is_empty()
    }

    pub fn has_build(&self) -> bool {
        !self.build.is_empty()
    }

    /// The text after the `+`. Empty if there is none.
    pub fn build(&self) -> String {
        self.build.join(".")
    }

    pub fn without_build(&self) -> Self {
        Self { build: Vec::new(), ..self.clone() }
    }

    /// The order of SemVer: it ignores the build.
    pub fn precedence(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| self.compare_pre_release(other))
    }

    fn compare_pre_release(&self, other: &Self) -> Ordering {
        compare_pre_releases(&self.pre_release, &other.pre_release)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if self.has_pre_release() {
            f.write_str("-")?;
            write_dotted(&self.pre_release, f)?;
        }
        if self.has_build() {
            f.write_str("+")?;
            write_dotted(&self.build, f)?;
        }
        Ok(())
    }
}

fn component(name: &str, capitalized: &str, text: &str) -> Result<u64, Error> {
    if !are_digits(text) {
        return Err(format!("Invalid character(s) found in {name} number {}", quoted(text)).into());
    }
    if has_leading_zero(text) {
        return Err(format!(
            "{capitalized} number must not contain leading zeroes {}",
            quoted(text)
        )
        .into());
    }
    unsigned(text)
}

fn cut(text: &str, separator: char) -> (&str, Option<&str>) {
    text.split_once(separator).map_or((text, None), |(head, tail)| (head, Some(tail)))
}

fn parse_dotted<T>(
    text: Option<&str>,
    parse: impl Fn(&str) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    text.map_or(Ok(Vec::new()), |text| text.split('.').map(parse).collect())
}

fn parse_build(text: &str) -> Result<String, Error> {
    if text.is_empty() {
        return Err("Build meta data is empty".to_owned().into());
    }
    if !are_letters_or_digits(text) {
        return Err(
            format!("Invalid character(s) found in build meta data {}", quoted(text)).into()
        );
    }
    Ok(text.to_owned())
}

fn without_leading_zeros(part: &str) -> String {
    let rest = part.trim_start_matches('0');
    let keeps_a_zero = part.len() > 1 && !rest.starts_with(|c: char| c.is_ascii_digit());
    match part.len() {
        0 | 1 => part.to_owned(),
        _ if keeps_a_zero => format!("0{rest}"),
        _ => rest.to_owned(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use std::cmp::Ordering;

    use super::Version;

    fn parse(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    fn error(text: &str) -> String {
        Version::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn prints_what_it_reads() {
        for text in ["0.0.0", "4.16.2", "1.2.3-rc.1", "1.2.3+202401.b-1", "1.0.0--.-a+-"] {
            assert_eq!(parse(text).to_string(), text);
        }
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(error(""), "Version string empty");
        assert_eq!(error("4.16"), "No Major.Minor.Patch elements found");
        assert_eq!(error("v4.16.0"), "Invalid character(s) found in major number \"v4\"");
        assert_eq!(error("4.016.0"), "Minor number must not contain leading zeroes \"016\"");
        assert_eq!(error("4.16.0.1"), "Invalid character(s) found in patch number \"0.1\"");
        assert_eq!(error(".."), "strconv.ParseUint: parsing \"\": invalid syntax");
        assert_eq!(error("1.0.0-"), "Prerelease is empty");
        assert_eq!(error("1.0.0-a_b"), "Invalid character(s) found in prerelease \"a_b\"");
        assert_eq!(
            error("1.0.0-007"),
            "Numeric PreRelease version must not contain leading zeroes \"007\""
        );
        assert_eq!(error("1.0.0+"), "Build meta data is empty");
        assert_eq!(error("1.0.0+a+b"), "Invalid character(s) found in build meta data \"a+b\"");
    }

    #[test]
    fn order_is_that_of_semver() {
        let ascending =
            ["1.0.0-0", "1.0.0-2", "1.0.0-10", "1.0.0-a", "1.0.0-a.0", "1.0.0-b", "1.0.0", "1.0.1"];
        for (at, low) in ascending.iter().enumerate() {
            for (other, high) in ascending.iter().enumerate() {
                assert_eq!(parse(low).precedence(&parse(high)), at.cmp(&other), "{low} {high}");
            }
        }
        assert_eq!(parse("1.0.0+1").precedence(&parse("1.0.0+2")), Ordering::Equal);
    }

    #[test]
    fn tolerance_ends_at_short_pre_releases() {
        let tolerant = |text| Version::parse_tolerant(text).map(|version| version.to_string());
        assert_eq!(tolerant(" v1 ").unwrap(), "1.0.0");
        assert_eq!(tolerant("01.002").unwrap(), "1.2.0");
        assert_eq!(tolerant("1.00.00-rc").unwrap(), "1.0.0-rc");
        assert_eq!(
            tolerant("1.2-rc").unwrap_err().words(),
            "Short version cannot contain PreRelease/Build meta data"
        );
        assert_eq!(
            tolerant("").unwrap_err().words(),
            "strconv.ParseUint: parsing \"\": invalid syntax"
        );
    }
}
