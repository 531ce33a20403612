//! The graph after an edit, made from the graph before it.

mod channels;
mod declarations;
mod releases;
#[cfg(test)]
mod tests;

pub(crate) use releases::reassemble;

use crate::analysis::GraphDifference;
use crate::domain::Arena;
use crate::graph::{ReasonId, UpdateGraph};
use crate::graph_data::{Consumer, GraphData};
use crate::lineage::Lineage;

use channels::change_channels;
use declarations::change_declarations;

/// The new id of each reason of the graph before. None if the new graph does not keep it.
type NewIds = Arena<ReasonId, Option<ReasonId>>;

/// Gives a graph the channels and declarations of another state of the repository, which lists the
/// same updates and has the same metadata. Returns how the graphs differ. None if this is not
/// known.
pub(crate) fn edit_graph(
    graph: &mut UpdateGraph,
    before: &GraphData,
    after: &GraphData,
    lineage: &Lineage,
    consumer: Consumer,
) -> Option<GraphDifference> {
    let channels = if after.loads_channels_of(before) {
        GraphDifference::none()
    } else {
        change_channels(graph, after, lineage)
    };
    if after.loads_declarations_of(before) {
        return Some(channels);
    }
    let declarations = change_declarations(graph, before, after, lineage, consumer)?;
    Some(channels.and_then(declarations))
}
