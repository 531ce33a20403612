//! The operator's own conditions that are issues for updates.

use super::super::texts::{block, indented, no_current, reason_and_message, stated};
use super::review::Review;
use crate::cluster::object::ClusterVersion;

const FAILING: &str = "Failing";
const PROGRESSING: &str = "Progressing";

/// Reports if the operator fails, does not report whether it fails, or is busy.
pub(super) fn failing_and_progressing(cluster: &ClusterVersion, review: &mut Review<'_>) {
    let prefix = review.prefix(FAILING);
    match stated(cluster, FAILING, |_| true) {
        Some(failing) if failing.status == "False" => {}
        Some(failing) => {
            review.say(format!("{prefix}{}", block(failing)));
            review.add(FAILING);
        }
        None => {
            review.warn(format!("{prefix}{}", no_current(FAILING)));
            review.add(FAILING);
        }
    }
    let progressing = stated(cluster, PROGRESSING, |status| status == "True");
    if let Some(progressing) = progressing.filter(|one| !one.message.is_empty()) {
        let prefix = review.prefix(PROGRESSING);
        let message = indented(&progressing.message);
        review.say(format!(
            "{prefix}info: An update is in progress.  You may wish to let this update complete \
             before requesting a new update.\n  {message}\n\n"
        ));
        review.add(PROGRESSING);
    }
}

/// Reports if the list of updates may be old.
pub(super) fn retrieved_updates(cluster: &ClusterVersion, review: &mut Review<'_>) {
    if let Some(failed) = stated(cluster, "RetrievedUpdates", |status| status != "True") {
        let why = reason_and_message(failed);
        review.warn(format!("warning: Cannot refresh available updates:\n{why}\n\n"));
        review.add("CannotRetrieveUpdates");
    }
}
