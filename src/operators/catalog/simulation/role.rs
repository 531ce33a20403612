//! What OLM v0 does with each entry of a channel.

use crate::domain::Named;
use crate::moves::NodeId;

use super::ChannelMoves;

/// The roles, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// New installs get this entry.
    Head,
    /// OLM updates installs of other entries to it.
    Target,
    /// Another entry skips it, so OLM updates no install to it.
    Skipped,
    /// The chain of `replaces` from the head does not contain it, or the channel has no order.
    OffChain,
}

impl Named for Role {
    const ALL: &'static [Self] = &[Self::Head, Self::Target, Self::Skipped, Self::OffChain];

    fn name(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Target => "target",
            Self::Skipped => "skipped",
            Self::OffChain => "off-chain",
        }
    }
}

impl ChannelMoves<'_> {
    /// The role of an entry under OLM v0. It is used for other resolvers, too.
    pub fn role(&self, node: NodeId) -> Role {
        let rank = self.order.as_ref().ok().and_then(|ranks| ranks[node]);
        let name = self.name(node);
        let is_skipped =
            || self.channel.entries.iter().any(|entry| entry.skips.iter().any(|skip| skip == name));
        match rank {
            Some(0) => Role::Head,
            Some(_) => Role::Target,
            None if is_skipped() => Role::Skipped,
            None => Role::OffChain,
        }
    }
}
