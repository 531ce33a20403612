//! Alerts that make updates risky.

use std::collections::BTreeMap;

use super::super::object::{Alert, Condition};
use super::{FoundRisk, risk};

const DISRUPTION_BUDGET: &str = "PodDisruptionBudgetAtLimit";
/// The critical alert that a disruption budget is violated.
const BROKEN_DISRUPTION_BUDGET: &str = "PodDisruptionBudgetLimit";
const SLOW_NODES: &[&str] = &[
    "KubeContainerWaiting",
    "KubeletHealthState",
    "KubeNodeNotReady",
    "KubeNodeReadinessFlapping",
    "KubeNodeUnreachable",
    "VirtHandlerDaemonSetRolloutFailing",
    "VMCannotBeEvicted",
];
const NO_RUNBOOK: &str =
    "https://github.com/openshift/runbooks/tree/master/alerts?runbook=notfound";

/// A risk for each name of an alert that matters for updates.
pub(super) fn risks(alerts: &[Alert]) -> Vec<FoundRisk> {
    let mut found: BTreeMap<&str, FoundRisk> = BTreeMap::new();
    for alert in alerts {
        let name = alert.label("alertname");
        if name.is_empty() || alert.state == "pending" {
            continue;
        }
        let Some(impact) = impact(alert) else { continue };
        let condition = condition(alert, impact);
        match found.get_mut(name) {
            None => {
                let url = match alert.annotation("runbook_url") {
                    "" => NO_RUNBOOK,
                    url => url,
                };
                let mut risk = risk(name.to_owned(), summary(alert), url.to_owned());
                risk.conditions = vec![condition];
                found.insert(name, FoundRisk { risk, affects_patches: true });
            }
            Some(known) => {
                for other in &mut known.risk.conditions {
                    other.message = format!("{}; {}", other.message, condition.message);
                    if condition.last_transition_time < other.last_transition_time {
                        other.last_transition_time.clone_from(&condition.last_transition_time);
                    }
                }
            }
        }
    }
    found.into_values().collect()
}

/// How an alert affects updates. None if it does not.
fn impact(alert: &Alert) -> Option<&'static str> {
    let name = alert.label("alertname");
    Some(if alert.label("severity") == "critical" {
        "suggesting significant cluster issues worth investigating"
    } else if name == DISRUPTION_BUDGET {
        "which might slow node drains"
    } else if SLOW_NODES.contains(&name) {
        "which may slow workload redistribution during rolling node updates"
    } else if alert.label("openShiftUpdatePrecheck") == "true" {
        "suggesting issues worth investigating before updating the cluster"
    } else {
        return None;
    })
}

fn condition(alert: &Alert, impact: &str) -> Condition {
    let (severity, name) = (alert.label("severity"), alert.label("alertname"));
    let state = &alert.state;
    let names_budget = match severity {
        "critical" => name == BROKEN_DISRUPTION_BUDGET,
        _ => name == DISRUPTION_BUDGET,
    };
    let budget = if names_budget {
        let (namespace, budget) = (alert.label("namespace"), alert.label("poddisruptionbudget"));
        format!("Namespace={namespace}, PodDisruptionBudget={budget}. ")
    } else {
        String::new()
    };
    let description = match (alert.annotation("description"), alert.annotation("message")) {
        ("", "") => "The alert has no description.".to_owned(),
        ("", only) | (only, "") => format!("The alert description is: {only}"),
        (description, message) => format!("The alert description is: {description} | {message}"),
    };
    let runbook = match alert.annotation("runbook_url") {
        "" => "<alert does not have a runbook_url annotation>",
        url => url,
    };
    let summary = summary(alert);
    Condition {
        kind: "Applies".into(),
        status: "True".into(),
        last_transition_time: alert.active_at.clone(),
        reason: format!("Alert:{state}"),
        message: format!(
            "{severity} alert {name} {state}, {impact}. {budget}{summary} {description} {runbook}"
        ),
    }
}

fn summary(alert: &Alert) -> String {
    let summary = match alert.annotation("summary") {
        "" => alert.label("alertname"),
        summary => summary,
    };
    if summary.ends_with('.') { summary.to_owned() } else { format!("{summary}.") }
}
