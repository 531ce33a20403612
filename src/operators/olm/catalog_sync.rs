//! The catalog operator's second half: it asks the resolver, and makes InstallPlans.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::resolver::{self, Installed, NoResolution, Pool};

use super::namespace::{Condition, Dependency, Namespace, Plan, State, Subscription};
use super::phase::{PlanPhase, Strategy};
use super::snapshot::Snapshot;

/// The result of one run of the catalog operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncOutcome {
    /// The namespace has no Subscription, so there is nothing to do.
    NoSubscriptions,
    /// The namespace does not have exactly one OperatorGroup. The message is OLM's.
    OperatorGroups(String),
    /// Subscriptions changed, so OLM looks again.
    SubscriptionsChanged,
    /// Every Subscription waits for an InstallPlan, so OLM does not ask the resolver.
    Frozen,
    /// OLM could not ask the resolver. The message is OLM's.
    NoSnapshot(String),
    Resolved {
        told: Snapshot,
        answer: ResolverAnswer,
    },
}

/// What OLM does with the resolver's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolverAnswer {
    /// The answer changes no Subscription. `again` has the chosen CSVs that do not exist yet.
    NothingNew {
        again: Vec<String>,
    },
    NewPlan(String),
    Unsatisfiable {
        message: String,
        reasons: Vec<String>,
    },
    /// The message is OLM's.
    Error(String),
    /// exitpath cannot tell.
    Unknown(String),
}

impl SyncOutcome {
    /// What OLM returns as an error.
    pub fn error(&self) -> Option<&str> {
        match self {
            Self::OperatorGroups(error)
            | Self::NoSnapshot(error)
            | Self::Resolved { answer: ResolverAnswer::Error(error), .. } => Some(error),
            _ => None,
        }
    }
}

/// The most InstallPlans that OLM keeps in a namespace.
const MOST_PLANS: usize = 5;

/// A bundle that the resolver chose.
struct Chosen {
    csv: String,
    replaces: String,
    package: String,
    channel: String,
}

impl Namespace {
    /// Runs the catalog operator once.
    pub fn look(&mut self, pool: &Pool<'_>) -> SyncOutcome {
        self.check_plans();
        self.drop_old_plans();
        if self.subscriptions.is_empty() {
            return SyncOutcome::NoSubscriptions;
        }
        if self.operator_groups != 1 {
            let count = self.operator_groups;
            return SyncOutcome::OperatorGroups(format!(
                "found {count} operatorGroups, expected 1"
            ));
        }
        if self.check_csvs() {
            return SyncOutcome::SubscriptionsChanged;
        }
        let is_waiting =
            |sub: &Subscription| sub.plan.is_some() && sub.state == State::UpgradePending;
        if self.subscriptions.values().all(is_waiting) {
            return SyncOutcome::Frozen;
        }
        match self.snapshot() {
            Ok(told) => {
                let answer = self.resolve(pool, &told);
                SyncOutcome::Resolved { told, answer }
            }
            Err(why) => {
                let error = format!("error using catalogsource {}/@existing: {why}", self.name);
                self.fail("ErrorPreventedResolution", &error);
                SyncOutcome::NoSnapshot(error)
            }
        }
    }

    /// Links Subscriptions to the InstallPlan that made them, and updates their state: whether
    /// their current CSV exists. Returns whether anything changed.
    fn check_csvs(&mut self) -> bool {
        let is_forward = self.strategy == Strategy::FailForward;
        let mut is_changed = false;
        for sub in self.subscriptions.values_mut() {
            let is_failed = |name: &String| {
                let plan = self.plans.get(name);
                is_forward && plan.is_some_and(|plan| plan.phase == PlanPhase::Failed)
            };
            let pending = |is_failed| {
                if is_failed { State::UpgradeFailed } else { State::UpgradePending }
            };
            if let (None, Some(maker)) = (&sub.plan, &sub.made_by)
                && self.plans.contains_key(maker)
            {
                sub.state = pending(is_failed(maker));
                sub.plan = Some(maker.clone());
                sub.current.clone_from(&sub.starting);
                is_changed = true;
            }
            if sub.current.is_empty() {
                continue;
            }
            let exists = self.csvs.get(&sub.current).is_some();
            let state = if exists {
                State::AtLatestKnown
            } else {
                pending(sub.plan.as_ref().is_some_and(is_failed))
            };
            if state != sub.state {
                sub.state = state;
                if exists {
                    sub.installed.clone_from(&sub.current);
                }
                is_changed = true;
            }
        }
        is_changed
    }

