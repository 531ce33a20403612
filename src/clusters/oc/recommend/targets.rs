//! The releases that a cluster could update to, by minor version, and the issues of each.

use std::collections::BTreeMap;

use crate::cluster::object::{
    ClusterVersion, Condition, ConditionalUpdate, condition, parse_version,
};
use crate::domain::Minor;
use crate::go::quoted;

use super::review::Review;

/// The targets of a cluster.
pub(super) struct Targets {
    /// The targets of each minor version, in the order of the object, conditional updates first. An
    /// unconditional update has no risks.
    pub(super) by_minor: BTreeMap<Minor, Vec<ConditionalUpdate>>,
}

impl Targets {
    /// Collects the targets. A target in both lists is taken from the conditional updates.
    pub(super) fn of(cluster: &ClusterVersion, review: &mut Review<'_>) -> Self {
        let conditional = &cluster.status.conditional_updates;
        let is_conditional =
            |image: &str| conditional.iter().any(|update| update.release.image == image);
        let available = cluster.status.available_updates.iter();
        let available = available.filter(|release| !is_conditional(&release.image));
        let available = available.map(|release| ConditionalUpdate {
            release: release.clone(),
            ..ConditionalUpdate::default()
        });
        let mut by_minor: BTreeMap<Minor, Vec<ConditionalUpdate>> = BTreeMap::new();
        for update in conditional.iter().cloned().chain(available) {
            let version = &update.release.version;
            match parse_version(version) {
                Ok(parsed) => {
                    by_minor.entry(Minor::of(&parsed)).or_default().push(update);
                }
                // `oc` forgets the line feed here.
                Err(fault) => review.warn(format!(
                    "warning: Cannot parse SemVer available update {}: {fault}",
                    quoted(version)
                )),
            }
        }
        Self { by_minor }
    }
}

/// The reason not to update to a target. If it has no risks, its conditions do not matter.
pub(super) fn objection(update: &ConditionalUpdate) -> Option<Condition> {
    let risks = update.risks.as_deref().filter(|risks| !risks.is_empty())?;
    if let Some(verdict) = condition(&update.conditions, "Recommended") {
        return (verdict.status != "True").then(|| verdict.clone());
    }
    // `oc` lists one empty name for each risk before the real names.
    let mut names = vec![""; risks.len()];
    names.extend(risks.iter().map(|risk| risk.name.as_str()));
    names.sort_unstable();
    let (version, names) = (&update.release.version, names.join(", "));
    Some(Condition {
        kind: "Recommended".into(),
        status: "Unknown".into(),
        reason: "NoConditions".into(),
        message: format!("Conditional update to {version} has risks ({names}), but no conditions."),
        ..Condition::default()
    })
}
