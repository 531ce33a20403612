//! Ranges of versions as oc-mirror reads them, with Masterminds/semver.

use std::cmp::Ordering;

use crate::go::semver::Version;
use crate::text::Failure;

/// The versions from one to another, including both.
#[derive(Debug)]
pub(super) struct VersionRange {
    min: Option<Bound>,
    max: Option<Bound>,
    /// Whether an end of the range has a pre-release. If not, no pre-release is in the range.
    has_pre_releases: bool,
}

#[derive(Debug)]
struct Bound {
    version: Version,
    /// How many numbers are written: `4.16` is two.
    numbers: usize,
}

impl VersionRange {
    /// Empty texts are no ends.
    pub(super) fn parse(min: &str, max: &str) -> Result<Self, Failure> {
        let [min, max] = [min, max].map(Bound::parse);
        let (min, max) = (min?, max?);
        let is_one = |end: &Bound| end.version.has_pre_release();
        let has_pre_releases = min.as_ref().is_some_and(is_one) || max.as_ref().is_some_and(is_one);
        Ok(Self { min, max, has_pre_releases })
    }

    pub(super) fn min(&self) -> Option<&Version> {
        self.min.as_ref().map(|min| &min.version)
    }

    pub(super) fn holds(&self, version: &Version) -> bool {
        if version.has_pre_release() && !self.has_pre_releases {
            return false;
        }
        self.min.as_ref().is_none_or(|min| version.precedence(&min.version).is_ge())
            && self.max.as_ref().is_none_or(|max| max.is_not_below(version))
    }
}

impl Bound {
    fn parse(text: &str) -> Result<Option<Self>, Failure> {
        if text.is_empty() {
            return Ok(None);
        }
        let version = Version::parse_tolerant(text)
            .map_err(|_| Failure::new(format!("oc-mirror refuses the version `{text}`")))?;
        let core = text.split(['-', '+']).next().unwrap_or_default();
        Ok(Some(Self { version, numbers: core.split('.').count() }))
    }

    /// `4` stands for all of 4, and `4.16` for all of 4.16.
    fn is_not_below(&self, version: &Version) -> bool {
        let parts = |version: &Version| [version.major(), version.minor()];
        match self.numbers {
            1 | 2 => parts(version)[..self.numbers] <= parts(&self.version)[..self.numbers],
            _ => version.precedence(&self.version) != Ordering::Greater,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::VersionRange;
    use crate::go::semver::Version;

    fn holds(min: &str, max: &str, version: &str) -> bool {
        let range = VersionRange::parse(min, max).ok();
        range.zip(Version::parse(version).ok()).is_some_and(|(range, it)| range.holds(&it))
    }

    #[test]
    fn short_ends_stand_for_all_of_a_version() {
        assert!(holds("5.6", "", "5.6.0") && holds("5.6", "6", "6.9.9"));
        assert!(
            holds("", "5.6", "5.6.9") && !holds("", "5.6", "5.7.0") && !holds("", "5", "6.0.0")
        );
        assert!(holds("v5.6.0", "v5.6.1", "5.6.1") && !holds("5.6.0", "5.6.1", "5.6.2"));
    }

    #[test]
    fn pre_releases_are_in_a_range_only_if_an_end_is_one() {
        assert!(!holds("4.12.0", "", "4.13.0-202401"));
        assert!(holds("4.12.0-0", "", "4.13.0-202401"));
        assert!(holds("4.12.0-0", "4.13.0", "4.12.5-1"));
        assert!(!holds("4.12.0-5", "", "4.12.0-1"));
    }
}
