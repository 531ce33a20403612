//! How long releases waited for an update to the next minor version.

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::domain::version::strip_build;
use crate::domain::{Arch, ChannelName, Minor};
use crate::graph::{ChannelId, State, UpdateGraph};

const DAY: i64 = 86_400;
const YEAR: i64 = 365 * DAY;

/// When the channel of a file got a release, and what time it is now, in seconds since 1970.
pub(crate) type Joined<'j> = dyn Fn(&str, &str) -> Option<(i64, i64)> + 'j;

/// How long releases waited for an update to the next minor version, in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gaps {
    pub least: i64,
    pub median: i64,
    pub most: i64,
    /// Of how many releases.
    pub releases: usize,
}

impl Gaps {
    /// Of the releases that joined these channels in the last year. None: there was none.
    pub(crate) fn of(
        graph: &UpdateGraph,
        arch: Arch,
        is_wanted: &dyn Fn(ChannelId) -> bool,
        joined: &Joined<'_>,
    ) -> Option<Self> {
        let mut days: Vec<i64> = Vec::new();
        for node in graph.graph.node_indices() {
            let release = graph.release(node);
            if !release.is_for(arch) || !release.version.pre.is_empty() {
                continue;
            }
            let gaps = release.channels.iter().filter(|channel| is_wanted(**channel));
            days.extend(gaps.filter_map(|channel| gap(graph, node, *channel, joined)));
        }
        days.sort_unstable();
        let median = *days.get(days.len() / 2)?;
        Some(Self { least: *days.first()?, median, most: *days.last()?, releases: days.len() })
    }
}

/// How long a release waited in a channel that leads to the next minor version.
fn gap(
    graph: &UpdateGraph,
    node: NodeIndex,
    channel: ChannelId,
    joined: &Joined<'_>,
) -> Option<i64> {
    let name = &graph.channels[channel];
    let leads_to = ChannelName::parse(name)?.minor;
    let own = Minor::of(&graph.release(node).version);
    if leads_to.major != own.major || leads_to.minor != own.minor + 1 {
        return None;
    }
    let path = format!("channels/{name}.yaml");
    let since = |node: NodeIndex| joined(&path, strip_build(&graph.release(node).text));
    let (start, now) = since(node)?;
    let targets = graph.graph.edges_directed(node, Direction::Outgoing).filter(|edge| {
        let to = graph.release(edge.target());
        graph.reasons[edge.weight().reason].state != State::Blocked
            && to.is_in(channel)
            && Minor::of(&to.version) == leads_to
    });
    let first = targets.filter_map(|edge| Some(since(edge.target())?.0)).min()?;
    (now - start <= YEAR).then(|| (first - start).max(0).div_euclid(DAY))
}
