//! Lets both operators of OLM work until nothing changes anymore.

use std::collections::BTreeSet;

use crate::catalog::resolver::Pool;

use super::catalog_sync::{ResolverAnswer, SyncOutcome};
use super::csv_sync::Change;
use super::namespace::{Namespace, State};
use super::phase::Phase;

/// Something that OLM does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamespaceChange {
    CsvMoved {
        name: String,
        from: Phase,
        to: Phase,
    },
    CsvDeleted {
        name: String,
    },
    /// `csvs` has each CSV of the plan, and the CSV that it replaces, if any.
    PlanMade {
        name: String,
        csvs: Vec<(String, Option<String>)>,
        is_manual: bool,
    },
    SubscriptionMoved {
        name: String,
        from: State,
        to: State,
    },
    Claimed {
        subscription: String,
        csv: String,
    },
}

/// What OLM did until it stopped.
#[derive(Clone, Debug)]
pub struct Settled {
    pub changes: Vec<NamespaceChange>,
    /// What the catalog operator did the last time it ran.
    pub look: SyncOutcome,
    /// Whether OLM reached a limit before it was done.
    pub hit_limit: bool,
}

/// The most visits to single CSVs. No real namespace needs as many.
const MOST_VISITS: usize = 2_000_000;
/// The most runs of the catalog operator.
const MOST_LOOKS: usize = 100;

impl Namespace {
    pub fn settle(&mut self, pool: &Pool<'_>) -> Settled {
        let mut changes = Vec::new();
        let mut visits = MOST_VISITS;
        let mut dirty: BTreeSet<String> =
            self.csvs.iter().map(|(name, _)| name.to_owned()).collect();
        let mut looks = 0;
        loop {
            self.settle_csvs(&mut dirty, &mut visits, &mut changes);
            let before = (self.subscriptions.clone(), self.made);
            let look = self.look(pool);
            looks += 1;
            self.record(&before.0, &look, &mut changes);
            let is_still = before == (self.subscriptions.clone(), self.made);
            let hit_limit = looks == MOST_LOOKS || visits == 0;
            if is_still || hit_limit {
                return Settled { changes, look, hit_limit: hit_limit && !is_still };
            }
        }
    }

    fn settle_csvs(
        &mut self,
        dirty: &mut BTreeSet<String>,
        visits: &mut usize,
        changes: &mut Vec<NamespaceChange>,
    ) {
        let mut later = BTreeSet::new();
        loop {
            let Some(name) = dirty.pop_first() else {
                if later.is_empty() {
                    return;
                }
                std::mem::swap(dirty, &mut later);
                continue;
            };
            let Some(replaces) = self.csvs.get(&name).map(|csv| csv.replaces.clone()) else {
                continue;
            };
            *visits = visits.saturating_sub(1);
            if *visits == 0 {
                return;
            }
            let Some(change) = self.csvs.visit(&name, self.strategy, &self.name).change else {
                continue;
            };
            match change {
                Change::Moved { from, to } if from == to => {}
                Change::Moved { from, to } => {
                    changes.push(NamespaceChange::CsvMoved { name: name.clone(), from, to });
                }
                Change::Deleted => changes.push(NamespaceChange::CsvDeleted { name: name.clone() }),
            }
            for touched in self.csvs.touched(&name, &replaces) {
                let list = if touched > name { &mut *dirty } else { &mut later };
                list.insert(touched);
            }
        }
    }

    /// Records what a run of the catalog operator changed.
    fn record(
        &self,
        before: &std::collections::BTreeMap<String, super::namespace::Subscription>,
        look: &SyncOutcome,
        changes: &mut Vec<NamespaceChange>,
    ) {
        if let SyncOutcome::Resolved { answer: ResolverAnswer::NewPlan(name), .. } = look
            && let Some(plan) = self.plans.get(name)
        {
            let replaces = |csv: &String| (csv.clone(), plan.replaces.get(csv).cloned());
            let csvs = plan.csvs.iter().map(replaces).collect();
            let is_manual = plan.is_manual;
            changes.push(NamespaceChange::PlanMade { name: name.clone(), csvs, is_manual });
        }
        for (name, sub) in &self.subscriptions {
            let Some(old) = before.get(name) else { continue };
            if old.installed != sub.installed {
                let csv = sub.installed.clone();
                changes.push(NamespaceChange::Claimed { subscription: name.clone(), csv });
            }
            if old.state != sub.state {
                let (from, to) = (old.state, sub.state);
                changes.push(NamespaceChange::SubscriptionMoved { name: name.clone(), from, to });
            }
        }
    }
}
