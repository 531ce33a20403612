//! What OLM v1 installs.

#![allow(missing_docs, reason = "the names say it")]

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::fmt;

use crate::catalog::package::{Bundle, Channel, Entry, Package};
use crate::catalog::version::{BundleVersion, Version};
use crate::go::quoted;

/// What a ClusterExtension asks for.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub package: &'a str,
    /// Empty if all channels count. Otherwise, other channels do not exist, nor do their edges.
    pub channels: &'a [&'a str],
    pub versions: Option<Versions<'a>>,
    /// `upgradeConstraintPolicy: SelfCertified`: edges do not count.
    pub is_self_certified: bool,
    pub installed: Option<Installed<'a>>,
}

/// The versions that are asked for.
#[derive(Clone, Copy)]
pub struct Versions<'a> {
    /// As written.
    pub text: &'a str,
    pub contains: &'a dyn Fn(&BundleVersion) -> bool,
}

/// What the ClusterExtension has installed.
#[derive(Clone, Copy, Debug)]
pub struct Installed<'a> {
    pub name: &'a str,
    /// As the catalog had it, with its build.
    pub version: &'a Version,
}

/// The bundles that OLM can choose from.
#[derive(Clone, Debug)]
pub struct Candidates<'a> {
    /// Preferred ones first: OLM takes the first, which may be what is installed.
    pub bundles: Vec<&'a Bundle>,
    /// Successors that the requested versions rule out, highest first.
    pub outside: Vec<&'a Bundle>,
}

/// There is no candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoCandidate {
    pub package: String,
    pub channels: Vec<String>,
    /// The requested versions.
    pub versions: Option<String>,
    /// The installed version.
    pub installed: Option<String>,
}

/// The bundles that OLM can choose from. It fails if there is none. A catalog without the package
/// has none.
pub fn candidates<'a>(
    package: Option<&'a Package>,
    request: &Request,
) -> Result<Candidates<'a>, NoCandidate> {
    let (mut bundles, mut outside) = (Vec::new(), Vec::new());
    if let Some(package) = package {
        let channels = requested(package, request.channels);
        let contains = |bundle: &Bundle| match &request.versions {
            None => true,
            Some(versions) => bundle.version.as_ref().is_some_and(versions.contains),
        };
        let followed = request.installed.filter(|_| !request.is_self_certified);
        let members: BTreeSet<_> = entries(&channels).map(|entry| entry.name.as_str()).collect();
        let followed = followed.map(|from| Successors::new(&channels, from));
        let in_channels = package
            .bundles
            .iter()
            .filter(|bundle| request.channels.is_empty() || members.contains(bundle.name.as_str()));
        (bundles, outside) = in_channels
            .filter(|bundle| followed.as_ref().is_none_or(|followed| followed.has(bundle)))
            .partition(|bundle| contains(bundle));
    }
    if bundles.is_empty() {
        return Err(NoCandidate::new(request));
    }
    bundles.sort_by_cached_key(|bundle| (bundle.deprecation.is_some(), preference(bundle)));
    outside.sort_by_cached_key(|bundle| preference(bundle));
    Ok(Candidates { bundles, outside })
}

/// The bundles that an installed one can move to, or stay on, over the requested channels (all if
/// there are none): highest first.
#[must_use]
pub fn successors<'a>(
    package: &'a Package,
    channels: &[&str],
    installed: Installed,
) -> Vec<&'a Bundle> {
    let successors = Successors::new(&requested(package, channels), installed);
    let mut found: Vec<_> =
        package.bundles.iter().filter(|bundle| successors.has(bundle)).collect();
    found.sort_by_cached_key(|bundle| preference(bundle));
    found
}

fn requested<'a>(package: &'a Package, names: &[&str]) -> Vec<&'a Channel> {
    let asked = |channel: &&Channel| names.is_empty() || names.contains(&channel.name.as_str());
    package.channels.iter().filter(asked).collect()
}

fn entries<'a>(channels: &[&'a Channel]) -> impl Iterator<Item = &'a Entry> {
    channels.iter().flat_map(|channel| &channel.entries)
}

/// What an installed bundle can move to, or stay on.
struct Successors<'a> {
    /// The entries that have an edge from it.
    names: BTreeSet<&'a str>,
    /// What has the same version is one, too.
    installed: Comparable,
}

