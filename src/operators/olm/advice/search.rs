//! Searches for manual steps that help, and tries them on a copy of the namespace.

use std::collections::{BTreeSet, VecDeque};

use crate::catalog::Package;
use crate::catalog::resolver::Pool;

use super::super::csvs::Health;
use super::super::namespace::{Namespace, Subscription};
use super::super::phase::{Phase, PlanPhase};
use super::{Act, ManualStep, OlmReaction};

/// The most trials, because each takes time.
const MOST_TRIALS: usize = 60;
/// The most manual steps, one after the other.
const LONGEST: usize = 3;
/// With more CSVs, all are deleted: exitpath does not try to keep some of them.
const FEW: usize = 16;

impl Namespace {
    /// The shortest list of manual steps after which no Subscription is stuck.
    pub(super) fn search(
        &self,
        packages: &[Package],
        pool: &Pool<'_>,
        reinstalls: bool,
    ) -> Option<Vec<ManualStep>> {
        let failing = self.csvs.iter().filter(|(_, csv)| csv.health == Health::Fails);
        let failing: BTreeSet<String> = failing.map(|(name, _)| name.to_owned()).collect();
        let is_bad = |sub: &Subscription| failing.contains(&sub.current);
        let mut first = self.clone();
        first.complete_all(packages, pool);
        let mut left = VecDeque::from([(first, Vec::new())]);
        let mut trials = 0;
        while let Some((namespace, manual_steps)) = left.pop_front() {
            let stuck = namespace.stuck();
            if stuck.is_empty() && !namespace.subscriptions.values().any(is_bad) {
                return Some(self.fewer(manual_steps, packages, pool));
            }
            let mut acts = namespace.candidates(&stuck);
            acts.retain(|act| reinstalls || !matches!(act, Act::Reinstall { .. }));
            for act in acts.into_iter().filter(|_| manual_steps.len() < LONGEST) {
                trials += 1;
                if trials > MOST_TRIALS {
                    return None;
                }
                let (trial, step) = namespace.tried(act, &stuck, packages, pool);
                left.push_back((trial, [manual_steps.as_slice(), &[step]].concat()));
            }
        }
        None
    }

    /// The same steps, but they delete only the CSVs that must be deleted.
    pub(super) fn fewer(
        &self,
        mut manual_steps: Vec<ManualStep>,
        packages: &[Package],
        pool: &Pool<'_>,
    ) -> Vec<ManualStep> {
        let mut at = 0;
        let mut trials = 0;
        while let Some(step) = manual_steps.get(at) {
            let Act::DeleteCsvs(csvs) = &step.act else {
                at += 1;
                continue;
            };
            let mut is_less = false;
            for left in csvs.iter().filter(|_| (2..=FEW).contains(&csvs.len())) {
                trials += 1;
                let rest = csvs.iter().filter(|csv| *csv != left).cloned().collect();
                let mut acts: Vec<Act> = manual_steps.iter().map(|step| step.act.clone()).collect();
                acts[at] = Act::DeleteCsvs(rest);
                if trials <= MOST_TRIALS
                    && let Some(fewer) = self.replay(acts, packages, pool)
                {
                    manual_steps = fewer;
                    is_less = true;
                    break;
                }
            }
            if !is_less {
                at += 1;
            }
        }
        manual_steps
    }

    /// What OLM does after each of these acts. None if a Subscription is still stuck at the end.
    pub(super) fn replay(
        &self,
        acts: Vec<Act>,
        packages: &[Package],
        pool: &Pool<'_>,
    ) -> Option<Vec<ManualStep>> {
        let failing = self.csvs.iter().filter(|(_, csv)| csv.health == Health::Fails);
        let failing: BTreeSet<String> = failing.map(|(name, _)| name.to_owned()).collect();
        let mut namespace = self.clone();
        namespace.complete_all(packages, pool);
        let mut manual_steps = Vec::new();
        for act in acts {
            let stuck = namespace.stuck();
            let (next, step) = namespace.tried(act, &stuck, packages, pool);
            namespace = next;
            manual_steps.push(step);
        }
        let is_bad = |sub: &Subscription| failing.contains(&sub.current);
        let is_solved =
            namespace.stuck().is_empty() && !namespace.subscriptions.values().any(is_bad);
        is_solved.then_some(manual_steps)
    }

