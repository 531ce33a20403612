//! The packages of a catalog before and after their substitutions.

use super::super::assemble::packages;
use super::super::declared::Declared;
use super::super::package::{CatalogChannel, Package};
use super::apply::Substitutions;
use super::chains::Chains;
use super::loss::Loss;
use super::request::{Requests, chains};

/// A package before and after its substitutions.
#[derive(Clone, Debug)]
pub struct SubstitutedPackage {
    pub before: Package,
    pub after: Package,
    pub chains: Chains,
    /// The channels that are too large. They are not changed.
    pub too_large: Vec<String>,
    /// The channels that the substitutions help. The others are not changed.
    pub losses: Vec<Loss>,
}

impl SubstitutedPackage {
    /// The packages that have substitutions without contradictions.
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
            let of_package = before.clone();
            let substitutions = Substitutions::new(&of_package, &chains, added);
            let mut package = Self {
                after: before.clone(),
                before,
                chains: chains.clone(),
                too_large: Vec::new(),
                losses: Vec::new(),
            };
            package.apply(&substitutions);
            Some(package)
        });
        substituted.collect()
    }

    /// Applies the substitutions to channels where they help installs, and where a template adds a
    /// rebuild.
    fn apply(&mut self, substitutions: &Substitutions<'_>) {
        for (before, after) in self.before.channels.iter().zip(&mut self.after.channels) {
            let applied = substitutions.apply(before).and_then(|applied| {
                let loss = Loss::of(&self.before, before, &applied, &self.chains)?;
                Ok((applied, loss))
            });
            match applied {
                Ok((applied, loss)) => {
                    let is_longer = applied.entries.len() > before.entries.len();
                    if loss.is_some() || is_longer {
                        *after = applied;
                    }
                    self.losses.extend(loss);
                }
                Err(_) => self.too_large.push(before.name.clone()),
            }
        }
    }

    /// The channels before and after, in pairs.
    pub fn channels(&self) -> impl Iterator<Item = (&CatalogChannel, &CatalogChannel)> {
        let after = &self.after.channels;
        self.before.channels.iter().filter_map(|before| {
            let at = after.binary_search_by(|after| after.name.cmp(&before.name)).ok()?;
            Some((before, after.get(at)?))
        })
    }
}
