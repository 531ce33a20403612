//! The release that a request means.

use super::super::command_line::Flags;
use super::super::console::{Console, OcError};
use super::super::reference::PullSpec;
use super::super::texts::indented;
use crate::cluster::object::{
    ClusterVersion, Condition, ConditionalUpdate, DesiredUpdate, Release, condition, newest_first,
};

/// A release that the request could have meant.
pub(super) struct Candidate<'a> {
    pub(super) release: &'a Release,
    /// Why it is not recommended. None if it is recommended.
    verdict: Option<&'a Condition>,
}

/// The update to request, and the releases that were considered before it was found, the newest
/// first.
pub(super) fn find<'a>(
    flags: &Flags,
    cluster: &'a ClusterVersion,
    console: &mut Console,
) -> Result<(Option<DesiredUpdate>, Vec<Candidate<'a>>), OcError> {
    let mut candidates = Vec::new();
    let mut update = among_available(flags, cluster, &mut candidates, console);
    if update.is_none() {
        update = among_conditional(flags, cluster, &mut candidates, console)?;
    }
    let image = flags.text("to-image");
    if update.is_none() && !image.is_empty() && flags.is_on("allow-explicit-upgrade") {
        update = Some(DesiredUpdate { image: image.into(), ..DesiredUpdate::default() });
        console.warn(
            "warning: The requested upgrade image is not one of the available updates. You have \
             used --allow-explicit-upgrade for the update to proceed anyway\n",
        );
    }
    candidates.sort_by(|a, b| newest_first(&a.release.version, &b.release.version));
    // With `--to-latest`, the newest release wins over a named one if any release was considered
    // first.
    if let Some(newest) = candidates.first().filter(|_| flags.is_on("to-latest")) {
        let is_it = |one: &&Candidate<'_>| {
            one.verdict.is_some() && one.release.image == newest.release.image
        };
        if let Some(verdict) = candidates.iter().rev().find(is_it).and_then(|one| one.verdict) {
            console.warn(accepted(newest.release, verdict));
        }
        update = Some(requested(newest.release));
    }
    Ok((update, candidates))
}

fn among_available<'a>(
    flags: &Flags,
    cluster: &'a ClusterVersion,
    candidates: &mut Vec<Candidate<'a>>,
    console: &mut Console,
) -> Option<DesiredUpdate> {
    for release in &cluster.status.available_updates {
        if names_target(flags, release, "available updates", console) {
            let mut update = requested(release);
            // An administrator who names an image gets it from that registry.
            let image = flags.text("to-image");
            if !image.is_empty() {
                image.clone_into(&mut update.image);
            }
            return Some(update);
        }
        candidates.push(Candidate { release, verdict: None });
    }
    None
}

fn among_conditional<'a>(
    flags: &Flags,
    cluster: &'a ClusterVersion,
    candidates: &mut Vec<Candidate<'a>>,
    console: &mut Console,
) -> Result<Option<DesiredUpdate>, OcError> {
    let is_allowed = flags.is_on("allow-not-recommended");
    for ConditionalUpdate { release, conditions, .. } in &cluster.status.conditional_updates {
        let verdict = condition(conditions, "Recommended").filter(|one| one.status != "True");
        let Some(verdict) = verdict else { continue };
        if names_target(flags, release, "available conditional updates", console) {
            if !is_allowed {
                return Err(refusal(release, verdict));
            }
            console.warn(accepted(release, verdict));
            return Ok(Some(requested(release)));
        }
        if is_allowed {
            candidates.push(Candidate { release, verdict: Some(verdict) });
        }
    }
    Ok(None)
}

/// Whether the request names this release. An image in another registry is the same if its digest
/// is.
fn names_target(flags: &Flags, release: &Release, list: &str, console: &mut Console) -> bool {
    let (to, image) = (flags.text("to"), flags.text("to-image"));
    if !to.is_empty() && release.version == to {
        return true;
    }
    if image.is_empty() || release.image == image {
        return !image.is_empty();
    }
    let specs = PullSpec::read(&release.image).and_then(|one| Ok((one, PullSpec::read(image)?)));
    match specs {
        Ok((listed, named)) => named.digest.is_some() && listed.digest == named.digest,
        Err(fault) => {
            console.warn(format!(
                "warning: unable to calculate match for the update target in {list}: {fault}\n"
            ));
            false
        }
    }
}

fn requested(Release { version, image, .. }: &Release) -> DesiredUpdate {
    let (version, image) = (version.clone(), image.clone());
    DesiredUpdate { version, image, ..DesiredUpdate::default() }
}

fn accepted(release: &Release, verdict: &Condition) -> String {
    let Condition { kind, status, reason, message, .. } = verdict;
    let version = &release.version;
    format!(
        "warning: with --allow-not-recommended you have accepted the risks with {version} and \
         bypassed {kind}={status} {reason}: {message}\n"
    )
}

fn refusal(release: &Release, verdict: &Condition) -> OcError {
    let Condition { kind, status, reason, message, .. } = verdict;
    let (version, message) = (&release.version, indented(message));
    OcError::new(format!(
        "the update {version} is not one of the recommended updates, but is available as a \
         conditional update. To accept the {kind}={status} risk and to proceed with update use \
         --allow-not-recommended.\n  Reason: {reason}\n  Message: {message}\n"
    ))
}
