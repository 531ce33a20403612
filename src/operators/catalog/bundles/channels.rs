//! The packages and channels that follow from bundles: each bundle is an entry of its channels.

use std::collections::BTreeMap;

use super::super::declared::{
    ChannelBlob, Declared, EntryBlob, Inferred, LoadCause, LoadFault, PackageBlob, Text,
};
use super::super::read::Csv;
use super::index;
use crate::domain::{HashMap, HashSet};
use crate::go::semver::Version;
use crate::text::Spanned;
use crate::text::words::counted;

/// The most entries and skips of all channels together. Real ones have some tens of thousands.
const MOST: usize = 2_000_000;

/// The properties of a bundle on which channels depend.
pub(super) struct ChannelBundle {
    pub entry: EntryBlob,
    pub version: String,
    pub channels: Vec<Text>,
    pub default_channel: Option<Text>,
}

#[derive(Default)]
pub(super) struct Channels {
    /// By name.
    packages: BTreeMap<String, PackageChannels>,
    /// The number of entries and skips so far.
    size: usize,
}

struct PackageChannels {
    name: Text,
    channels: BTreeMap<String, ChannelBlob>,
    /// The versions of the bundles. None if the text is not a version.
    versions: HashMap<String, Option<Version>>,
    /// The default channel, and the version of the bundle that names it.
    default_channel: Option<(Option<Version>, Text)>,
}

pub(super) fn entry(csv: &Csv) -> EntryBlob {
    EntryBlob {
        span: csv.name.span,
        name: csv.name.clone(),
        replaces: csv.replaces.clone(),
        skips: csv.skips.clone(),
        skips_at: None,
        skip_range: csv.skip_range.clone(),
    }
}

impl Channels {
    /// Adds a bundle to its channels.
    pub(super) fn add(&mut self, package: &Text, member: ChannelBundle) -> Result<(), LoadFault> {
        self.size += member.channels.len().saturating_mul(1 + member.entry.skips.len());
        if self.size > MOST {
            let why = "the channels of all bundles have too many entries and skips".to_owned();
            let cause = LoadCause::Input(why.clone());
            return Err(LoadFault { span: member.entry.span, cause, words: why });
        }
        let known = self.packages.entry(package.value.clone()).or_insert_with(|| PackageChannels {
            name: package.clone(),
            channels: BTreeMap::new(),
            versions: HashMap::default(),
            default_channel: None,
        });
        let version = Version::parse(&member.version).ok();
        known.versions.insert(member.entry.name.value.clone(), version);
        for name in member.channels {
            let channel = known.channels.entry(name.value.clone()).or_insert_with(|| ChannelBlob {
                span: name.span,
                package: package.clone(),
                name,
                entries: Vec::new(),
                is_inferred: true,
            });
            channel.entries.push(member.entry.clone());
        }
        // The bundle with the highest version decides.
        if let Some(channel) = member.default_channel {
            let version = Version::parse(&member.version).ok();
            let is_lower = |(known, _): &(Option<Version>, Text)| match (known, &version) {
                (Some(known), Some(version)) => known.precedence(version).is_lt(),
                (known, version) => known.is_none() && version.is_some(),
            };
            if known.default_channel.as_ref().is_none_or(is_lower) {
                known.default_channel = Some((version, channel));
            }
        }
        Ok(())
    }

    /// Declares the packages and channels, without the bundles that drop out of an index.
    pub(super) fn finish(self, declared: &mut Declared) {
        for package in self.packages.into_values() {
            let PackageChannels { name, mut channels, versions, default_channel } = package;
            let mut kept: HashSet<String> = HashSet::default();
            for channel in channels.values_mut() {
                let wanted = index::of_channel(channel, &versions);
                channel.entries.retain(|entry| wanted.contains(&entry.name.value));
                kept.extend(wanted);
            }
            let omitted = versions.len().saturating_sub(kept.len());
            if omitted > 0 {
                let words = format!(
                    "an index has only what the head of a channel leads to, so {} of package `{}` \
                     {} omitted",
                    counted(omitted, "bundle"),
                    name.value,
                    if omitted == 1 { "is" } else { "are" },
                );
                declared.inferred.push(Inferred { span: name.span, words });
                declared.bundles.retain(|bundle| {
                    bundle.package.value != name.value || kept.contains(&bundle.name.value)
                });
            }
            let only = channels.values().next().filter(|_| channels.len() == 1);
            let default_channel = default_channel
                .map(|(_, channel)| channel)
                .or_else(|| only.map(|channel| channel.name.clone()))
                .unwrap_or_else(|| Spanned { value: String::new(), span: name.span });
            declared.packages.push(PackageBlob { span: name.span, name, default_channel });
            declared.channels.extend(channels.into_values());
        }
    }
}
