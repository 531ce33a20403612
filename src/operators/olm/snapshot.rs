//! What OLM tells the resolver about the CSVs in a namespace.

use std::collections::BTreeSet;

use super::csvs::{Csv, seen_again};
use super::namespace::Namespace;
use super::phase::{Phase, Strategy};
use crate::domain::{HashMap, HashSet, Named};
use crate::go;

/// The CSVs, grouped by what OLM tells the resolver about them, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// CSVs that a Subscription has installed: they can be updated.
    pub claimed: Vec<String>,
    /// CSVs that no Subscription has installed: they must stay.
    pub required: Vec<String>,
    /// CSVs that are being replaced, and whose chain ends in a Failed CSV: the resolver does not
    /// see them.
    pub omitted: Vec<String>,
}

impl Namespace {
    /// What OLM tells the resolver. If it cannot, returns OLM's error.
    pub fn snapshot(&self) -> Result<Snapshot, go::Error> {
        let installed: HashSet<&str> =
            self.subscriptions.values().map(|sub| sub.installed.as_str()).collect();
        let omitted = match self.strategy {
            Strategy::Default => BTreeSet::new(),
            Strategy::FailForward => self.omitted()?,
        };
        let mut snapshot = Snapshot::default();
        for (name, _) in self.csvs.iter().filter(|(_, csv)| !csv.is_copied) {
            let list = if omitted.contains(name) {
                &mut snapshot.omitted
            } else if installed.contains(name) {
                &mut snapshot.claimed
            } else {
                &mut snapshot.required
            };
            list.push(name.to_owned());
        }
        Ok(snapshot)
    }

    /// The CSVs in the phase Replacing whose chain ends in a Failed CSV. OLM checks them in any
    /// order, and stops at the first fault; this checks them by name.
    fn omitted(&self) -> Result<BTreeSet<&str>, go::Error> {
        let mut ends_in_failure: HashMap<&str, bool> = HashMap::default();
        let mut omitted = BTreeSet::new();
        for (name, csv) in self.csvs.iter().filter(|(_, csv)| !csv.is_copied) {
            let walked = self.walk(name, &mut ends_in_failure)?;
            let fails = ends_in_failure.get(name).copied().unwrap_or(walked);
            if csv.phase == Phase::Replacing && fails {
                omitted.insert(name);
            }
        }
        Ok(omitted)
    }

    /// Whether the chain of a CSV ends in a Failed CSV. An error if a CSV before the last is not in
    /// the phase Replacing.
    fn walk<'n>(
        &'n self,
        first: &'n str,
        known: &mut HashMap<&'n str, bool>,
    ) -> Result<bool, go::Error> {
        let (mut walked, mut at) = (HashSet::default(), first);
        let is_failure = loop {
            if let Some(&is_failure) = known.get(at) {
                break is_failure;
            }
            let phase = self.csvs.get(at).map_or(Phase::Unknown, |csv: &Csv| csv.phase);
            let Some(next) = self.csvs.next_in_chain(at) else { break phase == Phase::Failed };
            if phase != Phase::Replacing {
                let (namespace, phase) = (&self.name, phase.name());
                return Err(
                    format!("csv {namespace}/{at} in phase {phase} instead of Replacing").into()
                );
            }
            if !walked.insert(at) {
                return Err(seen_again(&self.name, at).into());
            }
            at = next;
        };
        known.extend(walked.into_iter().map(|name| (name, is_failure)));
        Ok(is_failure)
    }
}
