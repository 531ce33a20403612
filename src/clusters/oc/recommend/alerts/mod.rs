//! Alerts that are issues for updates.

mod group;
mod message;
mod print;

use super::super::Alerts;
use super::review::Review;
use crate::cluster::object::{Alert, Condition};
use group::{
    CRITICAL, DISRUPTION_BUDGET, IMAGE_PULL, NODE, PRECHECK, VIRT, group, is_misnamed_limit,
};
use message::message;

/// The error if the cluster has no route to the server that knows its alerts.
const NO_ROUTE: &str = "Failed to check for at least some preconditions: failed to get alerts from \
    Thanos: routes.route.openshift.io \"thanos-querier\" not found\n";

/// A condition about alerts, and the name under which it can be accepted.
struct AlertVerdict<'a> {
    condition: Condition,
    issue: &'a str,
}

/// Prints what alerts say, and adds their issues. `mock` is the file of the object, or empty.
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
    print::print(&verdicts, review);
}

fn verdicts(alerts: &[Alert]) -> Vec<AlertVerdict<'_>> {
    let mut verdicts = Vec::new();
    let mut unhappy = Vec::new();
    for alert in alerts.iter().filter(|alert| alert.state != "pending") {
        let Some(group) = group(alert) else { continue };
        let issue = alert.label("alertname");
        unhappy.push(group);
        if is_misnamed_limit(group, issue) {
            unhappy.push(&DISRUPTION_BUDGET);
        }
        let condition = Condition {
            kind: format!("recommended/{}/{issue}/{}", group.name, verdicts.len()),
            status: "False".into(),
            reason: format!("Alert:{}", alert.state),
            message: message(alert, group),
            ..Condition::default()
        };
        verdicts.push(AlertVerdict { condition, issue });
    }
    for group in [CRITICAL, DISRUPTION_BUDGET, IMAGE_PULL, NODE, PRECHECK, VIRT] {
        if group.has_happy_form && !unhappy.contains(&&group) {
            let condition = Condition {
                kind: format!("recommended/{}", group.name),
                status: "True".into(),
                reason: "AsExpected".into(),
                ..Condition::default()
            };
            verdicts.push(AlertVerdict { condition, issue: "" });
        }
    }
    verdicts
}

/// The verdict if there is no file with alerts beside the file with the object.
fn no_test_data(mock: &str) -> AlertVerdict<'static> {
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
    AlertVerdict { condition, issue: "AlertNoTestData" }
}
