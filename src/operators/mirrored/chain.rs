//! A channel as oc-mirror's filter sees it: a head, the chain of `replaces`, and what is skipped.

use std::collections::BTreeSet;

use crate::catalog::package::Entry;
use crate::catalog::{CatalogChannel, Package};
use crate::domain::HashMap;
use crate::text::Failure;

use super::range::VersionRange;

pub(super) struct Chain<'c> {
    package: &'c Package,
    entries: HashMap<&'c str, &'c Entry>,
    head: &'c str,
}

impl<'c> Chain<'c> {
    /// The error says why oc-mirror fails.
    pub(super) fn of(package: &'c Package, channel: &'c CatalogChannel) -> Result<Self, Failure> {
        let failure = |what: &str| {
            Failure::new(format!("channel {} of {}: {what}", channel.name, package.name))
        };
        let mut updated: BTreeSet<&str> = BTreeSet::new();
        for entry in &channel.entries {
            updated.extend(entry.skips.iter().map(String::as_str));
            updated.extend([entry.replaces.as_str()].iter().filter(|name| !name.is_empty()));
        }
        let names = channel.entries.iter().map(|entry| entry.name.as_str());
        let mut heads = names.filter(|name| !updated.contains(name));
        let head = heads.next().ok_or_else(|| failure("it has no head"))?;
        if let Some(other) = heads.next() {
            return Err(failure(&format!("it has the heads {head} and {other}")));
        }
        let entries = channel.entries.iter().map(|entry| (entry.name.as_str(), entry)).collect();
        let chain = Self { package, entries, head };
        if chain.names().count() > chain.entries.len() + 1 {
            return Err(failure("it has a circle"));
        }
        Ok(chain)
    }

    pub(super) fn head(&self) -> &'c str {
        self.head
    }

    /// The names on the chain, newest first. The last one can be a name without an entry.
    fn names(&self) -> impl Iterator<Item = &'c str> {
        let next = |name: &&str| {
            let entry = self.entries.get(name)?;
            (!entry.replaces.is_empty()).then_some(entry.replaces.as_str())
        };
        std::iter::successors(Some(self.head), next).take(self.entries.len() + 2)
    }

    fn skips(&self, name: &str) -> &'c [String] {
        self.entries.get(name).map_or(&[], |entry| entry.skips.as_slice())
    }

    fn is_in(&self, name: &str, range: &VersionRange) -> bool {
        let version = self.package.bundle(name).and_then(|bundle| bundle.version.as_ref());
        version.is_some_and(|version| range.holds(&version.version))
    }

    /// The entries that oc-mirror keeps for a range: the shortest part of the chain that has, or
    /// skips, all bundles in the range, and the skipped ones in the range.
    pub(super) fn within(&self, range: &VersionRange) -> BTreeSet<&'c str> {
        let chain: Vec<&str> = self.names().collect();
        // For each place, how many bundles of the range are there or further down.
        let mut counts = vec![0; chain.len()];
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut count = 0;
        for (at, name) in chain.iter().enumerate().rev() {
            let here = [*name].into_iter().chain(self.skips(name).iter().map(String::as_str));
            count += here.filter(|name| self.is_in(name, range) && seen.insert(name)).count();
            counts[at] = count;
        }
        let most = counts.first().copied().unwrap_or(0);
        let first = counts.iter().rposition(|count| *count == most).unwrap_or(0);
        let end = counts.iter().position(|count| *count == 0).unwrap_or(chain.len());
        let mut kept = BTreeSet::new();
        for name in chain.get(first..end).unwrap_or_default() {
            kept.insert(*name);
            let skips = self.skips(name).iter().map(String::as_str);
            kept.extend(skips.filter(|name| self.is_in(name, range)));
        }
        kept
    }
}
