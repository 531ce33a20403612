//! What a change does to promotions: which releases feeders let through.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{Minor, Version};
use crate::graph_data::{Channel, Feeder, Filter, GraphData};

/// A channel before and after a change, and of which minors it gets releases.
#[derive(Debug)]
pub(crate) struct PromotionChange<'d> {
    pub before: &'d Channel,
    pub after: &'d Channel,
    /// The next releases that are promoted only after the change.
    pub starts: Vec<Version>,
    /// The next releases that are promoted only before the change.
    pub stops: Vec<Version>,
    /// The next releases that are promoted before and after it.
    pub goes_on: Vec<Version>,
}

impl<'d> PromotionChange<'d> {
    /// For each channel of both states whose feeders can be used.
    pub(crate) fn all(before: &'d GraphData, after: &'d GraphData) -> Vec<Self> {
        let (was, is) = (by_name(before), by_name(after));
        let pairs = was.iter().filter_map(|(key, was)| Some((*was, *is.get(key)?)));
        pairs
            .filter(|(was, is)| [was, is].iter().all(|one| is_usable(one)))
            .map(|(was, is)| {
                let (then, now) = (minors(before, was), minors(after, is));
                let (old, new) = (filter(was), filter(is));
                let mut change = Self {
                    before: was,
                    after: is,
                    starts: Vec::new(),
                    stops: Vec::new(),
                    goes_on: Vec::new(),
                };
                for minor in then.union(&now) {
                    let Some(next) = next_release(after, *minor) else { continue };
                    let text = next.to_string();
                    let allows = |minors: &BTreeSet<Minor>, filter: &Option<Filter>| {
                        minors.contains(minor)
                            && filter.as_ref().is_some_and(|filter| filter.allows(&text))
                    };
                    match (allows(&then, &old), allows(&now, &new)) {
                        (true, true) => change.goes_on.push(next),
                        (true, false) => change.stops.push(next),
                        (false, true) => change.starts.push(next),
                        (false, false) => {}
                    }
                }
                change
            })
            .collect()
    }
}

/// The channels by whether they are public, and by name.
pub(super) fn by_name(data: &GraphData) -> BTreeMap<(bool, &str), &Channel> {
    data.channels.iter().map(|channel| ((channel.public, channel.name()), channel)).collect()
}

fn is_usable(channel: &Channel) -> bool {
    channel.feeder.as_ref().is_none_or(Feeder::is_usable)
}

/// None: without a feeder, nothing is promoted.
fn filter(channel: &Channel) -> Option<Filter> {
    channel.feeder.as_ref().map(Feeder::filter)
}

/// The minors of the channel that feeds another.
fn minors(data: &GraphData, channel: &Channel) -> BTreeSet<Minor> {
    let feeder = channel.feeder.as_ref().and_then(|feeder| feeder.name.as_ref());
    let channels = by_name(data);
    let source = feeder.and_then(|name| {
        let name = name.value.as_str();
        channels.get(&(true, name)).or_else(|| channels.get(&(false, name)))
    });
    let releases = source.into_iter().flat_map(|source| &source.releases);
    releases.map(|id| Minor::of(&data.releases.get(*id).version)).collect()
}

fn next_release(data: &GraphData, minor: Minor) -> Option<Version> {
    let newest = data.releases.of_minor(minor).next_back()?;
    let patch = data.releases.get(newest).version.patch.checked_add(1)?;
    Some(Version::new(minor.major, minor.minor, patch))
}
