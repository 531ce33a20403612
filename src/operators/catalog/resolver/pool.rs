//! A catalog, indexed so that many questions about it are fast.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::order::{OrderError, order, order_of};
use crate::catalog::package::{Bundle, CatalogChannel, Entry, Gvk, Package};
use crate::domain::{Arena, HashMap, ids};

ids! {
    /// An entry of a channel, with its bundle.
    OfferId;
    /// A channel of a package.
    StreamId;
}

/// The catalog as OLM v0 sees it.
pub struct Pool<'a> {
    /// `name/namespace` of the catalog, as it is in messages.
    pub(super) name: &'a str,
    pub(super) offers: Arena<OfferId, Candidate<'a>>,
    /// In OLM's order of preference: default channels first, then by name.
    pub(super) streams: Arena<StreamId, Stream<'a>>,
    stream_of: HashMap<OfferId, StreamId>,
    packages: BTreeMap<&'a str, Vec<StreamId>>,
    providers: HashMap<&'a Gvk, Vec<OfferId>>,
}

/// A channel and what it offers.
pub(super) struct Stream<'a> {
    pub(super) package: &'a Package,
    pub(super) channel: &'a CatalogChannel,
    pub(super) by_name: BTreeMap<&'a str, OfferId>,
    /// The preferred offers first.
    pub(super) order: Result<Vec<OfferId>, OrderError>,
    /// For each name in `replaces` or `skips`, the positions in `order` of the entries that have it
    /// there.
    by_origin: HashMap<&'a str, BTreeSet<usize>>,
    /// The positions in `order` of the entries with a `skipRange`.
    with_range: Vec<usize>,
}

/// A bundle that can be in the namespace: an offer of the catalog, or one that is installed.
pub(super) struct Candidate<'a> {
    /// None if no property names it.
    pub(super) package: Option<&'a str>,
    /// Where the catalog has it. None if it is installed.
    pub(super) offered: Option<OfferedEntry<'a>>,
    pub(super) bundle: &'a Bundle,
    /// Whether it is installed without a subscription, and must stay.
    pub(super) is_bound: bool,
}

/// An entry of a channel that can be installed.
#[derive(Clone, Copy)]
pub(super) struct OfferedEntry<'a> {
    pub(super) channel: &'a str,
    pub(super) entry: &'a Entry,
}

impl<'a> Candidate<'a> {
    pub(super) fn installed(
        package: Option<&'a str>,
        bundle: &'a Bundle,
        is_claimed: bool,
    ) -> Self {
        Self { package, offered: None, bundle, is_bound: !is_claimed }
    }
}

impl<'a> Pool<'a> {
    /// `name` is the catalog's `name/namespace`, which is part of OLM's messages.
    pub fn new(name: &'a str, packages: &'a [Package]) -> Self {
        let mut pool = Self {
            name,
            offers: Arena::default(),
            streams: Arena::default(),
            stream_of: HashMap::default(),
            packages: BTreeMap::new(),
            providers: HashMap::default(),
        };
        let mut channels: Vec<_> = packages.iter().flat_map(channels_of).collect();
        channels.sort_by_key(|(package, channel)| {
            (Reverse(is_default(package, channel)), &package.name, &channel.name)
        });
        for (package, channel) in channels {
            pool.add(package, channel);
        }
        pool
    }

