//! What a person must do so that OLM goes on. Each answer is tried on the model first.

#![allow(missing_docs, reason = "the names say it")]

use std::collections::{BTreeSet, VecDeque};

use crate::catalog::Package;
use crate::catalog::package::{Bundle, Entry};
use crate::catalog::resolver::Pool;

use super::catalog_sync::{Answer, Look};
use super::csvs::Health;
use super::namespace::{Namespace, State, Subscription};
use super::phase::{Phase, PlanPhase, Strategy};

/// What helps a namespace.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// What a person must do, one after the other.
    pub hands: Vec<Hand>,
    /// Where only another catalog helps.
    pub waits: Vec<Wait>,
    /// InstallPlans that nobody should delete, and the Subscription that this would freeze.
    pub keeps: Vec<(String, String)>,
    /// Whether the namespace is too large to look for help.
    pub is_unknown: bool,
}

/// Something to do by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    pub act: Act,
    pub then: Then,
}

/// What OLM does after something is done by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// Nothing yet.
    Waits,
    /// It makes an InstallPlan for this CSV, which cannot succeed yet.
    Starts(String),
    /// It gets to this CSV.
    Succeeds(String),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    DeletePlan(String),
    DeleteCsvs(Vec<String>),
    /// Delete a Subscription and its CSVs, and create the Subscription again.
    Reinstall {
        subscription: String,
        csvs: Vec<String>,
    },
    /// There must be one OperatorGroup; there are as many.
    OneOperatorGroup(usize),
}

/// A Subscription that waits for the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    pub subscription: String,
    /// Where an entry must lead away from. Empty if nothing is installed.
    pub from: String,
    /// What failed, if it is not installed: the entry must be preferred over it.
    pub over: Option<String>,
    /// What a person must do even then.
    pub then: Vec<Hand>,
}

/// Trials cost time.
const MOST_CSVS: usize = 500;
const MOST_TRIALS: usize = 60;
const LONGEST: usize = 3;
/// The name of an entry that the catalog could have. No bundle can have it.
pub(crate) const NEXT: &str = "a new version";

impl Advice {
    pub(super) fn of(namespace: &Namespace, packages: &[Package], pool: &Pool<'_>) -> Self {
        if namespace.operator_groups != 1 && !namespace.subscriptions.is_empty() {
            let act = Act::OneOperatorGroup(namespace.operator_groups);
            return Self { hands: vec![Hand { act, then: Then::Waits }], ..Self::default() };
        }
        if namespace.csvs.iter().len().max(namespace.subscriptions.len()) > MOST_CSVS {
            return Self { is_unknown: true, ..Self::default() };
        }
        let mut future = namespace.clone();
        let look = future.hope(packages, pool);
        let stuck = future.stuck();
        let mut advice = Self { keeps: namespace.keeps(pool), ..Self::default() };
        if stuck.is_empty() {
            return advice;
        }
        let is_idle = matches!(&look, Look::Resolved { answer: Answer::NothingNew { .. }, .. });
        if !is_idle && let Some(hands) = future.rescue(packages, pool) {
            advice.hands = hands;
            return advice;
        }
        let packages = with_next(packages, &future);
        let pool = Pool::new(pool.name(), &packages);
        let then = future.rescue(&packages, &pool).unwrap_or_default();
        advice.waits = stuck.iter().map(|name| future.wait(name, then.clone())).collect();
        advice
    }
}

impl Namespace {
    /// Everything that can still go well does.
    fn hope(&mut self, packages: &[Package], pool: &Pool<'_>) -> Look {
        let mut look = self.settle(pool).look;
        for _ in 0..20 {
            let open = self
                .plans
                .iter()
                .filter(|(_, plan)| !matches!(plan.phase, PlanPhase::Complete | PlanPhase::Failed));
            let open: Vec<String> = open.map(|(name, _)| name.clone()).collect();
            for plan in &open {
                self.complete_plan(plan, packages, Health::Healthy);
            }
            let waiting = self.csvs.iter().filter(|(_, csv)| csv.health == Health::Waiting);
            let waiting: Vec<String> = waiting.map(|(name, _)| name.to_owned()).collect();
            for csv in &waiting {
                if let Some(status) = self.csvs.status_mut(csv) {
                    *status.health = Health::Healthy;
                }
            }
            if open.is_empty() && waiting.is_empty() {
                break;
            }
            look = self.settle(pool).look;
        }
        look
    }

