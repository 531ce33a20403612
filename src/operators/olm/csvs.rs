//! The CSVs of a namespace, and which of them replaces which.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::package::Bundle;
use crate::domain::{HashMap, HashSet};
use crate::go;

use super::phase::Phase;

/// A CSV (ClusterServiceVersion): one version of an operator on a cluster.
#[derive(Clone, Debug)]
pub struct Csv {
    pub replaces: String,
    pub phase: Phase,
    /// `status.reason`
    pub reason: String,
    pub health: Health,
    /// A copy of a CSV of another namespace. OLM does not move it.
    pub is_copied: bool,
    /// The package in its properties. None if it has no properties.
    pub package: Option<String>,
    /// Whether it has the annotation with properties. If not, OLM guesses the package.
    pub has_properties: bool,
    /// Its name, its version, and its properties.
    pub bundle: Bundle,
}

/// What OLM finds when it looks at what a CSV needs and installs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// Everything is there and works.
    Healthy,
    /// Something that it requires is not there.
    RequirementsMissing,
    /// What it installs is not ready yet.
    Waiting,
    /// It fails again each time OLM retries.
    Fails,
}

/// CSVs by name.
#[derive(Clone, Debug, Default)]
pub struct Csvs {
    by_name: BTreeMap<String, Csv>,
    /// For each name, the CSVs that have it in `spec.replaces`.
    replacers: HashMap<String, BTreeSet<String>>,
    /// A cache: for some CSVs, the last CSV of their chain.
    lasts: HashMap<String, String>,
}

impl Csvs {
    pub fn insert(&mut self, csv: Csv) {
        let name = csv.bundle.name.clone();
        self.remove(&name);
        self.lasts.clear();
        if !csv.replaces.is_empty() {
            self.replacers.entry(csv.replaces.clone()).or_default().insert(name.clone());
        }
        self.by_name.insert(name, csv);
    }

    pub fn remove(&mut self, name: &str) -> bool {
        let Some(csv) = self.by_name.remove(name) else { return false };
        if let Some(replacers) = self.replacers.get_mut(&csv.replaces) {
            replacers.remove(name);
        }
        if self.by_name.contains_key(&csv.replaces) {
            self.lasts.clear();
        }
        self.lasts.remove(name);
        true
    }

    pub fn get(&self, name: &str) -> Option<&Csv> {
        self.by_name.get(name)
    }

    /// The fields of a CSV that can change. `replaces` cannot change, because `replacers` depends
    /// on it.
    pub(super) fn status_mut(&mut self, name: &str) -> Option<Status<'_>> {
        let csv = self.by_name.get_mut(name)?;
        Some(Status { phase: &mut csv.phase, reason: &mut csv.reason, health: &mut csv.health })
    }

    /// In the order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Csv)> {
        self.by_name.iter().map(|(name, csv)| (name.as_str(), csv))
    }

    /// The CSV that a CSV replaces, if it exists.
    pub fn predecessor(&self, csv: &Csv) -> Option<(&str, &Csv)> {
        let found = self.by_name.get_key_value(&csv.replaces)?;
        (csv.replaces != csv.bundle.name).then_some((found.0.as_str(), found.1))
    }

    /// The CSV that replaces another one. If several do, OLM takes any; this takes the first by
    /// name.
    pub fn replacer(&self, name: &str) -> Option<&str> {
        self.all_replacers(name).first().copied()
    }

    /// All CSVs that replace this one. Copied CSVs do not count.
    pub(super) fn all_replacers(&self, name: &str) -> Vec<&str> {
        let replacers = self.replacers.get(name).into_iter().flatten();
        let is_other =
            |other: &&String| *other != name && self.get(other).is_some_and(|csv| !csv.is_copied);
        replacers.filter(is_other).map(String::as_str).collect()
    }

    /// The next CSV of a chain. Unlike in the other functions, copied CSVs count, and so does a CSV
    /// that replaces itself.
    pub(super) fn next_in_chain(&self, name: &str) -> Option<&str> {
        self.replacer(name).or_else(|| self.replacers.get(name)?.iter().next().map(String::as_str))
    }

    /// The last CSV of a chain. If the chain is a circle, returns OLM's error.
    pub(super) fn last_in_chain(
        &mut self,
        name: &str,
        namespace: &str,
    ) -> Result<String, go::Error> {
        let (mut seen, mut last) = (HashSet::default(), name);
        while let Some(next) = self.next_in_chain(last) {
            if !seen.insert(last) {
                return Err(seen_again(namespace, last).into());
            }
            last = self.lasts.get(next).map_or(next, String::as_str);
        }
        let last = last.to_owned();
        let walked: Vec<String> = seen.into_iter().map(str::to_owned).collect();
        self.lasts.extend(walked.into_iter().map(|name| (name, last.clone())));
        Ok(last)
    }

    /// The first CSV of a chain.
    pub(super) fn oldest(&self, name: &str) -> Option<&str> {
        let (mut oldest, mut csv) = self.by_name.get_key_value(name)?;
        let mut seen = HashSet::default();
        while let Some((name, older)) = self.by_name.get_key_value(&csv.replaces) {
            if !seen.insert(name) {
                return None;
            }
            (oldest, csv) = (name, older);
        }
        Some(oldest)
    }

    /// The names that several CSVs replace, each with these CSVs.
    pub fn disputed(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        self.by_name.keys().filter_map(|name| {
            let replacers = self.replacers.get(name).filter(|replacers| replacers.len() > 1)?;
            Some((name.as_str(), replacers.iter().map(String::as_str).collect()))
        })
    }
}

pub(super) fn seen_again(namespace: &str, name: &str) -> String {
    format!("csv {namespace}/{name} has already been seen")
}

/// The fields of a CSV that can change.
pub(super) struct Status<'c> {
    pub(super) phase: &'c mut Phase,
    pub(super) reason: &'c mut String,
    pub(super) health: &'c mut Health,
}
