//! `exitpath fleet --mirror`: what is mirrored, and which clusters get stuck with it.

use std::path::Path;

use crate::analysis::RiskNames;
use crate::cli::file_text::{file_text, named};
use crate::fleet::{Fleet, FleetGoal};
use crate::graph::UpdateGraph;
use crate::mirror::{ImageSet, MirrorOutlook, MirrorRequest, MirroredCatalog, Selection, Selector};
use crate::mirrored::StuckOperators;
use crate::report::FleetMirror;
use crate::text::Failure;

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

    /// The catalogs of the configuration.
    pub(super) fn catalogs(&self) -> &[MirroredCatalog] {
        &self.set.mirror.operators
    }

    pub(super) fn outlook(
        &self,
        names: &RiskNames,
        goal: &FleetGoal,
        fleet: &Fleet<'_>,
    ) -> MirrorOutlook {
        let Self { set, selector, selection, graph, .. } = self;
        let request = MirrorRequest { set, selector, selection, mirrored: graph, names, goal };
        MirrorOutlook::of(request, &fleet.classes)
    }

    /// `missing` are notes about catalogs that no flag gives.
    pub(super) fn report<'f>(
        &self,
        outlook: MirrorOutlook,
        operators: StuckOperators<'f>,
        missing: Vec<String>,
    ) -> FleetMirror<'f> {
        let text = |node| self.selector.graph.release(node).text.to_string();
        FleetMirror {
            name: self.name.clone(),
            releases: self.selection.nodes.iter().copied().map(text).collect(),
            notes: self.selection.notes.iter().cloned().chain(missing).collect(),
            has_single_release: !self.set.mirror.platform.release.is_empty(),
            outlook,
            operators,
        }
    }
}
