//! Shared code for rules about channels: finds channels by name, and the sources of their
//! releases.

use std::collections::BTreeMap;

use crate::graph_data::{Channel, GraphData, LoadVerdict};

/// The channels by name. A public channel hides an internal one with the same name.
pub(in crate::checks::rules) fn channels_by_name(data: &GraphData) -> BTreeMap<&str, &Channel> {
    let mut channels: BTreeMap<&str, &Channel> = BTreeMap::new();
    let internal_first = data.channels.iter().filter(|channel| !channel.public);
    let internal_first =
        internal_first.chain(data.channels.iter().filter(|channel| channel.public));
    for channel in internal_first {
        channels.insert(channel.name(), channel);
    }
    channels
}

/// Whether the service loads a channel. If not, another rule reports the reason. Until then, rules
/// cannot trust its list of releases: a misspelled version is missing from it.
pub(in crate::checks::rules) fn is_loaded(data: &GraphData, channel: &Channel) -> bool {
    !matches!(data.file(channel.file).verdict, LoadVerdict::Drops { .. } | LoadVerdict::Panics)
}

/// The channels by name, without those that the service does not load.
pub(in crate::checks::rules) fn loaded_channels(data: &GraphData) -> BTreeMap<&str, &Channel> {
    let mut channels = channels_by_name(data);
    channels.retain(|_, channel| is_loaded(data, channel));
    channels
}

/// The channels that must have every release of a channel: its feeder, and the channel of the
/// previous phase for the same minor.
pub(in crate::checks::rules) fn upstream_channels<'a>(
    channel: &Channel,
    channels: &BTreeMap<&str, &'a Channel>,
) -> Vec<&'a Channel> {
    let feeder = channel.feeder.as_ref().and_then(|feeder| feeder.name.as_ref());
    let before = channel.parts().and_then(|parts| {
        let phase = match parts.phase {
            "stable" => "fast",
            "fast" => "candidate",
            _ => return None,
        };
        Some(format!("{phase}-{}", parts.minor))
    });
    let mut names: Vec<&str> = feeder.map(|name| name.value.as_str()).into_iter().collect();
    names.extend(before.as_deref().filter(|before| !names.contains(before)));
    names
        .into_iter()
        .filter_map(|name| channels.get(name).copied())
        .filter(|upstream| upstream.file != channel.file)
        .collect()
}
