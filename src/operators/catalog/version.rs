//! The version of a bundle, and its release, which numbers rebuilds.

use std::cmp::Ordering;
use std::fmt;

use crate::go::semver::{Identifier, Version, write_dotted};
use crate::go::{self, quoted};

const LONGEST: usize = 20;

/// The `release` in the property `olm.package`: one identifier or more, as in a pre-release.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release(Vec<Identifier>);

impl Release {
    /// Reads a release as opm does. An empty text means no release.
    pub fn parse(text: &str) -> Result<Option<Self>, go::Error> {
        if text.len() > LONGEST {
            return Err(format!(
                "invalid release {}: exceeds maximum length of {LONGEST} characters",
                quoted(text)
            )
            .into());
        }
        Self::parse_any_length(text)
    }

    fn parse_any_length(text: &str) -> Result<Option<Self>, go::Error> {
        if text.is_empty() {
            return Ok(None);
        }
        let mut identifiers = Vec::new();
        let mut faults = Vec::new();
        for (at, segment) in text.split('.').enumerate() {
            match Identifier::parse(segment) {
                Ok(identifier) => identifiers.push(identifier),
                Err(fault) => faults.push(format!("segment {at}: {fault}")),
            }
        }
        if faults.is_empty() {
            return Ok(Some(Self(identifiers)));
        }
        Err(format!("invalid release {}: {}", quoted(text), faults.join("\n")).into())
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_dotted(&self.0, f)
    }
}

/// The version by which bundles of a package are ordered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BundleVersion {
    pub version: Version,
    pub release: Option<Release>,
}

impl BundleVersion {
    /// Takes the build (the text after the `+`) as the release, as OLM v1 does. It may have any
    /// length.
    pub fn with_build_as_release(version: &Version) -> Result<Self, go::Error> {
        let release = Release::parse_any_length(&version.build())?;
        Ok(Self { version: version.without_build(), release })
    }

    /// Orders versions without their builds, then releases. No release is lower than any release.
    pub fn compare(&self, other: &Self) -> Ordering {
        self.version.precedence(&other.version).then_with(|| self.release.cmp(&other.release))
    }

    /// The version as text, which must be unique in its package.
    pub fn text(&self) -> String {
        match &self.release {
            Some(release) => format!("{}-{release}", self.version),
            None => self.version.to_string(),
        }
    }

    /// The only name that opm accepts for a bundle with a release. Without a release, any name is
    /// fine.
    pub fn normalized_name(&self, package: &str) -> Option<String> {
        self.release.as_ref().map(|_| format!("{package}-v{}", self.text()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use std::cmp::Ordering;

    use super::{BundleVersion, Release, Version};

    fn bundle_version(version: &str, release: &str) -> BundleVersion {
        let version = Version::parse(version).unwrap();
        BundleVersion { version, release: Release::parse(release).unwrap() }
    }

    #[test]
    fn says_all_that_is_wrong() {
        assert_eq!(
            Release::parse("a..02").unwrap_err().words(),
            "invalid release \"a..02\": segment 1: Prerelease is empty\n\
             segment 2: Numeric PreRelease version must not contain leading zeroes \"02\""
        );
        assert_eq!(
            Release::parse("r20240101.nightly.rebuild").unwrap_err().words(),
            "invalid release \"r20240101.nightly.rebuild\": \
             exceeds maximum length of 20 characters"
        );
    }

    #[test]
    fn releases_order_equal_versions() {
        let ascending = [("4.15.0", "9"), ("4.16.0+9", ""), ("4.16.0+1", "2"), ("4.16.0", "10")];
        for pair in ascending.windows(2) {
            let [low, high] = pair else { unreachable!() };
            let order = bundle_version(low.0, low.1).compare(&bundle_version(high.0, high.1));
            assert_eq!(order, Ordering::Less, "{low:?} {high:?}");
        }
    }

    #[test]
    fn names_and_texts() {
        assert_eq!(bundle_version("4.16.0", "").normalized_name("logging"), None);
        let rebuilt = bundle_version("4.16.0", "2.b");
        assert_eq!(rebuilt.text(), "4.16.0-2.b");
        assert_eq!(rebuilt.normalized_name("logging").unwrap(), "logging-v4.16.0-2.b");
    }

    #[test]
    fn builds_as_releases() {
        let of = |text| BundleVersion::with_build_as_release(&Version::parse(text).unwrap());
        assert_eq!(of("4.16.0+7").unwrap(), bundle_version("4.16.0", "7"));
        assert_eq!(of("4.16.0").unwrap(), bundle_version("4.16.0", ""));
        assert!(of("4.16.0+07").is_err());
    }
}
