//! Alerts that fire because of the update, or that slow it down.

use super::health::{Impact, Issue, IssueLevel, Resource};
use super::time::Time;
use crate::cluster::object::Alert;

/// These alerts slow the update down, even if they already fired before it.
const HOLD_UPDATES_UP: [&str; 2] = ["PodDisruptionBudgetLimit", "PodDisruptionBudgetAtLimit"];

pub(super) fn issues(alerts: &[Alert], started: Time) -> impl Iterator<Item = Issue> {
    alerts.iter().filter_map(move |alert| issue(alert, started))
}

fn issue(alert: &Alert, started: Time) -> Option<Issue> {
    let name = alert.label("alertname");
    let since = Time::of(&alert.active_at);
    let level = match alert.label("severity") {
        "warning" => IssueLevel::Warning,
        "critical" => IssueLevel::Critical,
        _ => return None,
    };
    let when = match (HOLD_UPDATES_UP.contains(&name), started < since) {
        (true, true) => "Alert known to affect updates started firing during the update.",
        (true, false) => {
            "Alert known to affect updates has been firing since before the update started."
        }
        (false, true) => "Alert started firing during the update.",
        (false, false) => return None,
    };
    if name.is_empty() || alert.state == "pending" {
        return None;
    }
    let what = match (alert.annotation("description"), alert.annotation("message")) {
        ("", "") => " The alert has no description.".to_owned(),
        (text, "") | ("", text) => format!(" The alert description is: {text}"),
        (text, message) => format!(" The alert description is: {text} | {message}"),
    };
    let or = |text: &str, other: &str| if text.is_empty() { other } else { text }.to_owned();
    let summary = or(alert.annotation("summary"), name);
    let resource = match alert.label("namespace") {
        "" => name.to_owned(),
        namespace => format!("{namespace}/{name}"),
    };
    Some(Issue {
        since,
        level,
        impact: Impact::Unknown,
        summary: format!("Alert is firing: {summary}"),
        description: format!("{when}{what}"),
        reference: or(
            alert.annotation("runbook_url"),
            "<alert does not have a runbook_url annotation>",
        ),
        resource: Resource::Alert(resource),
    })
}