    /// The namespace after an act, and what OLM did then.
    pub(super) fn tried(
        &self,
        act: Act,
        stuck: &[String],
        packages: &[Package],
        pool: &Pool<'_>,
    ) -> (Self, ManualStep) {
        let mut trial = self.clone();
        trial.act(&act);
        trial.complete_all(packages, pool);
        let current =
            |of: &Self, name: &String| of.subscriptions.get(name).map(|sub| sub.current.clone());
        let has_moved = |name: &&String| current(self, name) != current(&trial, name);
        let (own, _) = self.stuck_alone();
        let about = stuck.iter().find(has_moved).or(own.first()).or(stuck.first());
        let before = about.and_then(|name| current(self, name));
        let after = about.and_then(|name| current(&trial, name));
        let works = |of: &Self, name: &str| {
            of.csvs.get(name).is_some_and(|csv| csv.phase == Phase::Succeeded)
        };
        let then = match after.filter(|name| !name.is_empty()) {
            Some(name) if trial.stuck().is_empty() && works(self, &name) => {
                OlmReaction::Keeps(name)
            }
            Some(name) if trial.stuck().is_empty() => OlmReaction::Succeeds(name),
            Some(name) if before.as_ref() != Some(&name) => OlmReaction::Starts(name),
            _ => OlmReaction::Waits,
        };
        (trial, ManualStep { act, then })
    }

    /// The acts that may help, the least drastic ones first.
    pub(super) fn candidates(&self, stuck: &[String]) -> Vec<Act> {
        let mut acts = Vec::new();
        let subs = || stuck.iter().filter_map(|name| Some((name, self.subscriptions.get(name)?)));
        let failed = subs().filter_map(|(_, sub)| sub.plan.as_ref());
        let failed = failed.filter(|name| {
            self.plans.get(*name).is_some_and(|plan| plan.phase == PlanPhase::Failed)
        });
        acts.extend(failed.cloned().map(Act::DeletePlan));
        // No CSV of an operator that works is deleted: other acts can help there.
        let works: BTreeSet<&str> = self
            .subscriptions
            .values()
            .map(|sub| sub.installed.as_str())
            .filter(|name| self.csvs.get(name).is_some_and(|csv| csv.phase == Phase::Succeeded))
            .collect();
        let older: Vec<String> = subs().flat_map(|(_, sub)| self.older(&sub.installed)).collect();
        let waited_for = self.csvs.iter().filter(|(_, csv)| csv.phase == Phase::Pending);
        let waited_for = waited_for.filter_map(|(_, csv)| self.csvs.predecessor(csv));
        let waited_for = waited_for.filter(|(_, csv)| csv.phase != Phase::Replacing);
        let waited_for: Vec<String> = waited_for.map(|(name, _)| name.to_owned()).collect();
        let required = self.snapshot().map(|told| told.required).unwrap_or_default();
        let blocking = self.blocking_snapshot();
        let mut chain = older.clone();
        chain.extend(subs().map(|(_, sub)| sub.installed.clone()));
        chain.retain(|name| self.csvs.get(name).is_some());
        let single = required.iter().map(|name| vec![name.clone()]).take(5);
        let mut sets: Vec<Vec<String>> = blocking;
        sets.extend([older, waited_for]);
        if required.len() > 1 {
            sets.extend(single);
        }
        sets.extend([required, chain]);
        for mut csvs in sets {
            csvs.retain(|name| !works.contains(name.as_str()));
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

    /// CSVs that may keep OLM from asking the resolver, each in a list of its own. Empty if OLM can
    /// ask.
    pub(super) fn blocking_snapshot(&self) -> Vec<Vec<String>> {
        if self.snapshot().is_ok() {
            return Vec::new();
        }
        let bad =
            self.csvs.iter().filter(|(_, csv)| !csv.is_copied && csv.phase != Phase::Replacing);
        let bad = bad.filter_map(|(name, _)| Some((name, self.csvs.next_in_chain(name)?)));
        bad.flat_map(|(name, next)| [vec![name.to_owned()], vec![next.to_owned()]])
            .take(8)
            .collect()
    }

    /// The older CSVs in the chain of a CSV.
    pub(super) fn older(&self, name: &str) -> Vec<String> {
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

    pub(super) fn act(&mut self, act: &Act) {
        match act {
            Act::ApprovePlan(name) => {
                if let Some(plan) = self.plans.get_mut(name) {
                    plan.phase = PlanPhase::Installing;
                }
            }
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
}
