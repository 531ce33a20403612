//! What changed for clusters between two states of the data, as a list of news.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::domain::version::{self, Version};
use crate::graph_data::{BlockedEdge, Channel, GraphData, ReleaseId};

use super::GraphChange;
use super::risks::{RiskChange, RiskStatus};

/// The news about releases and risks.
#[derive(Debug, Default)]
pub(crate) struct Digest {
    /// The releases that each internal channel got, the last phase first. A release is only in the
    /// last one.
    pub releases: Vec<(String, Vec<String>)>,
    pub risks: Vec<RiskNews>,
    /// The releases that are not promoted any further, each with its channel.
    pub tombstones: Vec<(String, String)>,
}

/// What happened to a risk, or to all blocks without a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RiskNews {
    /// None: blocks.
    pub name: Option<String>,
    pub kind: RiskNewsKind,
    /// The targets, or for a fix the first releases without the bug. Oldest first.
    pub releases: Vec<String>,
}

/// The order is that of the digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RiskNewsKind {
    Declared,
    Extended,
    Fixed,
    /// It is no longer declared for some targets.
    Reduced,
    Removed,
}

impl Digest {
    pub(crate) fn of(before: &GraphData, after: &GraphData, change: &GraphChange<'_>) -> Self {
        let mut risks: Vec<RiskNews> = change.comparison.risks.iter().flat_map(news).collect();
        risks.extend(new_fixes(before, after));
        risks.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        Self { releases: new_releases(before, after), risks, tombstones: tombstones(before, after) }
    }
}

fn news(risk: &RiskChange) -> Vec<RiskNews> {
    let news = |kind, releases: Vec<String>| RiskNews { name: risk.name.clone(), kind, releases };
    let (added, dropped) = (risk.added.clone(), risk.dropped.clone());
    let of_targets = match risk.status {
        RiskStatus::New => [(RiskNewsKind::Declared, added), (RiskNewsKind::Reduced, dropped)],
        RiskStatus::Gone => [(RiskNewsKind::Removed, dropped), (RiskNewsKind::Extended, added)],
        RiskStatus::Changed => [(RiskNewsKind::Extended, added), (RiskNewsKind::Reduced, dropped)],
    };
    of_targets
        .into_iter()
        .filter(|(_, releases)| !releases.is_empty())
        .map(|(kind, releases)| news(kind, releases))
        .collect()
}

/// The fixes that files of risks newly name.
fn new_fixes(before: &GraphData, after: &GraphData) -> Vec<RiskNews> {
    let fixes = |data: &GraphData| -> BTreeMap<String, BTreeSet<Version>> {
        let fixes = |edges: Vec<&BlockedEdge>| {
            let texts = edges.into_iter().filter_map(|edge| edge.fixed_in.as_ref());
            texts.filter_map(|text| version::parse(&text.value)).collect()
        };
        let risks = data.declarations_by_risk();
        risks.map(|(name, edges)| (name.to_owned(), fixes(edges))).collect()
    };
    let known = fixes(before);
    let news = |(name, fixes): (String, BTreeSet<Version>)| {
        let new = match known.get(&name) {
            Some(old) => fixes.difference(old).cloned().collect(),
            None => fixes,
        };
        let releases: Vec<String> = new.iter().map(version::text_of).collect();
        RiskNews { name: Some(name), kind: RiskNewsKind::Fixed, releases }
    };
    fixes(after).into_iter().map(news).filter(|news| !news.releases.is_empty()).collect()
}

/// The releases that internal channels got, each in the last phase that it reached.
fn new_releases(before: &GraphData, after: &GraphData) -> Vec<(String, Vec<String>)> {
    let internal: Vec<&Channel> = after.channels.iter().filter(|one| !one.public).collect();
    let was = |channel: &Channel| {
        let old = before.channels.iter().find(|old| !old.public && old.name() == channel.name());
        old.map_or_else(HashSet::new, |old| {
            old.versions.iter().map(|member| member.text.value.as_str()).collect()
        })
    };
    let mut ranked: Vec<(usize, &Channel)> =
        internal.iter().map(|channel| (phases_before(channel, &internal), *channel)).collect();
    ranked.sort_by_key(|(phases, channel)| (std::cmp::Reverse(*phases), channel.name()));
    let mut seen: BTreeSet<ReleaseId> = BTreeSet::new();
    let mut found = Vec::new();
    for (_, channel) in ranked {
        let old: HashSet<&str> = was(channel);
        let new = channel.versions.iter().filter(|member| !old.contains(&*member.text.value));
        let new: BTreeSet<ReleaseId> = new.filter_map(|member| member.release).collect();
        let own = new.difference(&seen).map(|id| after.releases.get(*id).text.clone());
        found.push((channel.name().to_owned(), own.collect()));
        seen.extend(new);
    }
    found
}

/// How many channels a release passes before it comes to a channel.
fn phases_before(channel: &Channel, internal: &[&Channel]) -> usize {
    let mut phases = 0;
    let mut now = channel;
    while let Some(feeder) = now.feeder.as_ref().and_then(|feeder| feeder.name.as_ref()) {
        let Some(next) = internal.iter().find(|one| one.name() == &*feeder.value) else { break };
        phases += 1;
        // A circle of feeders is a finding of `check`.
        if phases > internal.len() {
            break;
        }
        now = next;
    }
    phases
}

fn tombstones(before: &GraphData, after: &GraphData) -> Vec<(String, String)> {
    let of = |data: &GraphData| -> BTreeSet<(String, String)> {
        let pairs = data.channels.iter().flat_map(|channel| {
            let texts = channel.tombstones.iter().map(|one| one.text.value.to_string());
            texts.map(|text| (channel.name().to_owned(), text))
        });
        pairs.collect()
    };
    let known = of(before);
    of(after).into_iter().filter(|one| !known.contains(one)).collect()
}
