//! What a person must do so that OLM can continue. Each answer is first tried on the model.

mod search;

use std::collections::BTreeSet;

use crate::catalog::Package;
use crate::catalog::package::{Bundle, Entry};
use crate::catalog::resolver::Pool;

use super::catalog_sync::{ResolverAnswer, SyncOutcome};
use super::csvs::{Csv, Health};
use super::namespace::{Namespace, State, Subscription};
use super::phase::{Phase, PlanPhase, Strategy};

/// What helps a namespace.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// What a person must do, one after the other.
    pub manual_steps: Vec<ManualStep>,
    /// Subscriptions that only a new catalog entry helps.
    pub waits: Vec<Wait>,
    /// InstallPlans that nobody should delete, and the Subscription that each deletion would
    /// freeze.
    pub keeps: Vec<(String, String)>,
    /// Subscriptions that no new catalog entry helps.
    pub problems: Vec<Problem>,
    /// Why there is no verdict.
    pub no_verdict: Option<NoVerdict>,
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoVerdict {
    NoSubscription,
    /// The namespace has this many CSVs and Subscriptions, which are too many to try.
    TooLarge {
        csvs: usize,
        subscriptions: usize,
    },
    /// OLM never stops changing the namespace.
    Endless,
    /// Only OLM can tell what its resolver does.
    Resolver(String),
}

/// Why OLM does nothing for a Subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub subscription: String,
    pub kind: ProblemKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    NoPackage(String),
    NoChannel {
        package: String,
        channel: String,
    },
    /// What OLM says about the whole namespace.
    Error(String),
    /// Other Subscriptions must be helped first.
    BlockedBy(Vec<String>),
    /// The resolver finds no solution, for none of the known reasons.
    NoSolution(String),
}

/// Something to do by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManualStep {
    pub act: Act,
    pub then: OlmReaction,
}

/// What OLM does after a manual step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OlmReaction {
    /// OLM does nothing yet.
    Waits,
    /// OLM makes an InstallPlan for this CSV, which cannot succeed yet.
    Starts(String),
    /// OLM installs this CSV, and it succeeds.
    Succeeds(String),
    /// This CSV is installed and works, and stays.
    Keeps(String),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    ApprovePlan(String),
    DeletePlan(String),
    DeleteCsvs(Vec<String>),
    /// Delete a Subscription and its CSVs, and create the Subscription again.
    Reinstall {
        subscription: String,
        csvs: Vec<String>,
    },
    /// There must be exactly one OperatorGroup, but there are this many.
    OneOperatorGroup(usize),
}

/// A Subscription that waits for the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    pub subscription: String,
    /// The installed CSV, which a new entry must update. None if nothing is installed.
    pub from: Option<String>,
    /// The current CSV, if it is not installed. OLM must prefer the new entry to it.
    pub over: Option<String>,
    /// The manual steps that are necessary even with a new entry.
    pub then: Vec<ManualStep>,
}

/// In larger namespaces, nothing is tried, because each trial takes time.
const MOST_CSVS: usize = 500;
/// The beginning of the names of entries that are made up for trials. No bundle can have such a
/// name.
pub(crate) const NEXT: &str = "a new version";

impl Advice {
    pub(super) fn of(namespace: &Namespace, packages: &[Package], pool: &Pool<'_>) -> Self {
        if namespace.subscriptions.is_empty() {
            return Self::none(NoVerdict::NoSubscription);
        }
        if namespace.operator_groups != 1 {
            let act = Act::OneOperatorGroup(namespace.operator_groups);
            return Self {
                manual_steps: vec![ManualStep { act, then: OlmReaction::Waits }],
                ..Self::default()
            };
        }
        let (csvs, subscriptions) = (namespace.csvs.iter().len(), namespace.subscriptions.len());
        if csvs.max(subscriptions) > MOST_CSVS {
            return Self::none(NoVerdict::TooLarge { csvs, subscriptions });
        }
        let approvals = namespace.waiting_for_approval();
        let mut future = namespace.clone();
        future.failing = namespace.failed();
        let look = future.complete_all(packages, pool);
        let mut advice = Self { keeps: namespace.keeps(pool), ..Self::default() };
        for plan in approvals {
            let then = future.after(&plan);
            advice.manual_steps.push(ManualStep { act: Act::ApprovePlan(plan), then });
        }
        if let SyncOutcome::Resolved { answer: ResolverAnswer::Unknown(why), .. } = &look {
            advice.no_verdict = Some(NoVerdict::Resolver(why.clone()));
            return advice;
        }
        if !future.stuck().is_empty() {
            advice.help(&future, &look, packages, pool);
        }
        advice
    }

