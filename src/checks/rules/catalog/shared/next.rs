//! Phrases that the rules about the catalog of the next OpenShift share.

use crate::rules::{NextCatalog, whole};

/// The phrase "after the update of a cluster". The thing that is lost follows it.
pub(in crate::checks::rules::catalog) fn after_update(next: &NextCatalog<'_>) -> String {
    format!("after the update of a cluster to OpenShift {}", whole(&next.name))
}

/// Suggests the alternative: clusters stay on their OpenShift. It only helps installs that can move
/// to these heads.
pub(in crate::checks::rules::catalog) fn or_limit(next: &NextCatalog<'_>, heads: &str) -> String {
    next.from.map_or_else(String::new, |from| {
        format!(
            "; or keep clusters on {from}: publish {heads} here with `olm.maxOpenShiftVersion: \
             \"{from}\"`"
        )
    })
}
