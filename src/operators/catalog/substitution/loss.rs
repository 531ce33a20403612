//! Which installs of a channel lose their path because nobody applied its substitutions.

use super::super::package::{CatalogChannel, Package};
use super::super::simulation::{ChannelMoves, Resolver, TooLarge};
use super::chains::Chains;
use super::effect::{forced, others};

/// The installs of a channel that its substitutions help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    pub channel: String,
    /// Installs that never reach the head.
    pub lost: Vec<String>,
    /// Installs that must go through a bundle that has a rebuild, each with that bundle.
    pub forced: Vec<(String, String)>,
}

impl Loss {
    /// Computes the loss. None if the substitutions would help no install.
    pub(super) fn of(
        package: &Package,
        before: &CatalogChannel,
        after: &CatalogChannel,
        chains: &Chains,
    ) -> Result<Option<Self>, TooLarge> {
        let others = others(package, after, chains);
        let before = ChannelMoves::of(package, before, &others, Resolver::V0)?;
        let after = ChannelMoves::of(package, after, &others, Resolver::V0)?;
        let far = |moves: &ChannelMoves<'_>| -> Vec<String> {
            moves.far_from_head().iter().map(|node| moves.name(*node).to_owned()).collect()
        };
        let forced = |moves: &ChannelMoves<'_>| -> Vec<(String, String)> {
            let forced = forced(moves, chains).into_iter();
            forced.map(|(from, through)| (from.to_owned(), through.to_owned())).collect()
        };
        let (far_after, forced_after) = (far(&after), forced(&after));
        let mut lost = far(&before);
        lost.retain(|name| !far_after.contains(name));
        let mut forced = forced(&before);
        forced.retain(|(from, _)| {
            !forced_after.iter().any(|(still, _)| still == from) && !far_after.contains(from)
        });
        let channel = before.channel.name.clone();
        Ok((!lost.is_empty() || !forced.is_empty()).then_some(Self { channel, lost, forced }))
    }
}