    fn resolve(&mut self, pool: &Pool<'_>, told: &Snapshot) -> ResolverAnswer {
        let chosen = match self.ask(pool, told) {
            Ok(chosen) => chosen,
            Err(failure) => return self.fail_resolution(&failure),
        };
        let again = self.chosen_again(&chosen);
        let new: Vec<Chosen> = chosen.into_iter().filter(|one| !self.is_up_to_date(one)).collect();
        let mut updated = BTreeSet::new();
        for one in &new {
            for name in self.subscriptions_for(one) {
                let Some(sub) = self.subscriptions.get_mut(&name) else { continue };
                if sub.current != one.csv {
                    sub.current.clone_from(&one.csv);
                    updated.insert(name);
                }
            }
        }
        for sub in self.subscriptions.values_mut() {
            sub.failure = None;
        }
        if updated.is_empty() {
            return ResolverAnswer::NothingNew { again };
        }
        ResolverAnswer::NewPlan(self.make_plan(&new, &updated))
    }

    /// Asks the resolver which bundles to install, updates and dependencies included.
    fn ask(&self, pool: &Pool<'_>, told: &Snapshot) -> Result<Vec<Chosen>, NoResolution> {
        let subscriptions =
            self.subscriptions.iter().map(|(name, sub)| resolver::ResolverSubscription {
                name,
                package: &sub.package,
                channel: &sub.channel,
                starting: &sub.starting,
                installed: &sub.installed,
            });
        let told: BTreeSet<&String> = told.claimed.iter().chain(&told.required).collect();
        let inferred = self.inferred_packages();
        let installed = told.into_iter().filter_map(|name| {
            let csv = self.csvs.get(name)?;
            let package = if csv.has_properties {
                csv.package.as_deref()
            } else {
                inferred.get(name.as_str()).copied().flatten()
            };
            Some(Installed { package, bundle: &csv.bundle })
        });
        let resolution = pool.resolve(&resolver::ResolverNamespace {
            name: &self.name,
            subscriptions: subscriptions.collect(),
            installed: installed.collect(),
        })?;
        let mut chosen: Vec<Chosen> = Vec::new();
        for install in resolution.next.into_iter().flatten().chain(resolution.dependencies) {
            chosen.push(Chosen {
                csv: install.name.to_owned(),
                replaces: install.replaces.to_owned(),
                package: install.package.to_owned(),
                channel: install.channel.to_owned(),
            });
        }
        Ok(chosen)
    }

    /// For each installed CSV, the package of the Subscriptions that have it installed. None if
    /// they name different packages. If a CSV has no properties, OLM takes its package from here.
    fn inferred_packages(&self) -> BTreeMap<&str, Option<&str>> {
        let mut packages: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for sub in self.subscriptions.values().filter(|sub| !sub.package.is_empty()) {
            let package = sub.package.as_str();
            packages
                .entry(&sub.installed)
                .and_modify(|known| *known = known.filter(|known| *known == package))
                .or_insert(Some(package));
        }
        packages
    }

    fn chosen_again(&self, chosen: &[Chosen]) -> Vec<String> {
        let names = chosen.iter().map(|one| one.csv.clone());
        names.filter(|name| self.csvs.get(name).is_none()).collect()
    }

