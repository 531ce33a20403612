//! The graph after an edit of channels.

use std::collections::BTreeSet;

use crate::analysis::{GraphDifference, channels_not_in_both};
use crate::domain::{Arena, HashMap};
use crate::graph::{ChannelId, UpdateGraph};
use crate::graph_data::GraphData;
use crate::lineage::Lineage;

use super::super::channels::channels;
use super::super::release_index::ReleaseIndex;

/// Gives a graph the channels of another state of the repository, which differs in its channels
/// only. Returns how the graphs differ.
pub(super) fn change_channels(
    graph: &mut UpdateGraph,
    data: &GraphData,
    lineage: &Lineage,
) -> GraphDifference {
    let (channels, member_of) = channels(data, &ReleaseIndex::new(&lineage.nodes));
    let has_same_channels = graph.channels == channels;
    let new_ids: Arena<ChannelId, Option<ChannelId>> = if has_same_channels {
        graph.channels.ids().map(Some).collect()
    } else {
        let ids: HashMap<&str, ChannelId> =
            channels.entries().map(|(id, name)| (name.as_str(), id)).collect();
        graph.channels.iter().map(|name| ids.get(name.as_str()).copied()).collect()
    };
    let mut changed = BTreeSet::new();
    for (release, channels) in graph.graph.node_weights_mut().zip(member_of) {
        let channels = if release.is_abstract { Vec::new() } else { channels };
        let before = release.channels.iter().filter_map(|channel| new_ids[*channel]);
        let before: Vec<ChannelId> = before.collect();
        changed.extend(channels_not_in_both(&before, &channels));
        release.channels = channels;
    }
    graph.channels = channels;
    let new_channels = (!has_same_channels).then_some(new_ids);
    GraphDifference { new_channels, ..GraphDifference::of_channels(changed) }
}
