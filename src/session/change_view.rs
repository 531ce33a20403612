//! The graphs of a repository before and after a change.

use crate::assembly::{Consumer, assemble_both};
use crate::change::{ChangeQuestion, GraphChange, Side, may_differ};
use crate::domain::{Arch, Named};
use crate::graph::UpdateGraph;
use crate::graph_data::GraphData;
use crate::lineage::{Lineage, Policy, Provenance};
use crate::rules::Outlook;

use super::UpdateSources;

/// The graphs of a repository before and after a change.
#[derive(Debug)]
pub(crate) struct ChangeView {
    /// Before, for one architecture.
    pub before: Outlook,
    /// After, for the same.
    pub after: Outlook,
    /// Where the updates come from.
    pub provenance: Provenance,
    /// The graphs for all architectures, if these may differ in what the change does.
    all: Option<(UpdateGraph, UpdateGraph)>,
    /// The architecture that is asked about; all without.
    arch: Option<Arch>,
}

impl ChangeView {
    /// The graphs before and after a change, for one architecture or for all.
    #[must_use]
    pub(crate) fn of(
        sources: &UpdateSources,
        (before, after): (&GraphData, &GraphData),
        policy: &Policy,
        arch: Option<Arch>,
    ) -> Self {
        let own = arch.unwrap_or_default();
        let lineage = sources.lineage_of_both(before, after, own, &[own]);
        let graphs =
            |lineage: &Lineage| assemble_both((before, after), lineage, Consumer::Schema1_1);
        let (was, is) = graphs(&lineage);
        let all = (arch.is_none() && may_differ(&lineage, before, after))
            .then(|| graphs(&sources.lineage_of_both(before, after, own, Arch::ALL)));
        // Both sides are judged by what is supported now.
        let supported = sources.supported(after, &lineage, policy);
        let before = Outlook { graph: was, supported: supported.clone() };
        let after = Outlook { graph: is, supported };
        Self { before, after, provenance: lineage.provenance, all, arch }
    }

    /// What the change does to clusters, in some channels or, without any, in all.
    #[must_use]
    pub(crate) fn change<'s>(
        &'s self,
        before: &'s GraphData,
        after: &'s GraphData,
        channels: &[String],
    ) -> GraphChange<'s> {
        let one = [self.arch.unwrap_or_default()];
        let (graphs, architectures) = match &self.all {
            Some((before, after)) => ((before, after), Arch::ALL),
            None => ((&self.before.graph, &self.after.graph), one.as_slice()),
        };
        let represented = if self.arch.is_some() { one.as_slice() } else { Arch::ALL };
        let side = |data, graph| Side { data, graph };
        let supported = &self.after.supported;
        let question = ChangeQuestion { architectures, represented, supported, channels };
        GraphChange::of(side(before, graphs.0), side(after, graphs.1), question)
    }

    /// The names of all channels, before and after.
    pub(crate) fn channels(&self) -> impl Iterator<Item = &str> {
        let graphs = [&self.before.graph, &self.after.graph];
        graphs.into_iter().flat_map(|graph| graph.channels.iter().map(String::as_str))
    }
}
