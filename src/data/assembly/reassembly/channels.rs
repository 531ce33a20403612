//! The graph after an edit of channels.

use std::collections::BTreeSet;

use crate::analysis::channels_not_in_both;
use crate::graph::{ChannelId, UpdateGraph};
use crate::graph_data::GraphData;
use crate::lineage::Lineage;

use super::super::channels::channels;
use super::super::release_index::ReleaseIndex;

/// Gives a graph the channels of another state of the repository, which differs in its channels
/// only. Returns the channels whose releases change. None if the list of channels itself changes.
pub(crate) fn change_channels(
    graph: &mut UpdateGraph,
    data: &GraphData,
    lineage: &Lineage,
) -> Option<BTreeSet<ChannelId>> {
    let (channels, member_of) = channels(data, &ReleaseIndex::new(&lineage.nodes));
    let mut changed = BTreeSet::new();
    for (release, channels) in graph.graph.node_weights_mut().zip(member_of) {
        let channels = if release.is_abstract { Vec::new() } else { channels };
        changed.extend(channels_not_in_both(&release.channels, &channels));
        release.channels = channels;
    }
    let has_same_channels = graph.channels == channels;
    graph.channels = channels;
    has_same_channels.then_some(changed)
}
