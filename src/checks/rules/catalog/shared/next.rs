//! What the rules about the catalog of the next OpenShift say alike.

use crate::rules::{NextCatalog, whole};

/// To follow "after the update of a cluster": what has lost something.
pub(in crate::checks::rules::catalog) fn after_update(next: &NextCatalog<'_>) -> String {
    format!("after the update of a cluster to OpenShift {}", whole(&next.name))
}

/// The alternative: clusters stay where they are. It only helps installs that get there.
pub(in crate::checks::rules::catalog) fn or_limit(next: &NextCatalog<'_>, heads: &str) -> String {
    next.from.map_or_else(String::new, |from| {
        format!(
            "; or keep clusters on {from}: publish {heads} here with `olm.maxOpenShiftVersion: \
             \"{from}\"`"
        )
    })
}
