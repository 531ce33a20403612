//! The phases of CSVs and InstallPlans, and what OLM does with failures.

use crate::domain::Named;

/// `status.phase` of a CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// OLM has not looked at it.
    None,
    Pending,
    InstallReady,
    Installing,
    Succeeded,
    Failed,
    Replacing,
    Deleting,
    Unknown,
}

/// `status.phase` of an InstallPlan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanPhase {
    None,
    Planning,
    RequiresApproval,
    Installing,
    Complete,
    Failed,
}

/// `spec.upgradeStrategy` of an OperatorGroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    Default,
    FailForward,
}

impl Named for Phase {
    const ALL: &'static [Self] = &[
        Self::None,
        Self::Pending,
        Self::InstallReady,
        Self::Installing,
        Self::Succeeded,
        Self::Failed,
        Self::Replacing,
        Self::Deleting,
        Self::Unknown,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Pending => "Pending",
            Self::InstallReady => "InstallReady",
            Self::Installing => "Installing",
            Self::Succeeded => "Succeeded",
            Self::Failed => "Failed",
            Self::Replacing => "Replacing",
            Self::Deleting => "Deleting",
            Self::Unknown => "Unknown",
        }
    }
}

impl Named for PlanPhase {
    const ALL: &'static [Self] = &[
        Self::None,
        Self::Planning,
        Self::RequiresApproval,
        Self::Installing,
        Self::Complete,
        Self::Failed,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Planning => "Planning",
            Self::RequiresApproval => "RequiresApproval",
            Self::Installing => "Installing",
            Self::Complete => "Complete",
            Self::Failed => "Failed",
        }
    }
}

impl Named for Strategy {
    const ALL: &'static [Self] = &[Self::Default, Self::FailForward];

    fn name(self) -> &'static str {
        match self {
            Self::Default => "Default",
            Self::FailForward => "TechPreviewUnsafeFailForward",
        }
    }
}
