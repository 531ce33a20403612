//! Alerts that speak against updating.

use super::super::Alerts;
use super::super::texts::block;
use super::review::Review;
use crate::cluster::object::{Alert, Condition};

/// What is said if a cluster has no route to the server that knows its alerts.
const NO_ROUTE: &str = "Failed to check for at least some preconditions: failed to get alerts from \
    Thanos: routes.route.openshift.io \"thanos-querier\" not found\n";

/// A kind of alerts: the name of its condition, what such alerts mean, and whether their absence is
/// worth a word.
struct Group {
    name: &'static str,
    impact: &'static str,
    has_happy_form: bool,
}

const CRITICAL: Group = Group {
    name: "CriticalAlerts",
    impact: "suggesting significant cluster issues worth investigating",
    has_happy_form: true,
};
const DISRUPTION_BUDGET: Group = Group {
    name: "PodDisruptionBudgetAlerts",
    impact: "which might slow node drains",
    has_happy_form: true,
};
const IMAGE_PULL: Group = Group {
    name: "PodImagePullAlerts",
    impact: "which may slow workload redistribution during rolling node updates",
    has_happy_form: true,
};
const NODE: Group = Group { name: "NodeAlerts", ..IMAGE_PULL };
const PRECHECK: Group = Group {
    name: "UpdatePrecheckAlerts",
    impact: "suggesting issues worth investigating before updating the cluster",
    has_happy_form: true,
};
const VIRT: Group = Group { name: "VirtAlerts", has_happy_form: false, ..IMAGE_PULL };

/// Whether a critical alert is that about disruption budgets, by the name that `oc` has for it. The
/// group of disruption budgets is then not happy.
fn is_misnamed_limit(group: &Group, name: &str) -> bool {
    group.name == CRITICAL.name && name == "PodDisruptionBudgetLimit"
}

/// The group of an alert. None: it does not matter.
fn group(alert: &Alert) -> Option<&'static Group> {
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

/// A condition about alerts, and the name under which it can be accepted.
struct Verdict<'a> {
    condition: Condition,
    issue: &'a str,
}

/// Prints what alerts say, and adds their issues. `mock` is the file that the object is from, or
/// empty.
pub(super) fn review(alerts: Alerts<'_>, mock: &str, review: &mut Review<'_>) {
    let verdicts = match alerts {
        Alerts::Of(alerts) => verdicts(alerts),
        Alerts::NotMocked if !mock.is_empty() => vec![no_test_data(mock)],
        Alerts::Unavailable | Alerts::NotMocked => {
            review.say(NO_ROUTE);
            review.add("FailedToCompletePrecheck");
            Vec::new()
        }
        Alerts::LeftToOperator => Vec::new(),
    };
    print(&verdicts, review);
}

fn verdicts(alerts: &[Alert]) -> Vec<Verdict<'_>> {
    let mut verdicts = Vec::new();
    let mut unhappy = Vec::new();
    for alert in alerts.iter().filter(|alert| alert.state != "pending") {
        let Some(group) = group(alert) else { continue };
        let issue = alert.label("alertname");
        unhappy.push(group.name);
        if is_misnamed_limit(group, issue) {
            unhappy.push(DISRUPTION_BUDGET.name);
        }
        let condition = Condition {
            kind: format!("recommended/{}/{issue}/{}", group.name, verdicts.len()),
            status: "False".into(),
            reason: format!("Alert:{}", alert.state),
            message: message(alert, group),
            ..Condition::default()
        };
        verdicts.push(Verdict { condition, issue });
    }
    for group in [CRITICAL, DISRUPTION_BUDGET, IMAGE_PULL, NODE, PRECHECK, VIRT] {
        if group.has_happy_form && !unhappy.contains(&group.name) {
            let condition = Condition {
                kind: format!("recommended/{}", group.name),
                status: "True".into(),
                reason: "AsExpected".into(),
                ..Condition::default()
            };
            verdicts.push(Verdict { condition, issue: "" });
        }
    }
    verdicts
}

fn message(alert: &Alert, group: &Group) -> String {
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
    // The summaries of these alerts do not say which budget it is.
    let is_about_budget = group.name == DISRUPTION_BUDGET.name || is_misnamed_limit(group, name);
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

/// Beside the file of the object, there is none with alerts.
fn no_test_data(mock: &str) -> Verdict<'static> {
    let path = mock.replacen("-cv.yaml", "-alerts.json", 1);
    let condition = Condition {
        kind: "recommended/Alert".into(),
        status: "Unknown".into(),
        reason: "NoTestData".into(),
        message: format!(
            "This --mock-clusterversion run did not have alert data available at {path}"
        ),
        ..Condition::default()
    };
    Verdict { condition, issue: "AlertNoTestData" }
}

fn print(verdicts: &[Verdict<'_>], review: &mut Review<'_>) {
    let (happy, unhappy): (Vec<_>, Vec<_>) =
        verdicts.iter().partition(|one| one.condition.status == "True");
    let (accepted, open): (Vec<_>, Vec<_>) =
        unhappy.iter().partition(|one| review.accepts(one.issue));
    let happy =
        happy.iter().map(|one| format!("{} ({})", one.condition.kind, one.condition.reason));
    let kinds =
        |list: Vec<&&Verdict<'_>>| list.iter().map(|one| one.condition.kind.clone()).collect();
    let (accepted, open): (Vec<String>, Vec<String>) = (kinds(accepted), kinds(open));
    let has_open = !open.is_empty();
    for (cause, names, end) in [
        ("no cause", happy.collect(), ""),
        ("cause", accepted, ", but were explicitly accepted via --accept"),
        ("cause", open, ""),
    ] {
        review.say(summary(cause, names, end));
    }
    for Verdict { condition, issue } in unhappy {
        // What is accepted is explained too, but only if something else is not.
        if has_open {
            review.say(block(condition));
        }
        review.add(issue);
    }
}

/// One line about several conditions. Nothing if there are none.
fn summary(cause: &str, mut names: Vec<String>, end: &str) -> String {
    if names.is_empty() {
        return String::new();
    }
    names.sort_unstable();
    let names = names.join(", ");
    format!(
        "The following conditions found {cause} for concern in updating this cluster to later \
         releases{end}: {names}\n\n"
    )
}
