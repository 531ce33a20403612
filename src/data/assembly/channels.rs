//! The channels that the service serves.

use crate::domain::{Arena, HashMap};
use crate::graph::{ChannelId, sort_channels};
use crate::graph_data::{GraphData, LoadVerdict, ReleaseId};
use crate::lineage::LineageNodeId;

use super::release_index::ReleaseIndex;

/// The names of all channels, in the order of the service, and the channels of each release.
pub(super) fn channels(
    data: &GraphData,
    releases: &ReleaseIndex<'_>,
) -> (Arena<ChannelId, String>, Arena<LineageNodeId, Vec<ChannelId>>) {
    let loaded = || {
        let public = data.channels.iter().filter(|channel| channel.public);
        public.filter(|channel| data.file(channel.file).verdict == LoadVerdict::Loads)
    };
    let mut names: Vec<String> = loaded().map(|channel| channel.name().to_owned()).collect();
    sort_channels(&mut names);
    names.dedup();
    let names: Arena<ChannelId, String> = names.into_iter().collect();
    let ids = names.entries().map(|(id, name)| (name.as_str(), id));
    let ids: HashMap<&str, ChannelId> = ids.collect();
    let mut member_of: Arena<LineageNodeId, Vec<_>> =
        Arena::filled(releases.nodes.len(), Vec::new());
    let of_release: Arena<ReleaseId, &[LineageNodeId]> =
        data.releases.iter().map(|(_, release)| releases.any_build(&release.text)).collect();
    for channel in loaded() {
        let Some(id) = ids.get(channel.name()) else { continue };
        for member in &channel.versions {
            let (Some(version), Some(release)) = (&member.version, member.release) else {
                continue;
            };
            for node in of_release[release] {
                let build = &releases.nodes[*node].version.build;
                let channels = &mut member_of[*node];
                if version.build.is_empty() || version.build == *build {
                    channels.push((*id, channel.file));
                }
            }
        }
    }
    let channels = member_of.into_iter().map(|mut channels| {
        // Like the service, this lists a release once in a file's channel, even if the file lists
        // it twice. But a channel with two files is listed twice.
        channels.sort_unstable();
        channels.dedup();
        channels.into_iter().map(|(id, _)| id).collect()
    });
    let channels = channels.collect();
    (names, channels)
}