    fn none(why: NoVerdict) -> Self {
        Self { no_verdict: Some(why), ..Self::default() }
    }

    /// Whether a person must do something.
    pub fn needs_manual_steps(&self) -> bool {
        let needs_manual_steps = |wait: &Wait| !wait.then.is_empty();
        let is_cause = |problem: &Problem| !matches!(problem.kind, ProblemKind::BlockedBy(_));
        !self.manual_steps.is_empty()
            || self.problems.iter().any(is_cause)
            || self.waits.iter().any(needs_manual_steps)
    }

    fn help(
        &mut self,
        future: &Namespace,
        look: &SyncOutcome,
        packages: &[Package],
        pool: &Pool<'_>,
    ) {
        let faulty = future.faulty(packages);
        if !faulty.is_empty() {
            let mut rest = future.clone();
            for problem in &faulty {
                rest.subscriptions.remove(&problem.subscription);
            }
            let names: Vec<String> =
                faulty.iter().map(|problem| problem.subscription.clone()).collect();
            self.problems.extend(faulty);
            for subscription in future.stuck().into_iter().filter(|name| !names.contains(name)) {
                let kind = ProblemKind::BlockedBy(names.clone());
                self.problems.push(Problem { subscription, kind });
            }
            let look = rest.complete_all(packages, pool);
            if !rest.stuck().is_empty() {
                self.help(&rest, &look, packages, pool);
            }
            return;
        }
        let is_idle =
            matches!(look, SyncOutcome::Resolved { answer: ResolverAnswer::NothingNew { .. }, .. });
        let search = |reinstalls| future.search(packages, pool, reinstalls);
        if !is_idle && let Some(manual_steps) = search(false) {
            self.manual_steps.extend(manual_steps);
            return;
        }
        if let Some(error) = look.error() {
            let stuck = future.stuck().into_iter();
            self.problems.extend(stuck.map(|subscription| {
                let kind = ProblemKind::Error(error.to_owned());
                Problem { subscription, kind }
            }));
            return;
        }
        let with = with_next(packages, future);
        let with_pool = Pool::new(pool.name(), &with);
        let mut then = future.search(&with, &with_pool, false);
        if then.is_none()
            && !is_idle
            && let Some(manual_steps) = search(true)
        {
            self.manual_steps.extend(manual_steps);
            return;
        }
        then = then.or_else(|| future.search(&with, &with_pool, true));
        let (own, others) = future.stuck_alone();
        let Some(then) = then else {
            let message = match look {
                SyncOutcome::Resolved {
                    answer: ResolverAnswer::Unsatisfiable { message, .. },
                    ..
                } => message,
                _ => "",
            };
            let stuck = own.into_iter().chain(others);
            self.problems.extend(stuck.map(|subscription| {
                let kind = ProblemKind::NoSolution(message.to_owned());
                Problem { subscription, kind }
            }));
            return;
        };
        if own.is_empty() {
            self.waits.extend(others.iter().map(|name| future.wait(name, then.clone())));
            return;
        }
        self.waits.extend(own.iter().map(|name| future.wait(name, then.clone())));
        self.problems.extend(others.into_iter().map(|subscription| {
            let kind = ProblemKind::BlockedBy(own.clone());
            Problem { subscription, kind }
        }));
    }
}

impl Namespace {
    /// The CSVs that failed InstallPlans did not create.
    fn failed(&self) -> BTreeSet<String> {
        let failed = self.plans.values().filter(|plan| plan.phase == PlanPhase::Failed);
        let csvs = failed.flat_map(|plan| &plan.csvs).filter(|name| self.csvs.get(name).is_none());
        csvs.cloned().collect()
    }

    /// Completes an InstallPlan, or lets it fail if one for the same CSV failed before.
    fn finish_plan(&mut self, name: &str, packages: &[Package]) {
        match self.plans.get_mut(name) {
            Some(plan) if plan.csvs.iter().any(|csv| self.failing.contains(csv)) => {
                plan.phase = PlanPhase::Failed;
            }
            _ => {
                self.complete_plan(name, packages, Health::Healthy);
            }
        }
    }