    /// The Subscriptions that do not have a working CSV, or that OLM cannot update.
    fn stuck(&self) -> Vec<String> {
        let is_stuck = |sub: &Subscription| {
            let csv = self.csvs.get(&sub.current);
            sub.failure.is_some() || csv.is_none_or(|csv| csv.phase != Phase::Succeeded)
        };
        let stuck = self.subscriptions.iter().filter(|(_, sub)| is_stuck(sub));
        stuck.map(|(name, _)| name.clone()).collect()
    }

    /// The shortest list of things to do after which no Subscription is stuck. To install an
    /// operator again is the last resort.
    fn rescue(&self, packages: &[Package], pool: &Pool<'_>) -> Option<Vec<Hand>> {
        let search = |reinstalls| self.search(packages, pool, reinstalls);
        search(false).or_else(|| search(true))
    }

    fn search(&self, packages: &[Package], pool: &Pool<'_>, reinstalls: bool) -> Option<Vec<Hand>> {
        let failing = self.csvs.iter().filter(|(_, csv)| csv.health == Health::Fails);
        let failing: BTreeSet<String> = failing.map(|(name, _)| name.to_owned()).collect();
        let is_bad = |sub: &Subscription| failing.contains(&sub.current);
        let mut first = self.clone();
        first.hope(packages, pool);
        let mut left = VecDeque::from([(first, Vec::new())]);
        let mut trials = 0;
        while let Some((namespace, hands)) = left.pop_front() {
            let stuck = namespace.stuck();
            if stuck.is_empty() && !namespace.subscriptions.values().any(is_bad) {
                return Some(hands);
            }
            let mut acts = namespace.candidates(&stuck);
            acts.retain(|act| reinstalls || !matches!(act, Act::Reinstall { .. }));
            for act in acts.into_iter().filter(|_| hands.len() < LONGEST) {
                trials += 1;
                if trials > MOST_TRIALS {
                    return None;
                }
                let (trial, hand) = namespace.tried(act, &stuck, packages, pool);
                left.push_back((trial, [hands.as_slice(), &[hand]].concat()));
            }
        }
        None
    }

    /// What comes of something that somebody does.
    fn tried(
        &self,
        act: Act,
        stuck: &[String],
        packages: &[Package],
        pool: &Pool<'_>,
    ) -> (Self, Hand) {
        let mut trial = self.clone();
        trial.act(&act);
        trial.hope(packages, pool);
        let current = |of: &Self| {
            let mut found = stuck.iter().filter_map(|name| of.subscriptions.get(name));
            found.next().map(|sub| sub.current.clone())
        };
        let then = match current(&trial).filter(|name| !name.is_empty()) {
            Some(name) if trial.stuck().is_empty() => Then::Succeeds(name),
            Some(name) if current(self).as_ref() != Some(&name) => Then::Starts(name),
            _ => Then::Waits,
        };
        (trial, Hand { act, then })
    }

    /// What may help, gentle things first.
    fn candidates(&self, stuck: &[String]) -> Vec<Act> {
        let mut acts = Vec::new();
        let subs = || stuck.iter().filter_map(|name| Some((name, self.subscriptions.get(name)?)));
        let failed = subs().filter_map(|(_, sub)| sub.plan.as_ref());
        let failed = failed.filter(|name| {
            self.plans.get(*name).is_some_and(|plan| plan.phase == PlanPhase::Failed)
        });
        acts.extend(failed.cloned().map(Act::DeletePlan));
        let older: Vec<String> = subs().flat_map(|(_, sub)| self.older(&sub.installed)).collect();
        let waited_for = self.csvs.iter().filter(|(_, csv)| csv.phase == Phase::Pending);
        let waited_for = waited_for.filter_map(|(_, csv)| self.csvs.predecessor(csv));
        let waited_for = waited_for.filter(|(_, csv)| csv.phase != Phase::Replacing);
        let waited_for: Vec<String> = waited_for.map(|(name, _)| name.to_owned()).collect();
        let required = self.snapshot().map(|told| told.required).unwrap_or_default();
        let mut chain = older.clone();
        chain.extend(subs().map(|(_, sub)| sub.installed.clone()));
        chain.retain(|name| self.csvs.get(name).is_some());
        for mut csvs in [older, waited_for, required, chain] {
            csvs.sort();
            csvs.dedup();
            let act = Act::DeleteCsvs(csvs);
            if act != Act::DeleteCsvs(Vec::new()) && !acts.contains(&act) {
                acts.push(act);
            }
        }
        acts.extend(subs().map(|(name, sub)| {
            let ends = [&sub.installed, &sub.current];
            let mut csvs: Vec<String> = ends.iter().flat_map(|name| self.older(name)).collect();
            csvs.extend(ends.iter().map(|name| (*name).clone()));
            csvs.retain(|name| self.csvs.get(name).is_some());
            csvs.sort();
            csvs.dedup();
            Act::Reinstall { subscription: name.clone(), csvs }
        }));
        acts
    }

