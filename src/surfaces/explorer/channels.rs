//! The channels of a state.

use serde::Serialize;

use crate::channel_list::Description;
use crate::domain::{Arch, ChannelName, Named, channel_name};
use crate::graph::{ChannelId, Release, ServedByChannel, UpdateGraph};
use crate::graph_data::Channel;
use crate::text::printable;

use super::by_arch::ByArch;
use super::updates::UpdatesJson;
use super::versions::Versions;
use super::{Exploration, ExploredGraph, ExploredState};

#[derive(Debug, Default, Serialize)]
pub(super) struct ChannelJson {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Whether the purpose is derived from the name, because the repository has no text.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_default_text: bool,
    /// Whether clusters should use it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub advised: bool,
    /// The minor that its clusters should reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minor: Option<String>,
    /// The releases of some architectures, as bits.
    pub members: Vec<(u8, Vec<usize>)>,
    /// The releases that are supported.
    pub checked: Vec<usize>,
    /// For each release of any architecture, the day since 1970 on which it joined, less the day of
    /// the one before. Empty if the history does not tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<i64>,
    /// The installs of a catalog that are up to date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heads: Option<Vec<usize>>,
    /// Its own updates, if those of the state are not the same in all channels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub updates: Vec<UpdatesJson>,
}

/// In seconds.
const DAY: i64 = 24 * 60 * 60;

pub(super) fn channels(
    exploration: &Exploration<'_>,
    state: &ExploredState<'_>,
    explored: ExploredGraph<'_>,
    versions: &Versions,
) -> Vec<ChannelJson> {
    let graph = explored.graph;
    let by_arch: Vec<ServedByChannel<'_>> =
        Arch::ALL.iter().map(|arch| ServedByChannel::of(graph, *arch)).collect();
    let shown = graph.channels.ids().filter(|id| exploration.shows(explored, *id));
    let channels = shown.map(|id| channel(state, graph, id, &by_arch, versions));
    channels.filter(|channel| !channel.members.is_empty()).collect()
}

fn channel(
    state: &ExploredState<'_>,
    graph: &UpdateGraph,
    id: ChannelId,
    by_arch: &[ServedByChannel<'_>],
    versions: &Versions,
) -> ChannelJson {
    let name = &graph.channels[id];
    let about = state.channels.description(name);
    let mut members: ByArch<Vec<usize>> = ByArch::default();
    let mut all: Vec<usize> = Vec::new();
    let mut checked: Vec<usize> = Vec::new();
    for (arch, served) in Arch::ALL.iter().copied().zip(by_arch) {
        let releases = served.members(id).iter().map(|node| graph.release(*node));
        let number = |release| versions.number(release, arch);
        let list: Vec<usize> = releases.clone().filter_map(number).collect();
        if list.is_empty() {
            continue;
        }
        let is_checked = |release: &&Release| state.supported.holds(name, &release.version);
        checked.extend(releases.filter(is_checked).filter_map(number));
        all.extend(&list);
        members.add(arch, list);
    }
    ChannelJson {
        name: printable(name).into_owned(),
        purpose: about.map(Description::line),
        has_default_text: about.is_some_and(|about| about.is_default),
        advised: channel_name::is_advised(name),
        minor: ChannelName::parse(name).map(|name| name.minor.to_string()),
        members: members.into_bits().map(|(arches, list)| (arches, runs(list))).collect(),
        checked: runs(checked),
        joined: joined(state, name, all, versions),
        heads: None,
        updates: Vec::new(),
    }
}

fn joined(
    state: &ExploredState<'_>,
    channel: &str,
    mut members: Vec<usize>,
    versions: &Versions,
) -> Vec<i64> {
    members.sort_unstable();
    members.dedup();
    let Some(file) = file(state, channel) else { return Vec::new() };
    let mut before = 0;
    let mut days = Vec::with_capacity(members.len());
    for member in members {
        let Some((time, _)) = state.ages.joined(file, versions.text(member)) else {
            days.push(-before);
            before = 0;
            continue;
        };
        let day = time.div_euclid(DAY);
        days.push(day - before);
        before = day;
    }
    if days.iter().all(|day| *day == 0) { Vec::new() } else { days }
}

/// The path of a channel's file.
fn file<'e>(state: &ExploredState<'e>, channel: &str) -> Option<&'e str> {
    let data = state.data?;
    let is_it = |one: &&Channel| one.name.as_ref().is_some_and(|name| &*name.value == channel);
    Some(data.path(data.channels.iter().find(is_it)?.file))
}

/// Numbers as runs: how many are omitted, and how many follow.
pub(super) fn runs(mut numbers: Vec<usize>) -> Vec<usize> {
    numbers.sort_unstable();
    numbers.dedup();
    let mut after = 0;
    let mut runs = Vec::new();
    for run in numbers.chunk_by(|a, b| a + 1 == *b) {
        runs.extend([run[0] - after, run.len()]);
        after = run[0] + run.len();
    }
    runs
}