impl<'a> Successors<'a> {
    fn new(channels: &[&'a Channel], installed: Installed) -> Self {
        let has_edge = |entry: &&Entry| {
            let range = entry.skip_range.as_ref();
            entry.replaces == installed.name
                || entry.skips.iter().any(|skip| skip == installed.name)
                || range.is_some_and(|range| range.contains(installed.version))
        };
        let found = entries(channels).filter(has_edge);
        let names = found.map(|entry| entry.name.as_str()).collect();
        Self { names, installed: Comparable::new(installed.version) }
    }

    fn has(&self, bundle: &Bundle) -> bool {
        let version = bundle.version.as_ref();
        self.names.contains(bundle.name.as_str())
            || version.is_some_and(|version| Comparable::new(&version.version) == self.installed)
    }
}

/// Less is preferred: the higher version, and of equals the one that is written first. What has no
/// version comes last.
fn preference(bundle: &Bundle) -> (Reverse<Option<Comparable>>, usize) {
    let version = bundle.version.as_ref();
    (Reverse(version.map(|version| Comparable::new(&version.version))), bundle.place)
}

/// A version whose build counts as the release. The property `release` does not count.
struct Comparable(BundleVersion);

impl Comparable {
    fn new(version: &Version) -> Self {
        let plain = || BundleVersion { version: version.clone(), release: None };
        Self(BundleVersion::with_build_as_release(version).unwrap_or_else(|_| plain()))
    }
}

impl Ord for Comparable {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.compare(&other.0)
    }
}

impl PartialOrd for Comparable {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Comparable {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Comparable {}

impl NoCandidate {
    fn new(request: &Request) -> Self {
        Self {
            package: request.package.to_owned(),
            channels: request.channels.iter().map(|&channel| channel.to_owned()).collect(),
            versions: request.versions.map(|versions| versions.text.to_owned()),
            installed: request.installed.map(|installed| installed.version.to_string()),
        }
    }
}

impl fmt::Display for NoCandidate {
    /// In the words of OLM.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(version) = &self.installed {
            write!(f, "error upgrading from currently installed version {}: ", quoted(version))?;
        }
        write!(f, "no bundles found for package {}", quoted(&self.package))?;
        if let Some(versions) = &self.versions {
            write!(f, " matching version {}", quoted(versions))?;
        }
        if self.channels.is_empty() {
            return Ok(());
        }
        write!(f, " in channels [{}]", self.channels.join(" "))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    /// One channel, in which each bundle replaces the one before.
    fn lamp(versions: &[&str]) -> Package {
        let bundle = |(place, version): (usize, &&str)| {
            let version = Version::parse(version).unwrap();
            let version = Some(BundleVersion { version, release: None });
            Bundle { name: format!("lamp.{place}"), place, version, ..Bundle::default() }
        };
        let entry = |place: usize| Entry {
            name: format!("lamp.{place}"),
            replaces: place.checked_sub(1).map(|from| format!("lamp.{from}")).unwrap_or_default(),
            ..Entry::default()
        };
        let bundles: Vec<_> = versions.iter().enumerate().map(bundle).collect();
        let entries = (0..versions.len()).map(entry).collect();
        let channels = vec![Channel { name: "bright".to_owned(), entries, deprecation: None }];
        Package { name: "lamp".to_owned(), channels, bundles, ..Package::default() }
    }

    fn next(package: &Package, place: usize, channels: &[&str]) -> Result<Vec<usize>, String> {
        let installed = &package.bundles[place];
        let version = &installed.version.as_ref().unwrap().version;
        let request = Request {
            package: "lamp",
            channels,
            versions: None,
            is_self_certified: false,
            installed: Some(Installed { name: &installed.name, version }),
        };
        let found = candidates(Some(package), &request).map_err(|error| error.to_string())?;
        Ok(found.bundles.iter().map(|bundle| bundle.place).collect())
    }

    #[test]
    fn the_highest_wins_even_if_it_is_what_is_installed() {
        let lamp = lamp(&["1.0.0", "1.2.0", "1.1.0"]);
        assert_eq!(next(&lamp, 0, &[]), Ok(vec![1, 0]));
        assert_eq!(next(&lamp, 1, &[]), Ok(vec![1, 2]));
    }

    #[test]
    fn builds_are_releases() {
        let lamp = lamp(&["1.0.0+9", "1.0.0+10"]);
        assert_eq!(next(&lamp, 0, &["bright"]), Ok(vec![1, 0]));
    }

    #[test]
    fn deprecated_bundles_come_last() {
        let mut lamp = lamp(&["1.0.0", "1.1.0"]);
        lamp.bundles[1].deprecation = Some("Flickers.".to_owned());
        assert_eq!(next(&lamp, 0, &[]), Ok(vec![0, 1]));
    }

    #[test]
    fn other_channels_do_not_exist() {
        let error = next(&lamp(&["1.0.0"]), 0, &["dim", "dark"]).unwrap_err();
        assert_eq!(
            error,
            "error upgrading from currently installed version \"1.0.0\": \
             no bundles found for package \"lamp\" in channels [dim dark]"
        );
    }
}
