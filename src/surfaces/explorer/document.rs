//! What the script of the page reads.

use rayon::prelude::*;
use serde::Serialize;

use crate::analysis::RiskNames;
use crate::domain::{Arch, Named};
use crate::text::printable;

use super::causes::{CauseJson, Causes, RiskJson};
use super::channels::{ChannelJson, channels};
use super::clusters::{ClusterJson, clusters};
use super::updates::{Lists, updates};
use super::versions::{VersionJson, Versions};
use super::{Exploration, packed};

#[derive(Debug, Serialize)]
struct DocumentJson<'e> {
    title: &'e str,
    start: String,
    live: bool,
    /// The architectures, in the order of the bits.
    arches: Vec<&'static str>,
    versions: Vec<VersionJson>,
    risks: Vec<RiskJson>,
    files: Vec<String>,
    causes: Vec<CauseJson>,
    lists: Vec<Vec<usize>>,
    clusters: Vec<ClusterJson>,
    states: Vec<StateJson>,
}

#[derive(Debug, Serialize)]
struct StateJson {
    label: String,
    notes: Vec<String>,
    updates: Vec<(u8, usize, usize)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown_origins: Vec<(u8, usize)>,
    channels: Vec<ChannelJson>,
}

/// The data of a page, as text.
pub(crate) fn data(exploration: &Exploration<'_>) -> String {
    let states = &exploration.states;
    let versions = Versions::of(states.iter().map(|state| state.graph));
    let (mut causes, mut lists) = (Causes::default(), Lists::default());
    let updates_of: Vec<_> = states
        .iter()
        .map(|state| {
            let names = RiskNames::of(state.graph);
            let numbers = causes.of_state(state, &names);
            updates(state.graph, &names, &numbers, &versions, (&mut causes, &mut lists))
        })
        .collect();
    let channels_of: Vec<_> =
        states.par_iter().map(|state| channels(state, &exploration.channels, &versions)).collect();
    let states = states.iter().zip(updates_of).zip(channels_of);
    let states = states.map(|((state, updates), channels)| StateJson {
        label: printable(&state.label).into_owned(),
        notes: state.notes.iter().map(|note| printable(note).into_owned()).collect(),
        updates: updates.lists,
        unknown_origins: updates.unknown_origins,
        channels,
    });
    let states = states.collect();
    let (risks, files, causes) = causes.into_lists();
    let document = DocumentJson {
        title: &exploration.title,
        start: exploration.start.address(),
        live: exploration.is_live,
        arches: Arch::names().collect(),
        versions: versions.into_list(),
        clusters: clusters(&risks),
        risks: risks.iter().map(RiskJson::from).collect(),
        files,
        causes,
        lists: lists.into_list(),
        states,
    };
    packed::packed(&serde_json::to_vec(&document).unwrap_or_default())
}
