//! What the script of the page reads.

use rayon::prelude::*;
use serde::Serialize;

use crate::domain::{Arch, Named};
use crate::text::printable;

use super::causes::{CauseJson, Causes, RiskJson};
use super::channels::{ChannelJson, channels};
use super::clusters::{ClusterJson, clusters};
use super::updates::{Lists, UpdatesJson, updates};
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
    let updates_of = states.iter();
    let updates_of = updates_of.map(|one| updates(one, &versions, (&mut causes, &mut lists)));
    let updates_of: Vec<_> = updates_of.collect();
    let channels_of: Vec<_> =
        states.par_iter().map(|state| channels(exploration, state, &versions)).collect();
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
