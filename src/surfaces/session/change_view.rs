//! The graphs of a repository before and after a change.

use crate::assembly::{BothGraphs, assemble_both};
use crate::change::{ChangeQuestion, GraphChange, Side, may_differ};
use crate::domain::{Arch, Architectures, Named};
use crate::graph::UpdateGraph;
use crate::graph_data::{Consumer, GraphData};
use crate::lineage::{Lineage, Policy, Provenance};
use crate::rules::Outlook;

use super::UpdateSources;

/// The graphs of a repository before and after a change.
#[derive(Debug)]
pub(crate) struct ChangeView {
    pub before: Outlook,
    pub after: Outlook,
    pub provenance: Provenance,
    /// The graphs for all architectures. None if one graph is enough: there is only one
    /// architecture, or the change has the same effects on all.
    all: Option<BothGraphs>,
    /// None for all architectures.
    arch: Option<Arch>,
}

impl ChangeView {
    pub(crate) fn of(
        sources: &UpdateSources,
        before: &GraphData,
        after: &GraphData,
        policy: &Policy,
        arch: Option<Arch>,
    ) -> Self {
        let own = arch.unwrap_or_default();
        let lineage = sources.lineage_of_both(before, after, Architectures::only(&own));
        let graphs = |lineage: &Lineage| assemble_both(before, after, lineage, Consumer::Schema1_1);
        let own_graphs = graphs(&lineage);
        let all = (arch.is_none() && may_differ(&lineage, before, after))
            .then(|| graphs(&sources.lineage_of_both(before, after, Architectures::all_with(own))));
        // Both sides use the releases that are supported now.
        let supported = sources.supported(after, &lineage, policy);
        let ages = sources.ages();
        let releases = (&before.releases, &after.releases);
        let before = Outlook::new(own_graphs.before, supported.clone(), ages.clone(), releases.0);
        let after = Outlook::new(own_graphs.after, supported, ages, releases.1);
        Self { before, after, provenance: lineage.provenance.clone(), all, arch }
    }

    /// What the change does to clusters in these channels. An empty list means all channels.
    pub(crate) fn change<'s>(
        &'s self,
        before: &'s GraphData,
        after: &'s GraphData,
        channels: &[String],
    ) -> GraphChange<'s> {
        let one = [self.arch.unwrap_or_default()];
        let architectures = if self.all.is_some() { Arch::ALL } else { &one };
        let represented = if self.arch.is_some() { one.as_slice() } else { Arch::ALL };
        let side = |data, graph| Side { data, graph };
        let supported = &self.after.supported;
        let unchecked = self.after.unchecked();
        let unchecked = unchecked.as_deref();
        let question =
            ChangeQuestion { architectures, represented, supported, channels, unchecked };
        GraphChange::of(
            side(before, self.graph_before()),
            side(after, self.graph_after()),
            question,
        )
    }

    /// The graph before the change, as [`graph_after`](Self::graph_after).
    pub(crate) fn graph_before(&self) -> &UpdateGraph {
        self.all.as_ref().map_or(&self.before.graph, |all| &all.before)
    }

    /// The graph after the change. If one architecture is enough, it has only its releases.
    pub(crate) fn graph_after(&self) -> &UpdateGraph {
        self.all.as_ref().map_or(&self.after.graph, |all| &all.after)
    }

    pub(crate) fn channels(&self) -> impl Iterator<Item = &str> {
        let graphs = [&self.before.graph, &self.after.graph];
        graphs.into_iter().flat_map(|graph| graph.channels.iter().map(String::as_str))
    }
}
