//! `exitpath fleet --mirror`: what is mirrored, and who gets stuck with it.

use std::path::Path;

use crate::analysis::RiskNames;
use crate::fleet::{Fleet, FleetGoal};
use crate::graph::UpdateGraph;
use crate::mirror::{ImageSet, MirrorOutlook, MirrorRequest, Selection, Selector};
use crate::report::FleetMirror;
use crate::text::Failure;

use super::file_text::{file_text, named};

/// Configurations have some kilobytes.
const LARGEST: u64 = 1 << 20;

/// A configuration of oc-mirror, and what it takes.
pub(super) struct Mirror<'g> {
    name: String,
    set: ImageSet,
    selector: Selector<'g>,
    selection: Selection,
    /// The graph of the mirror's update service.
    pub(super) graph: UpdateGraph,
}

impl<'g> Mirror<'g> {
    pub(super) fn read(file: &Path, graph: &'g UpdateGraph) -> Result<Self, Failure> {
        let name = named(file);
        let text = file_text(file, LARGEST)?;
        let selector = Selector::new(graph);
        let read = ImageSet::read(&text).and_then(|set| {
            let selection = selector.select(&set)?;
            Ok((set, selection))
        });
        let (set, selection) = read.map_err(|failure| failure.cannot_use(&name))?;
        let graph = graph.with_only(&selection.nodes);
        Ok(Self { name, set, selector, selection, graph })
    }

    pub(super) fn report(
        &self,
        names: &RiskNames,
        goal: &FleetGoal,
        fleet: &Fleet<'_>,
    ) -> FleetMirror<'_> {
        let Self { set, selector, selection, graph, .. } = self;
        let request = MirrorRequest { set, selector, selection, mirrored: graph, names, goal };
        let text = |node| selector.graph.release(node).text.to_string();
        FleetMirror {
            name: self.name.clone(),
            releases: selection.nodes.iter().copied().map(text).collect(),
            notes: &selection.notes,
            outlook: MirrorOutlook::of(request, &fleet.classes),
        }
    }
}
