//! The groups of alerts that are issues for updates.

use crate::cluster::object::Alert;

/// A group of alerts: the name of its condition, what its alerts mean, and whether `oc` mentions it
/// if it has none.
#[derive(PartialEq, Eq)]
pub(super) struct AlertGroup {
    pub(super) name: &'static str,
    pub(super) impact: &'static str,
    pub(super) has_happy_form: bool,
}

pub(super) const CRITICAL: AlertGroup = AlertGroup {
    name: "CriticalAlerts",
    impact: "suggesting significant cluster issues worth investigating",
    has_happy_form: true,
};
pub(super) const DISRUPTION_BUDGET: AlertGroup = AlertGroup {
    name: "PodDisruptionBudgetAlerts",
    impact: "which might slow node drains",
    has_happy_form: true,
};
pub(super) const IMAGE_PULL: AlertGroup = AlertGroup {
    name: "PodImagePullAlerts",
    impact: "which may slow workload redistribution during rolling node updates",
    has_happy_form: true,
};
pub(super) const NODE: AlertGroup = AlertGroup { name: "NodeAlerts", ..IMAGE_PULL };
pub(super) const PRECHECK: AlertGroup = AlertGroup {
    name: "UpdatePrecheckAlerts",
    impact: "suggesting issues worth investigating before updating the cluster",
    has_happy_form: true,
};
pub(super) const VIRT: AlertGroup =
    AlertGroup { name: "VirtAlerts", has_happy_form: false, ..IMAGE_PULL };

/// Whether this is the critical alert about disruption budgets, which `oc` puts into the wrong
/// group. Then the group of disruption budgets has an issue, too.
pub(super) fn is_misnamed_limit(group: &AlertGroup, name: &str) -> bool {
    *group == CRITICAL && name == "PodDisruptionBudgetLimit"
}

/// The group of an alert. None if the alert does not matter.
pub(super) fn group(alert: &Alert) -> Option<&'static AlertGroup> {
    let is_precheck = alert.label("openShiftUpdatePrecheck") == "true";
    Some(match alert.label("alertname") {
        "" => return None,
        _ if alert.label("severity") == "critical" => &CRITICAL,
        "PodDisruptionBudgetAtLimit" => &DISRUPTION_BUDGET,
        "KubeContainerWaiting" => &IMAGE_PULL,
        "KubeletHealthState"
        | "KubeNodeNotReady"
        | "KubeNodeReadinessFlapping"
        | "KubeNodeUnreachable" => &NODE,
        _ if is_precheck => &PRECHECK,
        "VirtHandlerDaemonSetRolloutFailing" | "VMCannotBeEvicted" => &VIRT,
        _ => return None,
    })
}