    /// The CSVs before one in its chain.
    fn older(&self, name: &str) -> Vec<String> {
        let mut older = Vec::new();
        let mut seen = BTreeSet::from([name.to_owned()]);
        let mut csv = self.csvs.get(name);
        while let Some((name, next)) = csv.and_then(|csv| self.csvs.predecessor(csv)) {
            if !seen.insert(name.to_owned()) {
                break;
            }
            older.push(name.to_owned());
            csv = Some(next);
        }
        older
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::DeletePlan(name) => {
                self.plans.remove(name);
            }
            Act::DeleteCsvs(names) => {
                for name in names {
                    self.csvs.remove(name);
                }
            }
            Act::Reinstall { subscription, csvs } => {
                for name in csvs {
                    self.csvs.remove(name);
                }
                if let Some(sub) = self.subscriptions.get_mut(subscription) {
                    *sub = Subscription {
                        package: sub.package.clone(),
                        channel: sub.channel.clone(),
                        starting: sub.starting.clone(),
                        is_manual: sub.is_manual,
                        ..Subscription::default()
                    };
                }
            }
            Act::OneOperatorGroup(_) => self.operator_groups = 1,
        }
    }

    /// The failed InstallPlans whose deletion freezes their Subscription.
    fn keeps(&self, pool: &Pool<'_>) -> Vec<(String, String)> {
        if self.strategy != Strategy::FailForward {
            return Vec::new();
        }
        let failed = self.subscriptions.iter().filter(|(_, sub)| sub.state == State::UpgradeFailed);
        let plans = failed.filter_map(|(name, sub)| Some((name, sub.plan.as_ref()?)));
        let plans = plans.filter(|(name, plan)| {
            let mut trial = self.clone();
            trial.plans.remove(*plan);
            trial.settle(pool);
            trial.subscriptions.get(*name).is_some_and(|sub| {
                sub.state == State::UpgradePending && sub.plan.as_ref() == Some(plan)
            })
        });
        plans.map(|(name, plan)| (plan.clone(), name.clone())).collect()
    }

    fn wait(&self, name: &str, then: Vec<Hand>) -> Wait {
        let sub = self.subscriptions.get(name);
        let text = |of: fn(&Subscription) -> &String| sub.map(of).cloned().unwrap_or_default();
        let (installed, current) = (text(|sub| &sub.installed), text(|sub| &sub.current));
        let over = Some(current).filter(|current| *current != installed && !current.is_empty());
        Wait { subscription: name.to_owned(), from: installed, over, then }
    }
}

/// The catalog, with one more entry that updates everything in the channels of the Subscriptions.
fn with_next(packages: &[Package], namespace: &Namespace) -> Vec<Package> {
    let mut packages = packages.to_vec();
    for package in &mut packages {
        let subscribed = namespace.subscriptions.values().filter(|sub| sub.package == package.name);
        let channels: BTreeSet<&str> = subscribed.map(|sub| sub.channel.as_str()).collect();
        let mut provides = Vec::new();
        for channel in &mut package.channels {
            let is_default = channel.name == package.default_channel && channels.contains("");
            if !channels.contains(channel.name.as_str()) && !is_default {
                continue;
            }
            let mut skips: Vec<String> =
                channel.entries.iter().map(|entry| entry.name.clone()).collect();
            skips.extend(namespace.csvs.iter().map(|(name, _)| name.to_owned()));
            let last = channel.entries.last().map(|entry| entry.name.clone()).unwrap_or_default();
            provides.push(last);
            channel.entries.push(Entry { name: NEXT.to_owned(), skips, ..Entry::default() });
        }
        let alike = provides.first().and_then(|name| package.bundle(name));
        if !provides.is_empty() {
            let apis = alike.map(|bundle| bundle.provides.clone()).unwrap_or_default();
            let place = package.bundles.len();
            let name = NEXT.to_owned();
            package.bundles.push(Bundle { name, place, provides: apis, ..Bundle::default() });
            package.bundles.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }
    packages
}
