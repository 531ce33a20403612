//! What a change of the repository does to the update graph and to clusters.
//!
//! Compares two graphs update by update and groups similar differences, so that a change of sixty
//! files with one risk is reported once.

mod architectures;
mod digest;
mod exits;
mod expectation;
mod graph_change;
mod groups;
mod members;
mod promotions;
mod queries;
mod risks;
mod seen;
mod updates;
mod upkeep;

pub(crate) use architectures::may_differ;
pub(crate) use digest::{Digest, RiskNews, RiskNewsKind};
pub use exits::{Effect, ExitEntry};
#[cfg(feature = "testing")]
pub use exits::{ExitChange, ExitQuestion};
pub(crate) use expectation::{BrokenStatement, Stated, broken};
pub(crate) use graph_change::{ChangeQuestion, GraphChange};
pub(crate) use groups::{Blame, UpdateGroup};
pub(crate) use members::{ComparedChannelId, Move, VersionId};
pub(crate) use promotions::PromotionChange;
pub(crate) use queries::{Clusters, QueryChange};
pub(crate) use risks::{Awaited, PatternChange, RiskChange, RiskStatus, TextChange};
pub use seen::Seen;
pub(crate) use seen::SeenId;
pub(crate) use updates::AlteredUpdate;
pub use updates::Fate;
pub(crate) use upkeep::UpkeepChange;

use std::collections::BTreeSet;

use crate::domain::version::{self, strip_build};
use crate::domain::{Arch, ArchSet, Arena, HashSet, Minor};
use crate::graph::{ChannelId, Release, UpdateGraph};
use crate::graph_data::GraphData;
use crate::text::words::in_ranges;

use members::Members;
use seen::SeenTable;

/// A repository and its update graph, before or after a change.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The repository.
    pub data: &'a GraphData,
    /// Its update graph.
    pub graph: &'a UpdateGraph,
}

/// What a change does to updates, channels, and declarations.
#[derive(Debug)]
pub struct Comparison {
    /// The names of all channels, in the service's order.
    pub channels: Arena<ComparedChannelId, String>,
    /// The versions of all releases, oldest first.
    pub versions: Arena<VersionId, String>,
    /// For each version, whether a channel has it after the change.
    pub served: Arena<VersionId, bool>,
    /// The architectures of all releases.
    pub architectures: ArchSet,
    /// What clusters can see of an update: each distinct value once.
    pub seen: Arena<SeenId, Seen>,
    /// The releases that join or leave channels, oldest first.
    pub moves: Vec<Move>,
    /// The updates that change, in order of target and origin.
    pub altered: Vec<AlteredUpdate>,
    /// The declarations that change: risks by name, then blocks.
    pub risks: Vec<RiskChange>,
}

impl Comparison {
    /// Compares two sides.
    pub fn of(before: Side<'_>, after: Side<'_>) -> Self {
        let members = Members::of(before.graph, after.graph);
        let mut table = SeenTable::default();
        let (was, is) = (table.add(before.graph), table.add(after.graph));
        let altered = updates::altered(before.graph, &was, after.graph, &is, &members, &table);
        let risks = risks::changes(before.data, after.data);
        let architectures = members.all_architectures();
        let Members { channels, versions, served, moves, .. } = members;
        Self { channels, versions, served, architectures, seen: table.list, moves, altered, risks }
    }

    /// Removes all changes in other channels. `graphs` are those of the two sides.
    fn keep_channels(&mut self, channels: &[String], graphs: [&UpdateGraph; 2]) {
        let is_kept: Arena<ComparedChannelId, bool> =
            self.channels.iter().map(|channel| channels.contains(channel)).collect();
        let is_kept = |channel: &ComparedChannelId| is_kept[*channel];
        for change in &mut self.altered {
            change.channels.retain(is_kept);
        }
        self.altered.retain(|change| !change.channels.is_empty());
        for one in &mut self.moves {
            one.joins.retain(is_kept);
            one.leaves.retain(is_kept);
        }
        self.moves.retain(|one| !one.joins.is_empty() || !one.leaves.is_empty());
        // Keep only declarations for the updates of these channels.
        let served = graphs.into_iter().flat_map(|graph| {
            let ids: Vec<ChannelId> =
                channels.iter().filter_map(|name| graph.channel(name)).collect();
            let is_served = move |release: &&Release| ids.iter().any(|id| release.is_in(*id));
            graph.graph.node_weights().filter(is_served).map(|release| strip_build(&release.text))
        });
        let targets: HashSet<&str> = served.collect();
        self.risks.retain(|risk| risk.targets().any(|target| targets.contains(target)));
    }

    /// Applies the results of the one compared architecture to these architectures.
    pub(super) fn apply_to(&mut self, architectures: &[Arch]) {
        let all: ArchSet = architectures.iter().copied().collect();
        self.altered.iter_mut().for_each(|change| change.architectures = all);
        self.architectures = all;
    }

    /// Versions in words, with neighbors joined as ranges.
    pub(crate) fn in_ranges(&self, versions: &BTreeSet<VersionId>) -> String {
        let minor = |id: &VersionId| version::parse(&self.versions[*id]).map(|v| Minor::of(&v));
        let is_next =
            |a: &VersionId, b: &VersionId| a.index() + 1 == b.index() && minor(a) == minor(b);
        let versions: Vec<VersionId> = versions.iter().copied().collect();
        in_ranges(&versions, is_next, |id| &self.versions[*id])
    }

    /// Whether nothing changes.
    pub fn is_idle(&self) -> bool {
        self.moves.is_empty() && self.altered.is_empty() && self.risks.is_empty()
    }

    /// The altered updates, grouped by what happens to them and why.
    pub fn groups(&self) -> Vec<UpdateGroup<'_>> {
        groups::groups(self)
    }
}
