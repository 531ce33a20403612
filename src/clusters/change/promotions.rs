//! What a change does to promotions: which releases go through feeders.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{Minor, Version};
use crate::graph_data::{Channel, Feeder, Filter, GraphData};

/// A channel before and after a change, and the minors from which it gets releases.
#[derive(Debug)]
pub(crate) struct PromotionChange<'d> {
    pub before: &'d Channel,
    pub after: &'d Channel,
    /// The minors, by their next release, that are promoted only after the change.
    pub starts: Vec<Version>,
    /// The minors, by their next release, that are promoted only before the change.
    pub stops: Vec<Version>,
}

impl<'d> PromotionChange<'d> {
    /// The changes of all channels that exist before and after, and whose feeders are valid. Empty
    /// if the change touches no channel.
    pub(crate) fn all(before: &'d GraphData, after: &'d GraphData) -> Vec<Self> {
        let is_shared = |channel: &Channel| {
            let path = after.path(channel.file);
            after.file(channel.file).is_shared_with(before.at_path(path))
        };
        if after.channels.len() == before.channels.len() && after.channels.iter().all(is_shared) {
            return Vec::new();
        }
        let (was, is) = (by_name(before), by_name(after));
        let pairs = was.iter().filter_map(|(key, was)| Some((*was, *is.get(key)?)));
        let pairs = pairs.filter(|(was, is)| [was, is].iter().all(|one| is_usable(one)));
        let change = |(before_channel, after_channel): (&'d Channel, &'d Channel)| {
            let then = Promoted::of(before, &was, before_channel);
            let now = Promoted::of(after, &is, after_channel);
            let (mut starts, mut stops) = (Vec::new(), Vec::new());
            for minor in then.minors.union(&now.minors) {
                let Some(next) = next_release(after, *minor) else { continue };
                match (then.holds(&next), now.holds(&next)) {
                    (true, false) => stops.push(next),
                    (false, true) => starts.push(next),
                    _ => {}
                }
            }
            Self { before: before_channel, after: after_channel, starts, stops }
        };
        pairs.map(change).collect()
    }

    /// The channels to which the next release of a minor is promoted.
    pub(crate) fn channels_with(data: &GraphData, minor: Minor) -> Vec<&Channel> {
        let channels = by_name(data);
        let Some(next) = next_release(data, minor) else { return Vec::new() };
        let gets = |channel: &&&Channel| Promoted::of(data, &channels, channel).holds(&next);
        channels.values().filter(gets).copied().collect()
    }
}

type ByName<'d> = BTreeMap<(bool, &'d str), &'d Channel>;

/// Which releases are promoted to a channel.
struct Promoted {
    /// The minors of the channel that feeds it.
    minors: BTreeSet<Minor>,
    /// None if there is no feeder, so that nothing is promoted.
    filter: Option<Filter>,
}

impl Promoted {
    fn of(data: &GraphData, channels: &ByName<'_>, channel: &Channel) -> Self {
        let feeder = channel.feeder.as_ref();
        let source = feeder.and_then(|feeder| feeder.name.as_ref()).and_then(|name| {
            let name = name.value.as_str();
            channels.get(&(true, name)).or_else(|| channels.get(&(false, name)))
        });
        let minors = data.releases.minors().into_iter().filter(|minor| {
            source.is_some_and(|source| !data.releases.within(&source.releases, *minor).is_empty())
        });
        Self { minors: minors.collect(), filter: feeder.map(Feeder::filter).cloned() }
    }

    fn holds(&self, version: &Version) -> bool {
        self.minors.contains(&Minor::of(version))
            && self.filter.as_ref().is_some_and(|filter| filter.allows(&version.to_string()))
    }
}

/// The channels, by whether they are public and by name.
pub(super) fn by_name(data: &GraphData) -> ByName<'_> {
    data.channels.iter().map(|channel| ((channel.public, channel.name()), channel)).collect()
}

fn is_usable(channel: &Channel) -> bool {
    channel.feeder.as_ref().is_none_or(Feeder::is_usable)
}

fn next_release(data: &GraphData, minor: Minor) -> Option<Version> {
    let newest = data.releases.of_minor(minor).next_back()?;
    let patch = data.releases.get(newest).version.patch.checked_add(1)?;
    Some(Version::new(minor.major, minor.minor, patch))
}
