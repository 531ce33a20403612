//! A script of events in a namespace: what OLM does after each of them.

use std::collections::BTreeSet;

use crate::catalog::Package;
use crate::catalog::resolver::Pool;
use crate::domain::HashMap;
use crate::text::Failure;

use super::advice::{Advice, NoVerdict};
use super::catalog_sync::SyncOutcome;
use super::csvs::Health;
use super::event::{CsvEvent, Event, PlanEvent};
use super::namespace::{Namespace, Plan, Subscription};
use super::phase::{Phase, PlanPhase, Strategy};
use super::settle::{NamespaceChange, Settled};

/// The steps of a script that was played.
#[derive(Clone, Debug)]
pub struct Run {
    pub strategy: Strategy,
    pub steps: Vec<Step>,
    pub advice: Advice,
}

/// One event, and what OLM makes of it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The event as the script has it. None for the state before the first event.
    pub event: Option<String>,
    /// Why the event cannot happen. If so, nothing changes.
    pub cannot: Option<String>,
    pub changes: Vec<NamespaceChange>,
    pub look: SyncOutcome,
    pub hit_limit: bool,
    pub strategy: Strategy,
    pub csvs: Vec<(String, Phase)>,
    pub subscriptions: Vec<(String, Subscription)>,
    pub plans: Vec<(String, Plan)>,
}

/// An event, and its text.
#[derive(Clone, Debug)]
pub struct Scripted {
    pub text: String,
    pub event: Event,
}

/// The catalogs of a script: the one before the first event, and those that replace it.
pub struct ScriptedRun<'c> {
    pub catalog: &'c [Package],
    /// The catalogs of the folders that events name, by folder.
    pub others: &'c [(String, Vec<Package>)],
    pub events: &'c [Scripted],
}

impl ScriptedRun<'_> {
    /// Plays the script.
    pub fn play(&self, mut namespace: Namespace) -> Run {
        let strategy = namespace.strategy;
        let mut offered = self.catalog;
        let mut hidden = self.hidden_at_first();
        let mut steps = Vec::new();
        let mut at = 0;
        loop {
            let shown = visible(offered, &hidden);
            let packages = shown.as_deref().unwrap_or(offered);
            let pool = Pool::new("catalog/olm", packages);
            if steps.is_empty() {
                steps.push(Step::new(None, Ok(Vec::new()), namespace.settle(&pool), &namespace));
            }
            let mut is_offered = true;
            while is_offered && let Some(scripted) = self.events.get(at) {
                is_offered = !scripted.event.changes_catalog();
                if is_offered {
                    let done = namespace.apply(&scripted.event, packages, &pool);
                    let settled = namespace.settle(&pool);
                    steps.push(Step::new(Some(&scripted.text), done, settled, &namespace));
                    at += 1;
                }
            }
            let Some(scripted) = self.events.get(at) else {
                let mut advice = Advice::of(&namespace, packages, &pool);
                if steps.iter().any(|step: &Step| step.hit_limit) {
                    advice.no_verdict = Some(NoVerdict::Endless);
                }
                return Run { strategy, steps, advice };
            };
            self.change_catalog(&scripted.event, &mut offered, &mut hidden);
            let shown = visible(offered, &hidden);
            let packages = shown.as_deref().unwrap_or(offered);
            let settled = namespace.settle(&Pool::new("catalog/olm", packages));
            steps.push(Step::new(Some(&scripted.text), Ok(Vec::new()), settled, &namespace));
            at += 1;
        }
    }

    /// The entries that the catalog gains later, and all that replace or skip them. The catalog
    /// does not have them at first.
    fn hidden_at_first(&self) -> BTreeSet<String> {
        let gained = self.events.iter().filter_map(|scripted| match &scripted.event {
            Event::CatalogGains(name) => Some(name.as_str()),
            _ => None,
        });
        let mut left: Vec<&str> = gained.collect();
        let mut later: HashMap<&str, Vec<&str>> = HashMap::default();
        let channels = self.catalog.iter().flat_map(|package| &package.channels);
        for entry in channels.filter(|_| !left.is_empty()).flat_map(|channel| &channel.entries) {
            for older in entry.skips.iter().chain([&entry.replaces]) {
                later.entry(older).or_default().push(&entry.name);
            }
        }
        let mut hidden = BTreeSet::new();
        while let Some(name) = left.pop() {
            if hidden.insert(name.to_owned()) {
                left.extend(later.get(name).into_iter().flatten());
            }
        }
        hidden
    }

    fn change_catalog<'s>(
        &'s self,
        event: &Event,
        offered: &mut &'s [Package],
        hidden: &mut BTreeSet<String>,
    ) {
        match event {
            Event::CatalogGains(name) => {
                hidden.remove(name);
            }
            Event::CatalogLoses(name) => {
                hidden.insert(name.clone());
            }
            Event::CatalogBecomes(folder) => {
                hidden.clear();
                let found = self.others.iter().find(|(name, _)| name == folder);
                *offered = found.map_or(&[][..], |(_, packages)| packages);
            }
            Event::Plan { .. } | Event::Csv { .. } | Event::StrategyBecomes(_) => {}
        }
    }
}

