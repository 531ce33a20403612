//! The text that describes an alert.

use super::group::{AlertGroup, DISRUPTION_BUDGET, is_misnamed_limit};
use crate::cluster::object::Alert;

pub(super) fn message(alert: &Alert, group: &AlertGroup) -> String {
    let name = alert.label("alertname");
    let or = |text: &str, other: &str| if text.is_empty() { other.into() } else { text.to_owned() };
    let summary = or(alert.annotation("summary"), name);
    let period = if summary.ends_with('.') { "" } else { "." };
    let texts = [alert.annotation("description"), alert.annotation("message")];
    let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    let description = if texts.is_empty() {
        "The alert has no description.".to_owned()
    } else {
        format!("The alert description is: {}", texts.join(" | "))
    };
    let runbook =
        or(alert.annotation("runbook_url"), "<alert does not have a runbook_url annotation>");
    // The summaries of these alerts do not name the budget.
    let is_about_budget = *group == DISRUPTION_BUDGET || is_misnamed_limit(group, name);
    let budget = if is_about_budget {
        let (namespace, budget) = (alert.label("namespace"), alert.label("poddisruptionbudget"));
        format!("Namespace={namespace}, PodDisruptionBudget={budget}. ")
    } else {
        String::new()
    };
    format!(
        "{} alert {name} {}, {}. {budget}{summary}{period} {description} {runbook}",
        alert.label("severity"),
        alert.state,
        group.impact
    )
}
