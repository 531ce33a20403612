//! Which entries of a channel a later entry rescues, if they fail on clusters.
//!
//! With fail forward, OLM moves on from a failed InstallPlan once the installed entry has another
//! target. It moves on from a Failed CSV once that CSV has a target itself. So an entry that
//! rescues clusters in both cases needs edges from the installed and from the failed entry.

use crate::catalog::Package;
use crate::catalog::package::CatalogChannel;
use crate::catalog::simulation::{ChannelMoves, Resolver, TooLarge};
use crate::domain::Arena;
use crate::moves::NodeId;

/// The entries of a channel that installs are updated to.
#[derive(Clone, Debug)]
pub struct ChannelAudit<'c> {
    pub package: &'c str,
    pub channel: &'c str,
    /// None if the channel has no head, or if OLM cannot tell which entry it is.
    pub head: Option<&'c str>,
    /// The entries except the head, in the order of the channel.
    pub entries: Vec<Rescued<'c>>,
    /// The entries with an update to the head. If the head fails, a new entry rescues clusters only
    /// if it updates these and the head.
    pub to_head: Vec<&'c str>,
}

/// An entry that may fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescued<'c> {
    pub entry: &'c str,
    /// Whether OLM still updates to it: nothing skips it.
    pub is_offered: bool,
    /// The installs that have no other update if the InstallPlan of this entry fails. If OLM still
    /// updates to this entry, it retries forever.
    pub stays: Vec<&'c str>,
    /// The entries that OLM updates to instead if the InstallPlan of this entry fails.
    pub instead: Vec<&'c str>,
    /// The entry that OLM updates to if the CSV of this entry fails.
    pub next: Option<&'c str>,
}

impl<'c> ChannelAudit<'c> {
    pub fn of(package: &'c Package, channel: &'c CatalogChannel) -> Result<Self, TooLarge> {
        let moves = ChannelMoves::of(package, channel, &[], Resolver::V0)?;
        let head = moves.heads.first().copied();
        let mut origins: Arena<NodeId, Vec<NodeId>> =
            Arena::filled(moves.installs.len(), Vec::new());
        for edge in moves.edges.iter().filter(|edge| edge.from != edge.to) {
            origins[edge.to].push(edge.from);
        }
        let mut entries = Vec::new();
        for (node, install) in moves.installs.entries() {
            if install.is_entry && Some(node) != head && !origins[node].is_empty() {
                entries.push(Rescued::of(&moves, node, &origins[node]));
            }
        }
        let name = |node: NodeId| moves.name(node);
        let to_head = head.map(|head| origins[head].iter().copied().map(name).collect());
        Ok(Self {
            package: &package.name,
            channel: &channel.name,
            head: head.map(name),
            entries,
            to_head: to_head.unwrap_or_default(),
        })
    }
}

impl<'c> Rescued<'c> {
    fn of(moves: &ChannelMoves<'c>, node: NodeId, origins: &[NodeId]) -> Self {
        let (mut stays, mut instead) = (Vec::new(), Vec::new());
        for &origin in origins {
            match moves.moves.next(origin) {
                [next] if *next != node => instead.push(moves.name(*next)),
                _ => stays.push(moves.name(origin)),
            }
        }
        instead.sort_unstable();
        instead.dedup();
        let next = match moves.moves.next(node) {
            [next] if *next != node => Some(moves.name(*next)),
            _ => None,
        };
        let is_offered = moves.order.as_ref().is_ok_and(|order| order[node].is_some());
        Self { entry: moves.name(node), is_offered, stays, instead, next }
    }

    pub fn is_safe(&self) -> bool {
        self.stays.is_empty() && self.next.is_some()
    }
}
