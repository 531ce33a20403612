//! The patches that `oc` sends.

use serde_json::{Value as Json, json};

use crate::cluster::object::{AcceptedRisk, DesiredUpdate};

/// Requests an update. None removes the request.
pub(super) fn desired_update(update: Option<&DesiredUpdate>) -> Json {
    json!({ "spec": { "desiredUpdate": update } })
}

/// Sets the channel.
pub(super) fn channel(channel: &str) -> Json {
    json!({ "spec": { "channel": channel } })
}

/// Sets the accepted risks, and does not change the requested update. An empty list removes the
/// key.
pub(super) fn accepted_risks(risks: &[AcceptedRisk]) -> Json {
    let risks = (!risks.is_empty()).then_some(risks);
    json!({ "spec": { "desiredUpdate": { "acceptRisks": risks } } })
}
