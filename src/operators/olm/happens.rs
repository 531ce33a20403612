//! What happens to a namespace from outside: InstallPlans that end, and people who delete objects.

use crate::catalog::Package;
use crate::catalog::package::Bundle;

use super::csvs::{Csv, Health};
use super::namespace::{Namespace, Subscription};
use super::phase::{Phase, PlanPhase};

impl Namespace {
    /// Completes an InstallPlan: creates its CSVs and Subscriptions. Returns false if there is no
    /// such plan.
    pub fn complete_plan(&mut self, name: &str, packages: &[Package], health: Health) -> bool {
        let Some(plan) = self.plans.get_mut(name) else { return false };
        plan.phase = PlanPhase::Complete;
        let plan = plan.clone();
        for csv in &plan.csvs {
            if self.csvs.get(csv).is_some() {
                continue;
            }
            let replaces = plan.replaces.get(csv).cloned();
            let replaces = replaces.unwrap_or_else(|| self.replaced_by(csv, name));
            self.csvs.insert(from_catalog(csv, &replaces, packages, health));
        }
        for dependency in &plan.dependencies {
            let name_of_it = format!("{}-{}", dependency.package, dependency.channel);
            self.subscriptions.entry(name_of_it).or_insert_with(|| Subscription {
                package: dependency.package.clone(),
                channel: dependency.channel.clone(),
                starting: dependency.csv.clone(),
                made_by: Some(name.to_owned()),
                ..Subscription::default()
            });
        }
        true
    }

    /// The CSV that a new CSV replaces if the InstallPlan does not say so: the one that its
    /// Subscription has installed.
    fn replaced_by(&self, csv: &str, plan: &str) -> String {
        let is_it = |sub: &&Subscription| sub.current == csv && sub.plan.as_deref() == Some(plan);
        let sub = self.subscriptions.values().find(is_it);
        sub.map(|sub| sub.installed.clone()).filter(|name| name != csv).unwrap_or_default()
    }
}

/// The CSV that OLM makes of a bundle.
pub fn from_catalog(name: &str, replaces: &str, packages: &[Package], health: Health) -> Csv {
    let found = packages
        .iter()
        .find_map(|package| package.bundle(name).map(|bundle| (package.name.clone(), bundle)));
    let (package, bundle) = match found {
        Some((package, bundle)) => (Some(package), bundle.clone()),
        None => (None, Bundle { name: name.to_owned(), ..Bundle::default() }),
    };
    Csv {
        replaces: replaces.to_owned(),
        phase: Phase::None,
        reason: String::new(),
        health,
        is_copied: false,
        package,
        has_properties: true,
        bundle,
    }
}
