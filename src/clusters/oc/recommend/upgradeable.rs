//! `Upgradeable=False`, as a risk of all updates to later minor versions.

use std::ops::Bound;

use super::super::texts::{reason_and_message, stated};
use super::review::Review;
use super::targets::Targets;
use crate::cluster::object::{
    ClusterVersion, Condition, ConditionalUpdate, ObjectRisk, parse_version,
};
use crate::domain::Minor;
use crate::go::quoted;

pub(super) fn apply(cluster: &ClusterVersion, targets: &mut Targets, review: &mut Review<'_>) {
    let found = stated(cluster, "Upgradeable", |status| status == "False");
    let Some(upgradeable) = found else { return };
    let current = &cluster.status.desired.version;
    match parse_version(current) {
        Ok(current) => {
            let later = (Bound::Excluded(Minor::of(&current)), Bound::Unbounded);
            for update in targets.by_minor.range_mut(later).flat_map(|(_, updates)| updates) {
                add_risk(update, upgradeable);
            }
        }
        Err(fault) => {
            let (current, why) = (quoted(current), reason_and_message(upgradeable));
            review.warn(format!(
                "warning: Cannot inject Upgradeable=False as a conditional update risk: cannot \
                 parse SemVer version {current}: {fault}\n\n{}\n\n",
                // `oc` does not indent the reason here.
                why.trim_start()
            ));
        }
    }
}

fn add_risk(update: &mut ConditionalUpdate, upgradeable: &Condition) {
    let Condition { reason, message, .. } = upgradeable;
    let risks = update.risks.get_or_insert_default();
    if risks.iter().any(|risk| risk.message.contains(message.as_str())) {
        return;
    }
    let (name, text) = ("UpgradeableFalse".into(), message.clone());
    risks.push(ObjectRisk { name, message: text, ..ObjectRisk::default() });
    let verdict = update.conditions.iter_mut().find(|one| one.kind == "Recommended");
    if let Some(verdict) = verdict {
        if verdict.status == "True" {
            verdict.reason.clone_from(reason);
            verdict.message.clone_from(message);
        } else {
            verdict.reason = "MultipleReasons".into();
            verdict.message = format!("{message}\n\n{}", verdict.message);
        }
        verdict.status = "False".into();
        return;
    }
    update.conditions.push(Condition {
        kind: "Recommended".into(),
        status: "False".into(),
        reason: reason.clone(),
        message: message.clone(),
        ..Condition::default()
    });
}
