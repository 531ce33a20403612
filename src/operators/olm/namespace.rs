//! What a namespace has: one operator group, Subscriptions, CSVs, and InstallPlans.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::Named;

use super::csvs::Csvs;
use super::phase::{PlanPhase, Strategy};

/// A namespace that OLM works on.
#[derive(Clone, Debug)]
pub struct Namespace {
    pub name: String,
    pub strategy: Strategy,
    /// How many OperatorGroups it has. OLM works with exactly one.
    pub operator_groups: usize,
    pub csvs: Csvs,
    pub subscriptions: BTreeMap<String, Subscription>,
    pub plans: BTreeMap<String, Plan>,
    /// How many InstallPlans OLM has made in this namespace.
    pub made: usize,
    /// CSVs whose InstallPlan failed. The search for advice lets their next InstallPlan fail, too.
    pub failing: BTreeSet<String>,
}

/// What an administrator wants, and what OLM has done about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subscription {
    pub package: String,
    /// Can be empty.
    pub channel: String,
    /// `spec.startingCSV`. Can be empty.
    pub starting: String,
    pub is_manual: bool,
    /// `status.installedCSV`. Can be empty.
    pub installed: String,
    /// `status.currentCSV`. Can be empty.
    pub current: String,
    pub state: State,
    /// `status.installPlanRef`
    pub plan: Option<String>,
    pub generation: u64,
    /// The condition `ResolutionFailed`, if it is true.
    pub failure: Option<Condition>,
    /// The conditions about its InstallPlan that are true.
    pub about_plan: BTreeMap<AboutPlan, Condition>,
    /// The InstallPlan that created the Subscription, if it is for a dependency.
    pub made_by: Option<String>,
}

/// `status.state` of a Subscription.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    #[default]
    None,
    UpgradeAvailable,
    UpgradePending,
    AtLatestKnown,
    UpgradeFailed,
}

/// Conditions of a Subscription about its InstallPlan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AboutPlan {
    Missing,
    Pending,
    Failed,
}

/// Why a condition is true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    pub reason: String,
    pub message: String,
}

/// An InstallPlan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub phase: PlanPhase,
    pub is_manual: bool,
    pub generation: u64,
    /// `spec.clusterServiceVersionNames`
    pub csvs: Vec<String>,
    /// `spec.replaces` of the CSVs that get one, by the name of the CSV.
    pub replaces: BTreeMap<String, String>,
    /// The dependencies that get a Subscription of their own.
    pub dependencies: Vec<Dependency>,
    /// The condition `Installed`, if it is false.
    pub failure: Option<Condition>,
    /// The message of the condition `Installed`, or the bundles that the plan waits for.
    pub message: String,
}

/// A bundle that another one needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    pub package: String,
    pub channel: String,
    pub csv: String,
}

impl Named for State {
    const ALL: &'static [Self] = &[
        Self::None,
        Self::UpgradeAvailable,
        Self::UpgradePending,
        Self::AtLatestKnown,
        Self::UpgradeFailed,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::UpgradeAvailable => "UpgradeAvailable",
            Self::UpgradePending => "UpgradePending",
            Self::AtLatestKnown => "AtLatestKnown",
            Self::UpgradeFailed => "UpgradeFailed",
        }
    }
}

impl Named for AboutPlan {
    const ALL: &'static [Self] = &[Self::Missing, Self::Pending, Self::Failed];

    fn name(self) -> &'static str {
        match self {
            Self::Missing => "InstallPlanMissing",
            Self::Pending => "InstallPlanPending",
            Self::Failed => "InstallPlanFailed",
        }
    }
}

impl Namespace {
    /// A namespace with one OperatorGroup.
    pub fn new(name: &str, strategy: Strategy) -> Self {
        Self {
            name: name.to_owned(),
            strategy,
            operator_groups: 1,
            csvs: Csvs::default(),
            subscriptions: BTreeMap::new(),
            plans: BTreeMap::new(),
            made: 0,
            failing: BTreeSet::new(),
        }
    }
}