    fn subscriptions_for(&self, chosen: &Chosen) -> Vec<String> {
        let subscriptions = self.subscriptions.iter().filter(|(_, sub)| {
            let is_channel = sub.channel.is_empty() || sub.channel == chosen.channel;
            sub.package == chosen.package && is_channel
        });
        subscriptions.map(|(name, _)| name.clone()).collect()
    }

    /// Whether the chosen CSV exists, and is the current CSV of all its Subscriptions.
    fn is_up_to_date(&self, chosen: &Chosen) -> bool {
        let names = self.subscriptions_for(chosen);
        let mut found = names.iter().filter_map(|name| self.subscriptions.get(name));
        let exists = self.csvs.get(&chosen.csv).is_some();
        !names.is_empty() && exists && found.all(|sub| sub.current == chosen.csv)
    }

    fn make_plan(&mut self, new: &[Chosen], updated: &BTreeSet<String>) -> String {
        let subscribed = self.subscriptions.values().map(|sub| sub.generation);
        let planned = self.plans.values().map(|plan| plan.generation);
        let generation = subscribed.chain(planned).max().unwrap_or(0) + 1;
        let is_manual = self.subscriptions.values().any(|sub| sub.is_manual);
        let dependencies = new.iter().filter(|one| self.subscriptions_for(one).is_empty());
        let dependencies = dependencies.map(|one| Dependency {
            package: one.package.clone(),
            channel: one.channel.clone(),
            csv: one.csv.clone(),
        });
        let replacing = new.iter().filter(|one| !one.replaces.is_empty());
        let plan = Plan {
            phase: if is_manual { PlanPhase::RequiresApproval } else { PlanPhase::Installing },
            is_manual,
            generation,
            csvs: new.iter().map(|one| one.csv.clone()).collect(),
            replaces: replacing.map(|one| (one.csv.clone(), one.replaces.clone())).collect(),
            dependencies: dependencies.collect(),
            failure: None,
            message: String::new(),
        };
        let name = self.new_name();
        self.plans.insert(name.clone(), plan);
        for sub in updated {
            if let Some(sub) = self.subscriptions.get_mut(sub) {
                sub.plan = Some(name.clone());
                sub.state = State::UpgradePending;
                sub.generation = generation;
            }
        }
        name
    }

    /// Makes a predictable name. A cluster gives InstallPlans random names.
    fn new_name(&mut self) -> String {
        loop {
            self.made += 1;
            let name = format!("new-{}", self.made);
            if !self.plans.contains_key(&name) {
                return name;
            }
        }
    }

    fn fail_resolution(&mut self, failure: &NoResolution) -> ResolverAnswer {
        let message = failure.to_string();
        match failure {
            NoResolution::Unsatisfiable(reasons) => {
                self.fail("ConstraintsNotSatisfiable", &message);
                ResolverAnswer::Unsatisfiable { message, reasons: reasons.clone() }
            }
            NoResolution::Faults(_) => {
                self.fail("ErrorPreventedResolution", &message);
                ResolverAnswer::Error(message)
            }
            NoResolution::OnlyOlmCanTell { .. } | NoResolution::TooManyChoices => {
                ResolverAnswer::Unknown(message)
            }
        }
    }

    fn fail(&mut self, reason: &str, message: &str) {
        for sub in self.subscriptions.values_mut() {
            let (reason, message) = (reason.to_owned(), message.to_owned());
            sub.failure = Some(Condition { reason, message });
        }
    }

    /// Deletes the oldest InstallPlans.
    fn drop_old_plans(&mut self) {
        let extra = self.plans.len().saturating_sub(MOST_PLANS);
        if extra == 0 {
            return;
        }
        let mut plans: Vec<(u64, String)> =
            self.plans.iter().map(|(name, plan)| (plan.generation, name.clone())).collect();
        plans.sort();
        for (_, name) in plans.into_iter().take(extra) {
            self.plans.remove(&name);
        }
    }
}
