//! The packages of a catalog before and after their substitutions.

#![allow(missing_docs, reason = "the names say it")]

use super::super::assemble::packages;
use super::super::declared::Declared;
use super::super::package::{Channel, Package};
use super::apply::Substitutions;
use super::chains::Chains;
use super::request::{Requests, chains};

/// A package with substitutions.
#[derive(Clone, Debug)]
pub struct SubstitutedPackage {
    pub before: Package,
    pub after: Package,
    pub chains: Chains,
    /// The channels that are too large. They stay as they are.
    pub too_large: Vec<String>,
}

impl SubstitutedPackage {
    /// The packages that have substitutions without contradictions.
    #[must_use]
    pub fn of(declared: &Declared, requests: &Requests<'_>) -> Vec<Self> {
        let packages = packages(declared);
        let substituted = requests.packages().filter_map(|(name, requests)| {
            let at = packages.binary_search_by(|package| package.name.as_str().cmp(name)).ok()?;
            let before = packages.get(at)?.clone();
            let chains = chains(requests).ok()?;
            if requests.iter().any(|request| !request.is_known) {
                return None;
            }
            let added = requests.iter().filter(|request| request.is_of_template);
            let added = added.map(|request| request.substitute);
            let substitutions = Substitutions::new(&before, &chains, added);
            let mut too_large = Vec::new();
            let channels: Vec<Channel> = before
                .channels
                .iter()
                .map(|channel| {
                    substitutions.apply(channel).unwrap_or_else(|_| {
                        too_large.push(channel.name.clone());
                        channel.clone()
                    })
                })
                .collect();
            let after = Package { channels, ..before.clone() };
            Some(Self { before, after, chains, too_large })
        });
        substituted.collect()
    }

    /// The channels before and after, by name.
    pub fn channels(&self) -> impl Iterator<Item = (&Channel, &Channel)> {
        let after = &self.after.channels;
        self.before.channels.iter().filter_map(|before| {
            let at = after.binary_search_by(|after| after.name.cmp(&before.name)).ok()?;
            Some((before, after.get(at)?))
        })
    }
}
