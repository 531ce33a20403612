//! One bound of a requested range, as Masterminds/semver checks it.

use std::cmp::Ordering;

use super::identifier::{Identifier, are_digits, has_leading_zero};
use super::semver::Version;

#[derive(Clone, Debug)]
pub(super) struct Constraint {
    operator: Operator,
    version: Version,
    wildcard: Wildcard,
}

#[derive(Clone, Copy, Debug)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Tilde,
    Caret,
}

/// The first number that is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wildcard {
    None,
    Major,
    Minor,
    Patch,
}

impl Constraint {
    /// `None` if a number is not one (`1x`), or if a pre-release has leading zeros.
    pub(super) fn parse(operator: &str, version: &str) -> Option<Self> {
        let operator = Operator::parse(operator)?;
        let version = version.split_once('+').map_or(version, |(version, _)| version);
        let (numbers, pre_release) =
            version.split_once('-').map_or((version, None), |(head, tail)| (head, Some(tail)));
        let numbers = numbers.strip_prefix('v').unwrap_or(numbers);
        let mut parts = numbers.split('.').map(|part| (!is_wildcard(part)).then_some(part));
        let mut next = || parts.next().flatten();
        let (major, minor, patch) = (next(), next(), next());
        let pre_release = parse_pre_release(pre_release)?;
        let number = |part: Option<&str>| part.map_or(Some(0), parse_number);
        let (wildcard, [major, minor, patch]) = match (major, minor, patch) {
            (None, _, _) => (Wildcard::Major, [None; 3]),
            (major, None, _) => (Wildcard::Minor, [major, None, None]),
            (major, minor, None) => (Wildcard::Patch, [major, minor, None]),
            (major, minor, patch) => (Wildcard::None, [major, minor, patch]),
        };
        let version = Version::new(number(major)?, number(minor)?, number(patch)?, pre_release);
        Some(Self { operator, version, wildcard })
    }

    pub(super) fn has_pre_release(&self) -> bool {
        self.version.has_pre_release()
    }

    pub(super) fn allows(&self, version: &Version) -> bool {
        let order = version.precedence(&self.version);
        match self.operator {
            Operator::Equal if self.wildcard == Wildcard::None => order == Ordering::Equal,
            Operator::Equal | Operator::Tilde => order != Ordering::Less && self.tilde(version),
            Operator::NotEqual => self.not_equal(version),
            Operator::Greater => self.greater(version),
            Operator::GreaterOrEqual => order != Ordering::Less,
            Operator::Less => order == Ordering::Less,
            Operator::LessOrEqual => self.less_or_equal(version),
            Operator::Caret => order != Ordering::Less && self.caret(version),
        }
    }

    fn not_equal(&self, version: &Version) -> bool {
        let differs = version.precedence(&self.version) != Ordering::Equal;
        match self.wildcard {
            Wildcard::None | Wildcard::Major => differs,
            Wildcard::Minor => !self.has_major_of(version),
            Wildcard::Patch => {
                !self.has_minor_of(version)
                    || version.compare_pre_release(&self.version) != Ordering::Equal
            }
        }
    }

    fn greater(&self, version: &Version) -> bool {
        match self.wildcard {
            Wildcard::None | Wildcard::Major => {
                version.precedence(&self.version) == Ordering::Greater
            }
            Wildcard::Minor => version.major() > self.version.major(),
            Wildcard::Patch => {
                (version.major(), version.minor()) > (self.version.major(), self.version.minor())
            }
        }
    }

    fn less_or_equal(&self, version: &Version) -> bool {
        match self.wildcard {
            Wildcard::None => version.precedence(&self.version) != Ordering::Greater,
            Wildcard::Minor => version.major() <= self.version.major(),
            Wildcard::Major | Wildcard::Patch => {
                (version.major(), version.minor()) <= (self.version.major(), self.version.minor())
            }
        }
    }

    fn tilde(&self, version: &Version) -> bool {
        let of = &self.version;
        match self.wildcard {
            Wildcard::Minor => self.has_major_of(version),
            Wildcard::Patch => self.has_minor_of(version),
            // The library takes `~0.0.0` for `*`.
            Wildcard::None | Wildcard::Major => {
                (of.major(), of.minor(), of.patch()) == (0, 0, 0) || self.has_minor_of(version)
            }
        }
    }

    fn caret(&self, version: &Version) -> bool {
        if self.version.major() > 0 || self.wildcard == Wildcard::Minor {
            self.has_major_of(version)
        } else if self.version.minor() > 0 || self.wildcard == Wildcard::Patch {
            self.has_minor_of(version)
        } else {
            self.has_minor_of(version) && version.patch() == self.version.patch()
        }
    }

    fn has_major_of(&self, version: &Version) -> bool {
        version.major() == self.version.major()
    }

    fn has_minor_of(&self, version: &Version) -> bool {
        self.has_major_of(version) && version.minor() == self.version.minor()
    }
}

impl Operator {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "" | "=" => Self::Equal,
            "!=" => Self::NotEqual,
            ">" => Self::Greater,
            ">=" | "=>" => Self::GreaterOrEqual,
            "<" => Self::Less,
            "<=" | "=<" => Self::LessOrEqual,
            "~" | "~>" => Self::Tilde,
            "^" => Self::Caret,
            _ => return None,
        })
    }
}

fn is_wildcard(part: &str) -> bool {
    matches!(part, "x" | "X" | "*")
}

fn parse_number(digits: &str) -> Option<u64> {
    if are_digits(digits) { digits.parse().ok() } else { None }
}

fn parse_pre_release(text: Option<&str>) -> Option<Vec<Identifier>> {
    text.map_or(Some(Vec::new()), |text| text.split('.').map(parse_identifier).collect())
}

/// The library compares numbers with more than 64 bits as text.
fn parse_identifier(text: &str) -> Option<Identifier> {
    if are_digits(text) && has_leading_zero(text) {
        return None;
    }
    Some(parse_number(text).map_or_else(|| Identifier::Text(text.to_owned()), Identifier::Number))
}
