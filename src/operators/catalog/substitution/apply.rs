//! The entries of a channel after its substitutions.

use crate::domain::{HashMap, HashSet};

use super::super::package::{Bundle, CatalogChannel, Entry, Package};
use super::super::simulation::TooLarge;
use super::chains::{ChainPlace, Chains};
use crate::go::semver::Version;

/// The most checks of ranges, and the most skips of the result. Real channels have some thousands.
const MOST: usize = 4_000_000;

/// Substitutions for the channels of one package.
#[derive(Debug)]
pub struct Substitutions<'c> {
    chains: &'c Chains,
    /// The bundles that have rebuilds, with their versions.
    rebuilt: Vec<(ChainPlace, &'c Version)>,
    /// The rebuilds that get an entry in each channel where their base has one.
    added: HashSet<&'c str>,
}

impl<'c> Substitutions<'c> {
    /// `added` are the rebuilds that a template adds to the channels of their bases.
    pub fn new(
        package: &'c Package,
        chains: &'c Chains,
        added: impl IntoIterator<Item = &'c str>,
    ) -> Self {
        let rebuilt = |bundle: &'c Bundle| {
            let member = chains.place(&bundle.name)?;
            chains.last_rebuild(&bundle.name)?;
            Some((member, &bundle.version.as_ref()?.version))
        };
        let rebuilt = package.bundles.iter().filter_map(rebuilt).collect();
        Self { chains, rebuilt, added: added.into_iter().collect() }
    }

    /// The channel after the substitutions. Applying them again changes nothing.
    pub fn apply(&self, channel: &CatalogChannel) -> Result<CatalogChannel, TooLarge> {
        let entries = self.with_added(channel)?;
        let (name, deprecation) = (channel.name.clone(), channel.deprecation.clone());
        let mut channel = CatalogChannel { name, entries, deprecation };
        let ranges = channel.entries.iter().filter(|entry| entry.skip_range.is_some()).count();
        if ranges.saturating_mul(self.rebuilt.len()) > MOST {
            return Err(TooLarge);
        }
        let mut skips = 0;
        for entry in &mut channel.entries {
            self.apply_to(entry);
            skips += entry.skips.len();
            if skips > MOST {
                return Err(TooLarge);
            }
        }
        Ok(channel)
    }

    /// The entries of the channel and those that templates add, each of which has the edges of its
    /// base.
    fn with_added(&self, channel: &CatalogChannel) -> Result<Vec<Entry>, TooLarge> {
        let (mut entries, mut skips) = (channel.entries.clone(), 0);
        let known: HashMap<&str, &Entry> =
            channel.entries.iter().map(|entry| (entry.name.as_str(), entry)).collect();
        for chain in self.chains.iter().filter(|_| !self.added.is_empty()) {
            let mut base = None;
            for name in chain {
                if let Some(entry) = known.get(name.as_str()) {
                    base = Some(*entry);
                } else if let Some(base) = base.filter(|_| self.added.contains(name.as_str())) {
                    skips += base.skips.len();
                    if skips > MOST {
                        return Err(TooLarge);
                    }
                    entries.push(Entry { name: name.clone(), ..base.clone() });
                }
            }
        }
        Ok(entries)
    }

    /// Adds skips to an entry: all rebuilds of what it skips or of what its range contains, and all
    /// bundles that it is a rebuild of. Replaces its `replaces` by the last rebuild, and skips the
    /// others.
    fn apply_to(&self, entry: &mut Entry) {
        let own = self.chains.place(&entry.name);
        let is_of_other = |member: &ChainPlace| own.is_none_or(|own| own.chain != member.chain);
        let replaced = self.chains.place(&entry.replaces).filter(is_of_other);
        let skipped = entry.skips.iter().filter_map(|name| self.chains.place(name));
        let skipped = skipped.chain(self.in_range(entry)).filter(is_of_other);
        let mut added = Tails::default();
        skipped.for_each(|member| added.add(member.chain, member.at + 1));
        let last = replaced.and_then(|_| self.chains.last_rebuild(&entry.replaces));
        if let (Some(member), Some(last)) = (replaced, last) {
            added.add(member.chain, member.at);
            entry.replaces = last.to_owned();
            entry.skips.retain(|skip| skip != last);
        }
        let bases = own.map(|own| self.chains.members(own.chain).iter().take(own.at));
        let added = added.names(self.chains).chain(bases.into_iter().flatten());
        let known: HashSet<&str> = entry.skips.iter().map(String::as_str).collect();
        // An entry need not skip what it replaces, because OLM never installs a skipped entry.
        let is_new = |name: &&String| **name != entry.replaces && !known.contains(name.as_str());
        let added: Vec<String> = added.filter(is_new).cloned().collect();
        entry.skips.extend(added);
    }

    /// The rebuilt bundles whose versions are in the range of an entry.
    fn in_range(&self, entry: &Entry) -> impl Iterator<Item = ChainPlace> {
        let range = entry.skip_range.clone();
        self.rebuilt.iter().filter_map(move |(member, version)| {
            range.as_ref().is_some_and(|range| range.contains(version)).then_some(*member)
        })
    }
}

/// Members of chains to add: of each chain, all members from some place to the end. The chains are
/// in the order in which they were first added.
#[derive(Debug, Default)]
struct Tails {
    order: Vec<usize>,
    first: HashMap<usize, usize>,
}

impl Tails {
    fn add(&mut self, chain: usize, from: usize) {
        let first = self.first.entry(chain).or_insert_with(|| {
            self.order.push(chain);
            from
        });
        *first = from.min(*first);
    }

    fn names(self, chains: &Chains) -> impl Iterator<Item = &String> {
        let Self { order, first } = self;
        order.into_iter().flat_map(move |chain| {
            let first = first.get(&chain).copied().unwrap_or_default();
            chains.members(chain).iter().skip(first)
        })
    }
}
