//! The origins of a risk if the user names none.

use std::collections::BTreeSet;

use crate::domain::{Minor, Version};
use crate::graph_data::GraphData;
use crate::origins::{KnownReleases, Spec, origins, pattern_for};
use crate::text::Failure;

/// The pattern for the releases that do not have the bug yet: those of the target's minor and of
/// the minor before that are older than the first target there. Of the minor before, also those
/// that are newer than its last target, if there are any.
pub(super) fn default_origins(
    data: &GraphData,
    targets: &BTreeSet<Version>,
    target: &Version,
) -> Result<String, Failure> {
    let known = KnownReleases::of(&data.releases);
    let own = Minor::of(target);
    let minors = [data.releases.minor_before(own), Some(own)].into_iter().flatten();
    let minors: Vec<Minor> = minors.collect();
    let mut except = Vec::new();
    for minor in &minors {
        let of_minor = |version: &&Version| Minor::of(version) == *minor;
        let Some(first) = targets.iter().find(of_minor) else { continue };
        let last = targets.iter().rfind(of_minor).unwrap_or(first);
        let mut releases = data.releases.of_minor(*minor);
        let goes_on = *minor != own
            && releases.any(|id| data.releases.get(id).version.cmp_precedence(last).is_gt());
        except.push(if goes_on {
            Spec::between(first.clone(), last.clone())
        } else {
            Spec::since(first.clone())
        });
    }
    let has_pre_targets = targets.iter().any(|target| !target.pre.is_empty());
    let specs: Vec<Spec> = minors.into_iter().map(Spec::of_minor).collect();
    let found = origins(&known, &specs, &except, has_pre_targets).map_err(|_| {
        let what = format!("every origin of {target} has the bug already");
        Failure::new(what).hint("name the origins: `--from 4.17..4.18.3`")
    })?;
    pattern_for(&known, &found, None)
}
