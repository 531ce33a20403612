//! Which installs are stuck: they never move again, although they are not at the head.

use crate::domain::HashMap;
use crate::moves::NodeId;

use super::super::package::CatalogChannel;
use super::super::resolver::OrderError;
use super::{ChannelMoves, Resolver};

/// An install that never moves again.
#[derive(Clone, Debug)]
pub struct Stuck<'c> {
    pub install: NodeId,
    pub why: Why<'c>,
}

/// Why an install does not move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why<'c> {
    /// No entry replaces or skips the install, and no range contains it.
    NoEdge,
    /// All entries with an edge from the install are skipped. `target` is the first of them, and
    /// `by` skips it.
    Skipped { target: &'c str, by: Vec<&'c str> },
    /// The entries with an edge from the install are not on the chain of the head. `target` is the
    /// first of them.
    OffChain { target: &'c str },
    /// The channel has no order, so OLM v0 moves nothing.
    NoOrder(OrderError),
    /// OLM v1 prefers the installed version to all targets. `target` is the highest of them.
    Lower { target: &'c str },
}

impl Why<'_> {
    /// The reason as one word, for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::NoEdge => "no-edge",
            Self::Skipped { .. } => "skipped",
            Self::OffChain { .. } => "off-chain",
            Self::NoOrder(_) => "no-order",
            Self::Lower { .. } => "lower",
        }
    }

    /// The entry that explains why the install is stuck: the first one that skips the target or,
    /// for other reasons, the target. None if the install has no target, or the channel no order.
    pub fn by(&self) -> Option<&str> {
        match self {
            Self::Skipped { by, .. } => by.first().copied(),
            Self::OffChain { target } | Self::Lower { target } => Some(target),
            Self::NoEdge | Self::NoOrder(_) => None,
        }
    }
}

impl<'c> ChannelMoves<'c> {
    /// The installs that never move again, in the order of the channel.
    pub fn stuck(&self) -> Vec<Stuck<'c>> {
        let skippers = skippers(self.channel);
        let is_stuck =
            |node: &NodeId| self.moves.next(*node).is_empty() && !self.heads.contains(node);
        let stuck = self.installs.ids().filter(is_stuck);
        let mut targets: HashMap<NodeId, Vec<NodeId>> = HashMap::default();
        for edge in self.edges.iter().filter(|edge| edge.from != edge.to) {
            targets.entry(edge.from).or_default().push(edge.to);
        }
        let none = Vec::new();
        stuck
            .map(|install| {
                let targets = targets.get(&install).unwrap_or(&none);
                Stuck { install, why: self.why(targets, &skippers) }
            })
            .collect()
    }

    fn why(&self, targets: &[NodeId], skippers: &HashMap<&'c str, Vec<&'c str>>) -> Why<'c> {
        if let (Err(error), Resolver::V0) = (&self.order, self.resolver) {
            return Why::NoOrder(error.clone());
        }
        let Some(first) = targets.first() else { return Why::NoEdge };
        let target = self.name(*first);
        if self.resolver == Resolver::V1 {
            return Why::Lower { target };
        }
        let skipped = targets.iter().find_map(|target| {
            let target = self.name(*target);
            skippers.get(target).map(|by| Why::Skipped { target, by: by.clone() })
        });
        skipped.unwrap_or(Why::OffChain { target })
    }
}

/// For each skipped name, the entries that skip it.
fn skippers(channel: &CatalogChannel) -> HashMap<&str, Vec<&str>> {
    let mut skippers: HashMap<&str, Vec<&str>> = HashMap::default();
    for entry in &channel.entries {
        for skip in &entry.skips {
            skippers.entry(skip).or_default().push(&entry.name);
        }
    }
    skippers
}
