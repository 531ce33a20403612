//! Updates that are not recommended.

use super::super::super::object::{ClusterVersion, Condition, ObjectRisk, Release, condition};
use super::FailedPrecondition;

const CHECK: &str = "ClusterVersionRecommendedUpdate";
/// If two warnings are joined, the operator also joins the names of their checks.
const CHECK_TWICE: &str = "ClusterVersionRecommendedUpdate|ClusterVersionRecommendedUpdate";

/// Reports an update that is not recommended. This is only recorded, and never blocks the update.
pub(super) fn failure(cluster: &ClusterVersion, target: &Release) -> Option<FailedPrecondition> {
    let status = &cluster.status;
    let (from, to) = (&status.desired.version, &target.version);
    let is_it = |release: &Release| release.version == *to;
    let alerts = firing_alerts(cluster);
    let of_alerts = (!alerts.is_empty()).then(|| {
        let message = format!(
            "Update from {from} to {to} is not recommended:\n\nThose alerts have to be accepted as \
             risks before updates: {}",
            alerts.join(", ")
        );
        Warning { check: CHECK, reason: "alertMightImpactUpdate".to_owned(), message }
    });
    let found = if status.available_updates.iter().any(is_it) {
        return of_alerts.map(Warning::failure);
    } else if let Some(update) =
        status.conditional_updates.iter().find(|update| is_it(&update.release))
    {
        let found = condition(&update.conditions, "Recommended");
        if found.is_some_and(|found| found.status == "True") {
            return None;
        }
        let of_update = Warning::of_conditional(found, from, to);
        match of_alerts {
            Some(of_alerts) => of_alerts.and(&of_update),
            None => of_update,
        }
    } else if cluster.spec.channel.is_empty() {
        let message = format!(
            "Configured channel is unset, so the recommended status of updating from {from} to \
             {to} is unknown."
        );
        Warning { check: CHECK, reason: "NoChannel".to_owned(), message }
    } else {
        Warning::of_unknown(condition(&status.conditions, "RetrievedUpdates"), from, to)
    };
    Some(found.failure())
}

/// The names of the alerts that the administrator did not accept.
fn firing_alerts(cluster: &ClusterVersion) -> Vec<&str> {
    let update = cluster.spec.desired_update.iter();
    let accepted: Vec<&str> =
        update.flat_map(|update| &update.accept_risks).map(|risk| risk.name.as_str()).collect();
    let is_firing = |risk: &&ObjectRisk| {
        condition(&risk.conditions, "Applies")
            .is_some_and(|one| one.status == "True" && one.reason.starts_with("Alert:"))
    };
    let risks = cluster.status.conditional_update_risks.iter().filter(is_firing);
    let mut names: Vec<&str> =
        risks.map(|risk| risk.name.as_str()).filter(|name| !accepted.contains(name)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What the operator records about an update that is not recommended.
struct Warning {
    check: &'static str,
    reason: String,
    message: String,
}

impl Warning {
    fn of_conditional(recommended: Option<&Condition>, from: &str, to: &str) -> Self {
        let Some(found) = recommended else {
            let message = format!(
                "Update from {from} to {to} has a status.conditionalUpdates entry, but no \
                 Recommended condition."
            );
            return Self { check: CHECK, reason: "UnknownConditionType".to_owned(), message };
        };
        let Condition { status, reason, message: text, .. } = found;
        let message = if status == "False" {
            format!("Update from {from} to {to} is not recommended:\n\n{text}")
        } else {
            format!("Update from {from} to {to} is Recommended={status}: {reason}: {text}")
        };
        Self { check: CHECK, reason: reason.clone(), message }
    }

    fn of_unknown(retrieved: Option<&Condition>, from: &str, to: &str) -> Self {
        let message = match retrieved {
            None => format!(
                "No RetrievedUpdates, so the recommended status of updating from {from} to {to} \
                 is unknown."
            ),
            Some(found) if found.status == "True" => format!(
                "RetrievedUpdates=True ({}), so the update from {from} to {to} is probably neither \
                 recommended nor supported.",
                found.reason
            ),
            Some(found) => format!(
                "RetrievedUpdates={} ({}), so the recommended status of updating from {from} to \
                 {to} is unknown.",
                found.status, found.reason
            ),
        };
        Self { check: CHECK, reason: "UnknownUpdate".to_owned(), message }
    }

    fn and(&self, other: &Self) -> Self {
        Self {
            check: CHECK_TWICE,
            reason: format!("{}|{}", self.reason, other.reason),
            message: format!("{}\n{}", self.message, other.message),
        }
    }

    fn failure(self) -> FailedPrecondition {
        let Self { check, reason, message } = self;
        FailedPrecondition { check, reason, message, is_blocking: false }
    }
}
