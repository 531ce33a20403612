//! Measures how long releases waited for an update to another minor version.

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::domain::channel_name::is_advised;
use crate::domain::version::strip_build;
use crate::domain::{Arch, Minor, is_general};
use crate::graph::{ChannelId, State, UpdateGraph};

const DAY: i64 = 86_400;
const YEAR: i64 = 365 * DAY;

/// When a release joined the channel of a file, and the current time, in seconds since 1970.
pub(crate) type Joined<'j> = dyn Fn(&str, &str) -> Option<(i64, i64)> + 'j;

/// Statistics of how long releases of a minor version waited for an update to another one, in days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gaps {
    pub least: usize,
    pub median: usize,
    pub most: usize,
    /// The number of releases.
    pub releases: usize,
}

impl Gaps {
    /// Considers the releases that joined the first supported channel in the last year. A wait ends
    /// when one of the wanted channels has the release and a target. None if no wait has ended.
    pub(crate) fn of(
        graph: &UpdateGraph,
        arch: Arch,
        from: Minor,
        to: Minor,
        is_wanted: &dyn Fn(ChannelId) -> bool,
        joined: &Joined<'_>,
    ) -> Option<Self> {
        let waits = Waits { graph, to, is_wanted, joined };
        let nodes = graph.graph.node_indices().filter(|node| {
            let release = graph.release(*node);
            release.is_for(arch)
                && is_general(&release.version)
                && Minor::of(&release.version) == from
        });
        let mut days: Vec<usize> = nodes.filter_map(|node| waits.of_release(node)).collect();
        days.sort_unstable();
        let median = *days.get(days.len() / 2)?;
        Some(Self { least: *days.first()?, median, most: *days.last()?, releases: days.len() })
    }
}

struct Waits<'w> {
    graph: &'w UpdateGraph,
    to: Minor,
    is_wanted: &'w dyn Fn(ChannelId) -> bool,
    joined: &'w Joined<'w>,
}

impl Waits<'_> {
    /// The wait of a release in days. None if the release is older than a year, or if the wait has
    /// not ended.
    fn of_release(&self, node: NodeIndex) -> Option<usize> {
        let channels = || self.graph.release(node).channels.iter().copied();
        let supported = channels().filter(|id| is_advised(&self.graph.channels[*id]));
        let (start, now) = supported.filter_map(|id| self.joined(node, id)).min()?;
        let wanted = channels().filter(|id| (self.is_wanted)(*id));
        let end = wanted.filter_map(|id| self.end_in(node, id)).min()?;
        let is_recent = now - start <= YEAR;
        usize::try_from((end - start).max(0) / DAY).ok().filter(|_| is_recent)
    }

    /// When the channel first had both the release and a target.
    fn end_in(&self, node: NodeIndex, channel: ChannelId) -> Option<i64> {
        let (own, _) = self.joined(node, channel)?;
        let edges = self.graph.graph.edges_directed(node, Direction::Outgoing);
        let targets = edges.filter(|edge| {
            let to = self.graph.release(edge.target());
            self.graph.reasons[edge.weight().reason].state != State::Blocked
                && to.is_in(channel)
                && Minor::of(&to.version) == self.to
        });
        let first =
            targets.filter_map(|edge| Some(self.joined(edge.target(), channel)?.0)).min()?;
        Some(first.max(own))
    }

    fn joined(&self, node: NodeIndex, channel: ChannelId) -> Option<(i64, i64)> {
        let path = format!("channels/{}.yaml", self.graph.channels[channel]);
        (self.joined)(&path, strip_build(&self.graph.release(node).text))
    }
}
