//! What oc-mirror v2 leaves of a catalog.

use std::collections::BTreeSet;

use crate::catalog::{CatalogChannel, Package};
use crate::mirror::{MirroredCatalog, MirroredPackage, MirroredPackageChannel};
use crate::text::Failure;

use super::chain::Chain;
use super::range::VersionRange;

/// The mirrored part of a catalog.
#[derive(Debug, Default)]
pub(crate) struct MirroredPackages {
    pub packages: Vec<Package>,
    /// The packages and channels that the configuration names, and that the catalog does not have.
    pub unknown: Vec<String>,
}

/// The error says why oc-mirror fails.
pub(crate) fn mirrored_packages(
    packages: &[Package],
    wanted: &MirroredCatalog,
) -> Result<MirroredPackages, Failure> {
    if wanted.packages.is_empty() {
        let all = MirroredPackage::default();
        let kept = packages.iter().map(|package| mirrored(package, &all, wanted.full));
        let packages = kept.collect::<Result<_, _>>()?;
        return Ok(MirroredPackages { packages, unknown: Vec::new() });
    }
    let mut found = MirroredPackages::default();
    for one in &wanted.packages {
        let Some(package) = packages.iter().find(|package| package.name == one.name) else {
            found.unknown.push(format!("package {}", one.name));
            continue;
        };
        let unknown =
            one.channels.iter().filter(|channel| package.channel(&channel.name).is_none());
        let unknown = unknown.map(|channel| format!("channel {} of {}", channel.name, one.name));
        found.unknown.extend(unknown);
        found.packages.push(mirrored(package, one, wanted.full)?);
    }
    Ok(found)
}

/// A package with what is mirrored of it.
pub(super) fn mirrored(
    package: &Package,
    wanted: &MirroredPackage,
    is_full: bool,
) -> Result<Package, Failure> {
    let failure = |what: String| Failure::new(format!("package {}: {what}", package.name));
    let listed =
        |channel: &CatalogChannel| wanted.channels.iter().find(|one| one.name == channel.name);
    let channels = package.channels.iter();
    let channels = channels.filter(|one| wanted.channels.is_empty() || listed(one).is_some());
    let channels: Vec<&CatalogChannel> = channels.collect();
    let default_channel = match wanted.default_channel.as_str() {
        "" => &package.default_channel,
        named => named,
    };
    if !default_channel.is_empty() && channels.iter().all(|one| one.name != default_channel) {
        let what = format!("its default channel {default_channel} is not mirrored");
        return Err(
            failure(what).hint("oc-mirror refuses this: name another one with `defaultChannel`")
        );
    }
    let mut kept = Package { default_channel: default_channel.to_owned(), ..package.clone() };
    kept.channels.clear();
    let mut bundles: BTreeSet<String> = BTreeSet::new();
    for channel in channels {
        let names = entries(package, channel, wanted, listed(channel), is_full)?;
        if names.is_empty() {
            if channel.name == package.default_channel {
                return Err(failure(format!(
                    "nothing of its channel {} is in the range",
                    channel.name
                )));
            }
            continue;
        }
        let mut channel = channel.clone();
        channel.entries.retain(|entry| names.contains(&entry.name));
        if channel.entries.is_empty() {
            let what = format!("its channel {} would have no entries", channel.name);
            return Err(
                failure(what).hint("opm refuses such a catalog: name the channels to mirror")
            );
        }
        kept.channels.push(channel);
        bundles.extend(names);
    }
    kept.bundles.retain(|bundle| bundles.contains(&bundle.name));
    Ok(kept)
}

