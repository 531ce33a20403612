//! `--version`: shows one target, and whether all its issues are accepted.

use super::super::console::OcError;
use super::super::texts::indented;
use super::review::Review;
use super::targets::{Targets, objection};
use crate::cluster::object::{ConditionalUpdate, parse_version};
use crate::domain::Minor;

const RISK: &str = "ConditionalUpdateRisk";

pub(super) fn show(
    version: &str,
    targets: &Targets,
    mut review: Review<'_>,
) -> Result<(), OcError> {
    let target = find(version, targets)?;
    review.say("\n");
    describe(target, &mut review);
    let (all, open) = review.issues();
    if !open.is_empty() {
        let open = open.join(",");
        return Err(OcError::new(format!(
            "issues that apply to this cluster but which were not included in --accept: {open}"
        )));
    }
    if !all.is_empty() {
        let all = all.join(",");
        review.say(format!(
            "Update to {version} has no known issues relevant to this cluster other than the \
             accepted {all}.\n"
        ));
    }
    Ok(())
}

fn find<'a>(version: &str, targets: &'a Targets) -> Result<&'a ConditionalUpdate, OcError> {
    let parsed = parse_version(version).map_err(OcError::new)?;
    let minor = Minor::of(&parsed);
    let has_major = targets.by_minor.keys().any(|other| other.major == minor.major);
    let missing = if targets.by_minor.is_empty() {
        "no updates".to_owned()
    } else if !has_major {
        format!("no updates to {}", minor.major)
    } else if let Some(updates) = targets.by_minor.get(&minor) {
        let found = updates.iter().find(|update| update.release.version == version);
        return found.ok_or_else(|| {
            OcError::new(format!(
                "no update to {version} available, so cannot display context for the requested \
                 release"
            ))
        });
    } else {
        format!("no updates to {minor}")
    };
    Err(OcError::new(format!(
        "{missing} available, so cannot display context for the requested release {version}"
    )))
}

fn describe(target: &ConditionalUpdate, review: &mut Review<'_>) {
    let release = &target.release;
    let (version, place) =
        (&release.version, format!("Image: {}\nRelease URL: {}\n", release.image, release.url));
    let Some(objection) = objection(target) else {
        review.say(format!(
            "Update to {version} has no known issues relevant to this cluster.\n{place}"
        ));
        return;
    };
    let (kind, status) = (&objection.kind, &objection.status);
    let reason = if review.accepts(RISK) {
        format!("accepted {} via {RISK}", objection.reason)
    } else {
        objection.reason
    };
    let message = indented(&objection.message);
    review.say(format!(
        "Update to {version} {kind}={status}:\n{place}Reason: {reason}\nMessage: {message}\n"
    ));
    review.add(RISK);
}
