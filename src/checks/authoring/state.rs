//! Where risks are in each minor version: fixed, on the newest release, or waiting for an answer.

use std::collections::BTreeMap;

use crate::domain::{Minor, Version, is_general};
use crate::graph_data::{BlockedEdge, GraphData, ReleaseId};

use super::{Continuations, LONG_PAST};

/// A risk in one minor version.
#[derive(Debug)]
pub(crate) struct RiskInMinor<'d> {
    pub minor: Minor,
    /// The declarations, sorted by target. There is at least one.
    pub edges: Vec<&'d BlockedEdge>,
    pub state: RiskState,
    /// Whether so many releases wait that nobody will extend the risk to them.
    pub is_long_past: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RiskState {
    /// The first release without the risk.
    Fixed(Version),
    /// The newest release has the risk.
    Open,
    /// These releases need the risk, or a file must say that it is fixed.
    Waits(Vec<ReleaseId>),
    /// Only pre-releases have the risk, and the minor is generally available.
    OnlyPreReleases,
}

/// The named risks of a repository, each with its minors, oldest first.
pub(crate) fn risk_states(data: &GraphData) -> Vec<(&str, Vec<RiskInMinor<'_>>)> {
    let continuations = Continuations::of(data);
    let of_risk = |(name, edges): (_, Vec<_>)| (name, in_minors(data, &continuations, edges));
    data.declarations_by_risk().map(of_risk).collect()
}

/// The minors of one risk.
pub(super) fn waiting<'d>(data: &'d GraphData, name: &str) -> Vec<RiskInMinor<'d>> {
    let continuations = Continuations::of(data);
    let edges = data.declarations_by_risk().find(|(known, _)| *known == name);
    edges.map_or_else(Vec::new, |(_, edges)| in_minors(data, &continuations, edges))
}

fn in_minors<'d>(
    data: &'d GraphData,
    continuations: &Continuations<'d>,
    edges: Vec<&'d BlockedEdge>,
) -> Vec<RiskInMinor<'d>> {
    let mut minors: BTreeMap<Minor, Vec<&BlockedEdge>> = BTreeMap::new();
    for edge in edges {
        if let Some(target) = &edge.target {
            minors.entry(Minor::of(target)).or_default().push(edge);
        }
    }
    let in_minor = |(minor, mut edges): (Minor, Vec<&'d BlockedEdge>)| {
        edges.sort_by_key(|edge| &edge.target);
        let state = state(data, continuations, minor, &edges);
        let is_long_past = match &state {
            RiskState::Waits(releases) => {
                let general = releases.iter().filter(|id| data.releases.get(**id).is_general());
                general.count() > LONG_PAST
            }
            _ => false,
        };
        RiskInMinor { minor, edges, state, is_long_past }
    };
    minors.into_iter().map(in_minor).collect()
}

/// `edges` are those of the minor, sorted by target.
fn state(
    data: &GraphData,
    continuations: &Continuations<'_>,
    minor: Minor,
    edges: &[&BlockedEdge],
) -> RiskState {
    let is_served = |edge: &&&BlockedEdge| {
        edge.release.is_none_or(|release| !continuations.withdrawn.contains(&release))
    };
    let newest = edges.iter().rfind(is_served).or(edges.last());
    let Some((edge, target)) = newest.and_then(|edge| Some((*edge, edge.target.as_ref()?))) else {
        return RiskState::Open;
    };
    let releases = &data.releases;
    let is_later = |id: &ReleaseId| releases.get(*id).version.cmp_precedence(target).is_gt();
    let later: Vec<ReleaseId> = releases.of_minor(minor).filter(is_later).collect();
    let next = later.iter().copied().find(|id| !continuations.withdrawn.contains(id));
    let waits = match next {
        Some(next) if !continuations.is_extended_or_done(edge, next) => {
            continuations.releases_without(edge, next).0
        }
        _ => Vec::new(),
    };
    if !waits.is_empty() {
        return RiskState::Waits(waits);
    }
    if let Some(fixed) = continuations.risks.fix(edge, minor) {
        return RiskState::Fixed(fixed);
    }
    if !is_general(target) && later.iter().any(|id| releases.get(*id).is_general()) {
        return RiskState::OnlyPreReleases;
    }
    RiskState::Open
}
