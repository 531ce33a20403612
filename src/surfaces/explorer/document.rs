//! What the script of the page reads.

use rayon::prelude::*;
use serde::Serialize;

use crate::domain::{Arch, Named};
use crate::text::printable;

use super::causes::{CauseJson, CauseLists, Causes, RiskJson};
use super::channels::{ChannelJson, channels};
use super::clusters::{ClusterJson, clusters};
use super::updates::{GraphUpdates, Lists, UpdatesJson, updates};
use super::versions::{VersionJson, Versions};
use super::{Exploration, packed};

#[derive(Debug, Default, Serialize)]
pub(super) struct DocumentJson {
    pub title: String,
    pub start: String,
    pub live: bool,
    /// Whether the releases are installs of an operator.
    pub catalog: bool,
    /// The architectures, in the order of the bits.
    pub arches: Vec<&'static str>,
    pub versions: Vec<VersionJson>,
    pub risks: Vec<RiskJson>,
    pub files: Vec<String>,
    pub causes: Vec<CauseJson>,
    pub lists: Vec<Vec<usize>>,
    pub clusters: Vec<ClusterJson>,
    pub states: Vec<StateJson>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct StateJson {
    pub label: String,
    pub notes: Vec<String>,
    pub updates: Vec<UpdatesJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_origins: Vec<(u8, usize)>,
    pub channels: Vec<ChannelJson>,
}

impl DocumentJson {
    pub(super) fn packed(&self) -> String {
        packed::packed(&serde_json::to_vec(self).unwrap_or_default())
    }
}

/// The data of a page, as text.
#[cfg(feature = "serve")]
pub(crate) fn data(exploration: &Exploration<'_>) -> String {
    document(exploration).packed()
}

pub(super) fn document(exploration: &Exploration<'_>) -> DocumentJson {
    let states = &exploration.states;
    let versions = Versions::of(exploration);
    let (mut causes, mut lists) = (Causes::default(), Lists::default());
    let updates_of = states.iter().map(|state| {
        let graphs = state.graphs.iter().map(|one| one.graph);
        let updates =
            graphs.map(|graph| updates(graph, state.data, &versions, &mut causes, &mut lists));
        updates.collect()
    });
    let updates_of: Vec<Vec<GraphUpdates>> = updates_of.collect();
    let with_updates = states.par_iter().zip(updates_of);
    let states = with_updates.map(|(state, updates)| {
        let mut json = StateJson {
            label: printable(&state.label).into_owned(),
            notes: state.notes.iter().map(|note| printable(note).into_owned()).collect(),
            ..StateJson::default()
        };
        for (explored, updates) in state.graphs.iter().zip(updates) {
            json.unknown_origins.extend(updates.unknown_origins);
            let mut channels = channels(exploration, state, *explored, &versions);
            match channels.as_mut_slice() {
                // Graphs beside each other may have different updates to one release.
                [only] if state.graphs.len() > 1 => only.updates = updates.lists,
                _ => json.updates.extend(updates.lists),
            }
            json.channels.append(&mut channels);
        }
        json
    });
    let states = states.collect();
    let CauseLists { risks, files, causes } = causes.into_lists();
    DocumentJson {
        title: printable(&exploration.title).into_owned(),
        start: exploration.start.address(),
        live: exploration.is_live,
        catalog: false,
        arches: Arch::names().collect(),
        versions: versions.into_list(),
        clusters: clusters(&risks),
        risks: risks.iter().map(RiskJson::from).collect(),
        files,
        causes,
        lists: lists.into_list(),
        states,
    }
}
