//! The patches that `oc` sends.

use serde_json::{Value as Json, json};

use crate::cluster::object::{AcceptedRisk, DesiredUpdate};

/// Requests an update. None: requests nothing any more.
pub(super) fn desired_update(update: Option<&DesiredUpdate>) -> Json {
    json!({ "spec": { "desiredUpdate": update } })
}

/// Sets the channel.
pub(super) fn channel(channel: &str) -> Json {
    json!({ "spec": { "channel": channel } })
}

/// Sets the accepted risks and leaves the requested update alone. No risks: the key is removed.
pub(super) fn accepted_risks(risks: &[AcceptedRisk]) -> Json {
    let risks = (!risks.is_empty()).then_some(risks);
    json!({ "spec": { "desiredUpdate": { "acceptRisks": risks } } })
}
