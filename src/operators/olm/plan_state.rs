//! The catalog operator's first half: what Subscriptions know of their InstallPlans.

use std::collections::BTreeMap;

use super::namespace::{AboutPlan, Condition, Namespace, Plan, State, Subscription};
use super::phase::PlanPhase;
use crate::domain::Named;

impl Namespace {
    /// Updates the conditions of all Subscriptions.
    pub(super) fn check_plans(&mut self) {
        for subscription in self.subscriptions.values_mut() {
            let Some(name) = &subscription.plan else { continue };
            match self.plans.get(name) {
                Some(plan) => subscription.about_plan = about(plan),
                None => subscription.miss_plan(),
            }
        }
    }
}

impl Subscription {
    /// Updates the conditions after the InstallPlan disappeared. If that changes no condition, OLM
    /// changes nothing else either.
    fn miss_plan(&mut self) {
        let mut conditions = self.about_plan.clone();
        conditions.remove(&AboutPlan::Pending);
        conditions.remove(&AboutPlan::Failed);
        let is_pending = self.state == State::UpgradePending;
        if !is_pending {
            let reason = "ReferencedInstallPlanNotFound".to_owned();
            let message = conditions.get(&AboutPlan::Missing).map(|known| known.message.clone());
            let missing = Condition { reason, message: message.unwrap_or_default() };
            conditions.insert(AboutPlan::Missing, missing);
        }
        if conditions == self.about_plan {
            return;
        }
        self.about_plan = conditions;
        if is_pending {
            self.plan = None;
            self.current.clear();
            self.state = State::None;
        }
    }
}

fn about(plan: &Plan) -> BTreeMap<AboutPlan, Condition> {
    let message = || plan.message.clone();
    let pending = |reason: &str| {
        let condition = Condition { reason: reason.to_owned(), message: message() };
        BTreeMap::from([(AboutPlan::Pending, condition)])
    };
    match plan.phase {
        PlanPhase::None => pending("InstallPlanNotYetReconciled"),
        PlanPhase::Planning | PlanPhase::RequiresApproval | PlanPhase::Installing => {
            pending(plan.phase.name())
        }
        PlanPhase::Failed => {
            let reason = plan.failure.as_ref().map_or("InstallPlanFailed", |why| &why.reason);
            let condition = Condition { reason: reason.to_owned(), message: message() };
            BTreeMap::from([(AboutPlan::Failed, condition)])
        }
        PlanPhase::Complete => BTreeMap::new(),
    }
}
