//! The channels of a certificate, each with what holds for its clusters.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::analysis::{
    ChannelGraph, Digests, Guarantee, LostPath, MemberId, RiskNameId, SimulatedChannel, Simulation,
    lost_paths,
};
use crate::domain::{ArchSet, Arena};

use super::{CertificateRequest, SupportedMinor};

/// A channel, for architectures with the same graph before a change and the same after it.
#[derive(Debug)]
pub(crate) struct CertifiedChannel<'r> {
    pub name: &'r str,
    pub architectures: ArchSet,
    /// The graph, and its digest. None if the channel is gone.
    pub graph: Option<(&'r ChannelGraph, String)>,
    /// None without a graph.
    pub guarantee: Option<Guarantee>,
    /// The graph before the change, and its digest.
    pub base: Option<(&'r ChannelGraph, String)>,
    /// The paths that the change takes.
    pub lost: Vec<LostPath>,
}

impl CertifiedChannel<'_> {
    /// All sets of risks that strand a release.
    pub(crate) fn sets(&self) -> impl Iterator<Item = &Vec<RiskNameId>> {
        let aims = self.guarantee.iter().flat_map(|guarantee| &guarantee.aims);
        aims.flat_map(|aim| &aim.failures).flat_map(|failure| &failure.sets)
    }
}

/// A channel of either state. At least one of both is given.
struct Pair<'r> {
    architectures: ArchSet,
    now: Option<&'r SimulatedChannel>,
    base: Option<&'r SimulatedChannel>,
}

pub(super) fn certified<'r>(
    request: &CertificateRequest<'r>,
    support: &[SupportedMinor],
) -> Vec<CertifiedChannel<'r>> {
    let (simulation, base) = (request.simulation, request.base);
    let releases = support.iter().flat_map(|minor| &minor.releases);
    let supported: BTreeSet<&str> = releases.map(String::as_str).collect();
    let begins = |graph: &ChannelGraph| -> Arena<MemberId, bool> {
        graph.members.iter().map(|member| supported.contains(member.version.as_str())).collect()
    };
    let digests = Digests::of(simulation.graph);
    let digests_before = base.map(|base| Digests::of(base.graph));
    let certify = |pair: &Pair<'r>| {
        let now = pair.now.map(|channel| &channel.graph);
        let before = pair.base.map(|channel| &channel.graph);
        let name = match (pair.now, pair.base, base) {
            (Some(now), ..) => simulation.name(now.channel),
            (None, Some(before), Some(base)) => base.name(before.channel),
            _ => "",
        };
        let guarantee = pair.now.map(|channel| {
            let SimulatedChannel { graph, targets, .. } = channel;
            Guarantee::of(graph, &simulation.names, targets, &begins(graph), &request.goals)
        });
        let lost = before.zip(base).map(|(graph, base)| {
            let begins = begins(graph);
            let origins: Vec<MemberId> = begins.ids().filter(|at| begins[*at]).collect();
            let after = now.map(|now| (now, &simulation.names));
            lost_paths((graph, &base.names), after, &origins)
        });
        CertifiedChannel {
            name,
            architectures: pair.architectures,
            graph: now.map(|graph| (graph, digests.channel(graph))),
            guarantee,
            base: before.zip(digests_before.as_ref()).map(|(graph, of)| (graph, of.channel(graph))),
            lost: lost.unwrap_or_default(),
        }
    };
    pairs(simulation, base).par_iter().map(certify).collect()
}

/// The channels of both states, split so that each is for architectures with the same graphs.
fn pairs<'r>(now: &'r Simulation<'r>, base: Option<&'r Simulation<'r>>) -> Vec<Pair<'r>> {
    let mut pairs = Vec::new();
    let mut left: Vec<(&SimulatedChannel, ArchSet)> = match base {
        Some(base) => base.channels.iter().map(|one| (one, one.architectures)).collect(),
        None => Vec::new(),
    };
    for channel in &now.channels {
        let name = now.name(channel.channel);
        let mut own = channel.architectures;
        for (before, architectures) in &mut left {
            let is_same = base.is_some_and(|base| base.name(before.channel) == name);
            let common: ArchSet = own.iter().filter(|arch| architectures.contains(*arch)).collect();
            if !is_same || common.is_empty() {
                continue;
            }
            let is_other = |arch: &crate::domain::Arch| !common.contains(*arch);
            own = own.iter().filter(is_other).collect();
            *architectures = architectures.iter().filter(is_other).collect();
            pairs.push(Pair { architectures: common, now: Some(channel), base: Some(*before) });
        }
        if !own.is_empty() {
            pairs.push(Pair { architectures: own, now: Some(channel), base: None });
        }
    }
    let gone = left.into_iter().filter(|(_, architectures)| !architectures.is_empty());
    pairs.extend(gone.map(|(before, architectures)| Pair {
        architectures,
        now: None,
        base: Some(before),
    }));
    pairs
}