/// The packages without some entries. None if nothing is hidden.
fn visible(packages: &[Package], hidden: &BTreeSet<String>) -> Option<Vec<Package>> {
    if hidden.is_empty() {
        return None;
    }
    let mut packages = packages.to_vec();
    for package in &mut packages {
        package.bundles.retain(|bundle| !hidden.contains(&bundle.name));
        for channel in &mut package.channels {
            channel.entries.retain(|entry| !hidden.contains(&entry.name));
        }
    }
    Some(packages)
}

impl Step {
    fn new(
        event: Option<&str>,
        done: Result<Vec<NamespaceChange>, Failure>,
        settled: Settled,
        namespace: &Namespace,
    ) -> Self {
        let (mut changes, cannot) = match done {
            Ok(changes) => (changes, None),
            Err(why) => (Vec::new(), Some(why.to_string())),
        };
        changes.extend(settled.changes);
        let owned = |(name, phase): (&str, Phase)| (name.to_owned(), phase);
        let subscriptions = namespace.subscriptions.iter();
        let plans = namespace.plans.iter();
        Self {
            event: event.map(str::to_owned),
            cannot,
            changes,
            look: settled.look,
            hit_limit: settled.hit_limit,
            strategy: namespace.strategy,
            csvs: namespace.csvs.iter().map(|(name, csv)| owned((name, csv.phase))).collect(),
            subscriptions: subscriptions.map(|(name, sub)| (name.clone(), sub.clone())).collect(),
            plans: plans.map(|(name, plan)| (name.clone(), plan.clone())).collect(),
        }
    }
}

impl Event {
    fn changes_catalog(&self) -> bool {
        matches!(self, Self::CatalogGains(_) | Self::CatalogLoses(_) | Self::CatalogBecomes(_))
    }
}

impl Namespace {
    /// Makes an event happen. The error says why it cannot.
    fn apply(
        &mut self,
        event: &Event,
        packages: &[Package],
        pool: &Pool<'_>,
    ) -> Result<Vec<NamespaceChange>, Failure> {
        match event {
            Event::Plan { csv, what } => self.plan_event(csv, *what, packages),
            Event::Csv { csv, what } => self.csv_event(csv, *what, packages, pool),
            Event::StrategyBecomes(strategy) => {
                self.strategy = *strategy;
                Ok(Vec::new())
            }
            Event::CatalogGains(_) | Event::CatalogLoses(_) | Event::CatalogBecomes(_) => {
                Ok(Vec::new())
            }
        }
    }