    /// Lets all InstallPlans and CSVs succeed that still can.
    fn complete_all(&mut self, packages: &[Package], pool: &Pool<'_>) -> SyncOutcome {
        let mut look = self.settle(pool).look;
        for _ in 0..20 {
            let open = self.plans.iter().filter(|(name, plan)| match plan.phase {
                PlanPhase::Complete | PlanPhase::Failed => false,
                PlanPhase::RequiresApproval => self.is_current_plan(name),
                _ => true,
            });
            let open: Vec<String> = open.map(|(name, _)| name.clone()).collect();
            for plan in &open {
                self.finish_plan(plan, packages);
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

    /// The stuck Subscriptions in two groups: those without a working CSV, and those with one,
    /// which only others in their namespace hold back.
    fn stuck_alone(&self) -> (Vec<String>, Vec<String>) {
        let works = |csv: &Csv| csv.phase == Phase::Succeeded;
        self.stuck().into_iter().partition(|name| {
            let sub = self.subscriptions.get(name);
            !sub.and_then(|sub| self.csvs.get(&sub.current)).is_some_and(works)
        })
    }

    /// The stuck Subscriptions whose package or channel the catalog does not have.
    fn faulty(&self, packages: &[Package]) -> Vec<Problem> {
        let stuck = self.stuck().into_iter();
        let faulty = stuck.filter_map(|subscription| {
            let sub = self.subscriptions.get(&subscription)?;
            let found = packages.iter().find(|package| package.name == sub.package);
            let kind = match found {
                None => ProblemKind::NoPackage(sub.package.clone()),
                Some(package)
                    if sub.channel.is_empty() || package.channel(&sub.channel).is_some() =>
                {
                    return None;
                }
                Some(_) => ProblemKind::NoChannel {
                    package: sub.package.clone(),
                    channel: sub.channel.clone(),
                },
            };
            Some(Problem { subscription, kind })
        });
        faulty.collect()
    }

    fn is_current_plan(&self, plan: &str) -> bool {
        self.subscriptions.values().any(|sub| sub.plan.as_deref() == Some(plan))
    }

    fn waiting_for_approval(&self) -> Vec<String> {
        let waiting = self.plans.iter().filter(|(name, plan)| {
            plan.phase == PlanPhase::RequiresApproval && self.is_current_plan(name)
        });
        waiting.map(|(name, _)| name.clone()).collect()
    }

    /// What OLM does after this InstallPlan is complete.
    fn after(&self, plan: &str) -> OlmReaction {
        let csvs = self.plans.get(plan).map(|plan| plan.csvs.as_slice()).unwrap_or_default();
        let works =
            |name: &&String| self.csvs.get(name).is_some_and(|csv| csv.phase == Phase::Succeeded);
        csvs.iter()
            .find(works)
            .map_or(OlmReaction::Waits, |name| OlmReaction::Succeeds(name.clone()))
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

    fn wait(&self, name: &str, then: Vec<ManualStep>) -> Wait {
        let sub = self.subscriptions.get(name);
        let text = |of: fn(&Subscription) -> &String| sub.map(of).cloned().unwrap_or_default();
        let (installed, current) = (text(|sub| &sub.installed), text(|sub| &sub.current));
        let over = Some(current).filter(|current| *current != installed && !current.is_empty());
        let from = Some(installed).filter(|installed| !installed.is_empty());
        Wait { subscription: name.to_owned(), from, over, then }
    }
}

/// The catalog, with one more entry that updates everything in the channels of the Subscriptions.
fn with_next(packages: &[Package], namespace: &Namespace) -> Vec<Package> {
    let mut packages = packages.to_vec();
    for package in &mut packages {
        let subscribed = namespace.subscriptions.values().filter(|sub| sub.package == package.name);
        let channels: BTreeSet<&str> = subscribed.map(|sub| sub.channel.as_str()).collect();
        let mut provides = Vec::new();
        let next = format!("{NEXT} of {}", package.name);
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
            channel.entries.push(Entry { name: next.clone(), skips, ..Entry::default() });
        }
        let alike = provides.first().and_then(|name| package.bundle(name));
        if !provides.is_empty() {
            let apis = alike.map(|bundle| bundle.provides.clone()).unwrap_or_default();
            let place = package.bundles.len();
            package.bundles.push(Bundle { name: next, place, provides: apis, ..Bundle::default() });
            package.bundles.sort_by(|a, b| a.name.cmp(&b.name));
        }
    }
    packages
}
