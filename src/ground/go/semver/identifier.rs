//! The parts of a pre-release: `rc.1` has two. OLM also gives releases such parts.

use std::cmp::Ordering;
use std::fmt;

use super::super::Error;
use super::super::strconv::unsigned;
use promql::quoting::quoted;

/// Numbers are lower than texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Identifier {
    Number(u64),
    Text(String),
}

impl Identifier {
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        if text.is_empty() {
            return Err("Prerelease is empty".to_owned().into());
        }
        if are_digits(text) {
            if has_leading_zero(text) {
                return Err(format!(
                    "Numeric PreRelease version must not contain leading zeroes {}",
                    quoted(text)
                )
                .into());
            }
            return unsigned(text).map(Self::Number);
        }
        if are_letters_or_digits(text) {
            return Ok(Self::Text(text.to_owned()));
        }
        Err(format!("Invalid character(s) found in prerelease {}", quoted(text)).into())
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Compares two pre-releases. None at all is the highest.
pub(super) fn compare_pre_releases(one: &[Identifier], other: &[Identifier]) -> Ordering {
    match (one.is_empty(), other.is_empty()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => one.cmp(other),
    }
}

pub(crate) fn write_dotted<T: fmt::Display>(
    parts: &[T],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(".")?;
        }
        write!(f, "{part}")?;
    }
    Ok(())
}

pub(super) fn are_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

pub(super) fn are_letters_or_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

pub(super) fn has_leading_zero(digits: &str) -> bool {
    digits.len() > 1 && digits.starts_with('0')
}