    fn plan_event(
        &mut self,
        csv: &str,
        what: PlanEvent,
        packages: &[Package],
    ) -> Result<Vec<NamespaceChange>, Failure> {
        let name = self.plan_for(csv)?;
        let Some(plan) = self.plans.get_mut(&name) else { return Ok(Vec::new()) };
        match (what, plan.phase) {
            (PlanEvent::IsDeleted, _) => {
                self.plans.remove(&name);
            }
            (_, PlanPhase::Complete) => {
                return Err(Failure::new(format!("the InstallPlan {name} is complete")));
            }
            (_, PlanPhase::Failed) => {
                return Err(Failure::new(format!("the InstallPlan {name} has failed")));
            }
            (PlanEvent::IsApproved, _) => plan.phase = PlanPhase::Installing,
            (_, PlanPhase::RequiresApproval) => {
                return Err(Failure::new(format!("the InstallPlan {name} waits for approval")));
            }
            (PlanEvent::Fails, _) => plan.phase = PlanPhase::Failed,
            (PlanEvent::Completes, _) => {
                self.complete_plan(&name, packages, Health::Waiting);
            }
        }
        Ok(Vec::new())
    }

    fn csv_event(
        &mut self,
        name: &str,
        what: CsvEvent,
        packages: &[Package],
        pool: &Pool<'_>,
    ) -> Result<Vec<NamespaceChange>, Failure> {
        let mut changes = Vec::new();
        if self.csvs.get(name).is_none() {
            self.plan_event(name, PlanEvent::Completes, packages)
                .map_err(|why| why.at(format!("there is no CSV {name}")))?;
            changes = self.settle(pool).changes;
        }
        if what == CsvEvent::IsDeleted {
            self.csvs.remove(name);
            return Ok(changes);
        }
        let (phase, health) = match what {
            CsvEvent::Fails | CsvEvent::Is(Phase::Failed) => (Phase::Failed, Health::Fails),
            CsvEvent::Succeeds | CsvEvent::Is(Phase::Succeeded) => {
                (Phase::Succeeded, Health::Healthy)
            }
            CsvEvent::Is(Phase::Pending) => (Phase::Pending, Health::RequirementsMissing),
            CsvEvent::Is(phase) => (phase, Health::Waiting),
            CsvEvent::IsDeleted => return Ok(changes),
        };
        let Some(status) = self.csvs.status_mut(name) else { return Ok(changes) };
        if matches!(*status.phase, Phase::Replacing | Phase::Deleting) {
            let phase = crate::domain::Named::name(*status.phase);
            return Err(Failure::new(format!("the CSV {name} is {phase}")));
        }
        // A Pending CSV may have to wait for the CSV before it, so OLM decides when it succeeds.
        let is_early = *status.phase == Phase::Pending && phase == Phase::Succeeded;
        *status.health = health;
        if !is_early && *status.phase != phase {
            changes.push(NamespaceChange::CsvMoved {
                name: name.to_owned(),
                from: *status.phase,
                to: phase,
            });
            *status.phase = phase;
            status.reason.clear();
        }
        Ok(changes)
    }

    /// The InstallPlan for a CSV: the one that its Subscription waits for, or else the newest.
    /// `csv` can also be the name of an InstallPlan.
    fn plan_for(&self, csv: &str) -> Result<String, Failure> {
        if self.plans.contains_key(csv) {
            return Ok(csv.to_owned());
        }
        let has_it = |(_, plan): &(&String, &Plan)| plan.csvs.iter().any(|name| name == csv);
        let current = self.subscriptions.values().filter(|sub| sub.current == csv);
        let referenced = current.filter_map(|sub| sub.plan.as_ref());
        let mut referenced = referenced.filter_map(|name| self.plans.get_key_value(name));
        let newest = self.plans.iter().filter(has_it).max_by_key(|(_, plan)| plan.generation);
        let found = referenced.rfind(has_it).or(newest);
        found
            .map(|(name, _)| name.clone())
            .ok_or_else(|| Failure::new(format!("OLM has made no InstallPlan for {csv}")))
    }
}