    /// `name/namespace` of the catalog.
    pub fn name(&self) -> &'a str {
        self.name
    }

    fn add(&mut self, package: &'a Package, channel: &'a CatalogChannel) {
        let mut by_name = BTreeMap::new();
        for entry in &channel.entries {
            let Some(bundle) = package.bundle(&entry.name) else { continue };
            let offer = self.offers.push(Candidate {
                package: Some(&package.name),
                offered: Some(OfferedEntry { channel: &channel.name, entry }),
                bundle,
                is_bound: false,
            });
            by_name.insert(entry.name.as_str(), offer);
            for gvk in &bundle.provides {
                self.providers.entry(gvk).or_default().push(offer);
            }
        }
        if by_name.is_empty() {
            return;
        }
        let offers: Vec<_> = by_name.values().copied().collect();
        let stream = self.streams.push(Stream::new(package, channel, by_name));
        self.stream_of.extend(offers.into_iter().map(|offer| (offer, stream)));
        self.packages.entry(&package.name).or_default().push(stream);
    }

    /// The channels of a package that a subscription asks for.
    pub(super) fn streams_of(&self, package: &str, channel: &str) -> Vec<StreamId> {
        let streams = self.packages.get(package).map_or(&[][..], Vec::as_slice);
        let asked = |stream: &&StreamId| {
            channel.is_empty() || self.streams[**stream].channel.name == channel
        };
        streams.iter().filter(asked).copied().collect()
    }

    pub(super) fn has_package(&self, package: &str) -> bool {
        self.packages.contains_key(package)
    }

    pub(super) fn providers(&self, gvk: &Gvk) -> &[OfferId] {
        self.providers.get(gvk).map_or(&[], Vec::as_slice)
    }

    pub(super) fn stream_of(&self, offer: OfferId) -> Option<StreamId> {
        self.stream_of.get(&offer).copied()
    }
}

impl<'a> Stream<'a> {
    fn new(
        package: &'a Package,
        channel: &'a CatalogChannel,
        by_name: BTreeMap<&'a str, OfferId>,
    ) -> Self {
        let mut by_origin: HashMap<_, BTreeSet<_>> = HashMap::default();
        let mut with_range = Vec::new();
        let order = order(package, channel).map(|order| {
            for (at, entry) in order.iter().enumerate() {
                for origin in entry.skips.iter().chain([&entry.replaces]) {
                    by_origin.entry(origin.as_str()).or_default().insert(at);
                }
                if entry.skip_range.is_some() {
                    with_range.push(at);
                }
            }
            order.iter().filter_map(|entry| by_name.get(entry.name.as_str()).copied()).collect()
        });
        Self { package, channel, by_name, order, by_origin, with_range }
    }

    /// The offers that an installed bundle can move to, the preferred ones first.
    pub(super) fn successors(
        &self,
        pool: &Pool<'a>,
        installed: &Bundle,
    ) -> Result<Vec<OfferId>, OrderError> {
        let order = self.order.as_ref().map_err(Clone::clone)?;
        let mut at = self.by_origin.get(installed.name.as_str()).cloned().unwrap_or_default();
        let version =
            installed.version.as_ref().map(|version| version.version.clone()).unwrap_or_default();
        at.extend(self.with_range.iter().copied().filter(|&at| {
            let offered = order.get(at).and_then(|&offer| pool.offers[offer].offered);
            let range = offered.and_then(|offered| offered.entry.skip_range.as_ref());
            range.is_some_and(|range| range.contains(&version))
        }));
        Ok(at.into_iter().filter_map(|at| order.get(at).copied()).collect())
    }
}

impl Stream<'_> {
    /// The offers for a first install with `startingCSV`. OLM orders only this entry.
    pub(super) fn starting(&self, pool: &Pool, name: &str) -> Result<Vec<OfferId>, OrderError> {
        let Some(&offer) = self.by_name.get(name) else { return Ok(Vec::new()) };
        let offered = pool.offers[offer].offered.iter();
        let entries: Vec<_> = offered.map(|offered| offered.entry).collect();
        order_of(&self.package.name, &self.channel.name, &entries)?;
        Ok(vec![offer])
    }
}

fn channels_of(package: &Package) -> impl Iterator<Item = (&Package, &CatalogChannel)> {
    package.channels.iter().map(move |channel| (package, channel))
}

fn is_default(package: &Package, channel: &CatalogChannel) -> bool {
    package.default_channel == channel.name
}
