//! The simulation of a whole catalog.

use rayon::prelude::*;

use crate::moves::NodeId;

use super::super::package::{CatalogChannel, Package};
use super::{ChannelMoves, Edits, Published, Resolver, Stuck};

/// Where all installs of a catalog move.
#[derive(Debug)]
pub(crate) struct CatalogSimulation<'c> {
    /// In the order of packages and channels.
    pub channels: Vec<ChannelSimulation<'c>>,
    /// The packages and names of channels that are too large.
    pub too_large: Vec<(&'c str, &'c str)>,
}

/// Where the installs of a channel move, and what unblocks the stuck ones.
#[derive(Debug)]
pub(crate) struct ChannelSimulation<'c> {
    pub moves: ChannelMoves<'c>,
    pub stuck: Vec<Stuck<'c>>,
    pub edits: Edits,
    /// The installs that never reach a head, including the stuck ones.
    pub far: Vec<NodeId>,
    /// Whether only an earlier revision had the channel.
    pub is_gone: bool,
}

/// What to simulate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CatalogRequest<'r> {
    pub resolver: Resolver,
    /// None means all packages.
    pub package: Option<&'r str>,
    /// An empty list means all channels.
    pub channels: &'r [String],
}

impl<'c> CatalogSimulation<'c> {
    /// Simulates the channels of packages. `gone` has, for each package, the channels that it no
    /// longer has, without entries.
    pub(crate) fn of(
        packages: &'c [Package],
        gone: &'c [Vec<CatalogChannel>],
        published: &'c Published,
        request: CatalogRequest<'_>,
    ) -> Self {
        let mut channels: Vec<(&Package, &CatalogChannel, bool)> = Vec::new();
        for (package, gone) in packages.iter().zip(gone) {
            let now = package.channels.iter().map(|channel| (package, channel, false));
            let gone = gone.iter().map(|channel| (package, channel, true));
            let mut all: Vec<_> = now.chain(gone).collect();
            all.sort_by(|a, b| a.1.name.cmp(&b.1.name));
            channels.append(&mut all);
        }
        channels.retain(|(package, channel, _)| {
            request.package.is_none_or(|name| name == package.name)
                && (request.channels.is_empty() || request.channels.contains(&channel.name))
        });
        let simulated: Vec<Result<ChannelSimulation<'c>, (&str, &str)>> = channels
            .into_par_iter()
            .map(|(package, channel, is_gone)| {
                let others = published.gone(package, &channel.name);
                let moves = ChannelMoves::of(package, channel, &others, request.resolver)
                    .map_err(|_| (package.name.as_str(), channel.name.as_str()))?;
                let stuck = moves.stuck();
                let edits = Edits::of(&moves, &stuck);
                let far = moves.far_from_head();
                Ok(ChannelSimulation { moves, stuck, edits, far, is_gone })
            })
            .collect();
        let mut simulation = Self { channels: Vec::new(), too_large: Vec::new() };
        for one in simulated {
            match one {
                Ok(channel) => simulation.channels.push(channel),
                Err(names) => simulation.too_large.push(names),
            }
        }
        simulation
    }

    /// How many installs are stuck.
    pub(crate) fn stuck(&self) -> usize {
        self.channels.iter().map(|channel| channel.stuck.len()).sum()
    }
}

/// The channels that packages no longer have, without entries.
pub(crate) fn gone_channels(
    packages: &[Package],
    published: &Published,
) -> Vec<Vec<CatalogChannel>> {
    let channel =
        |name: &str| CatalogChannel { name: name.to_owned(), ..CatalogChannel::default() };
    packages.iter().map(|package| published.gone_channels(package).map(channel).collect()).collect()
}