/// The names of the entries of a channel that are mirrored.
fn entries(
    package: &Package,
    channel: &CatalogChannel,
    wanted: &MirroredPackage,
    named: Option<&MirroredPackageChannel>,
    is_full: bool,
) -> Result<BTreeSet<String>, Failure> {
    let own = named.map(|one| (one.min_version.as_str(), one.max_version.as_str()));
    let of_package = (wanted.min_version.as_str(), wanted.max_version.as_str());
    let has_own = own.is_some_and(|own| own != ("", ""));
    if has_own && of_package != ("", "") {
        let what =
            format!("package {} and its channel {} both have a range", package.name, channel.name);
        return Err(Failure::new(what).hint("oc-mirror refuses this"));
    }
    let (min, max) = own.filter(|_| has_own).unwrap_or(of_package);
    if (min, max) == ("", "") {
        if is_full {
            return Ok(channel.entries.iter().map(|entry| entry.name.clone()).collect());
        }
        return Ok(BTreeSet::from([Chain::of(package, channel)?.head().to_owned()]));
    }
    if is_full {
        let what = format!("package {} has a range in a catalog that is `full`", package.name);
        return Err(Failure::new(what).hint("oc-mirror refuses this"));
    }
    let range = VersionRange::parse(min, max)?;
    if min == max
        && let Some(single) = range.min()
    {
        let mut bundles = package.bundles.iter();
        let found = bundles.find(|bundle| {
            let version = bundle.version.as_ref().map(|version| &version.version);
            version.is_some_and(|version| version.precedence(single).is_eq())
        });
        let what = || Failure::new(format!("package {} has no version {min}", package.name));
        return Ok(BTreeSet::from([found.ok_or_else(what)?.name.clone()]));
    }
    let kept = Chain::of(package, channel)?.within(&range);
    Ok(kept.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::mirrored;
    use crate::catalog::package::{Bundle, CatalogChannel, Entry, Package};
    use crate::catalog::version::BundleVersion;
    use crate::go::semver::Version;
    use crate::mirror::MirroredPackage;

    /// 1.3.0-1 replaces 1.2.0, which replaces 1.1.0 and skips 1.1.1. 1.1.0 replaces 1.0.0.
    fn package() -> Package {
        let versions = ["1.0.0", "1.1.0", "1.1.1", "1.2.0", "1.3.0-1"];
        let bundle = |version: &&str| Bundle {
            name: format!("v{version}"),
            version: Version::parse(version)
                .ok()
                .map(|version| BundleVersion { version, release: None }),
            ..Bundle::default()
        };
        let entry = |name: &str, replaces: &str, skips: &[&str]| Entry {
            name: name.to_owned(),
            replaces: replaces.to_owned(),
            skips: skips.iter().map(|name| (*name).to_owned()).collect(),
            skip_range: None,
        };
        let entries = vec![
            entry("v1.3.0-1", "v1.2.0", &[]),
            entry("v1.2.0", "v1.1.0", &["v1.1.1"]),
            entry("v1.1.1", "v1.1.0", &[]),
            entry("v1.1.0", "v1.0.0", &[]),
            entry("v1.0.0", "", &[]),
        ];
        let channel = CatalogChannel { name: "stable".to_owned(), entries, deprecation: None };
        Package {
            name: "lighthouse".to_owned(),
            default_channel: "stable".to_owned(),
            channels: vec![channel],
            bundles: versions.iter().map(bundle).collect(),
            deprecation: None,
        }
    }

    fn kept(min: &str, max: &str, is_full: bool) -> String {
        let wanted = MirroredPackage {
            min_version: min.to_owned(),
            max_version: max.to_owned(),
            ..MirroredPackage::default()
        };
        match mirrored(&package(), &wanted, is_full) {
            Ok(package) => {
                let names = package.bundles.iter().map(|bundle| bundle.name.as_str());
                names.collect::<Vec<_>>().join(" ")
            }
            Err(failure) => failure.to_string(),
        }
    }

    #[test]
    fn without_a_range_only_the_head_is_mirrored() {
        assert_eq!(kept("", "", false), "v1.3.0-1");
        assert_eq!(kept("", "", true), "v1.0.0 v1.1.0 v1.1.1 v1.2.0 v1.3.0-1");
    }

    #[test]
    fn a_range_is_the_shortest_part_of_the_chain() {
        assert_eq!(kept("1.1.0", "", false), "v1.1.0 v1.1.1 v1.2.0", "no pre-releases");
        assert_eq!(kept("1.1.0-0", "", false), "v1.1.0 v1.1.1 v1.2.0 v1.3.0-1");
        assert_eq!(kept("", "1.1.0", false), "v1.0.0 v1.1.0");
        assert_eq!(
            kept("", "1.1.1", false),
            "v1.0.0 v1.1.0 v1.1.1 v1.2.0",
            "what skips 1.1.1, too"
        );
        assert_eq!(kept("1.1.1", "1.1.1", false), "v1.1.1", "one version is alone");
    }

    #[test]
    fn a_range_without_bundles_is_refused() {
        assert!(kept("7", "", false).contains("nothing of its channel stable is in the range"));
        assert!(kept("1.0.0", "", true).contains("a range in a catalog that is `full`"));
        assert!(kept("1.0.0.0", "", false).contains("oc-mirror refuses the version `1.0.0.0`"));
    }
}
