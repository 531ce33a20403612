//! Writes the report as JSON. The format is versioned, and fields are only added.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::cluster::object::{ConditionalUpdate, ObjectRisk, condition};
use crate::cluster::{ForwardState, MinorOutlook, fires_at, speaks_of};
use crate::domain::Named;
use crate::domain::time::write_time;
use crate::report::json::write_json_line;

use super::ClusterReport;

pub(super) fn write(report: &ClusterReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let stored = &report.outcome.stored;
    let recommended = stored.available_updates.iter().map(|release| &release.version);
    let held =
        stored.conditional_updates.iter().filter(|update| super::status_of(update) != "True");
    let retrieved = &report.outcome.retrieved;
    let mut document = json!({
        "version": 1,
        "not_loaded": report.not_loaded,
        "release": stored.desired.version,
        "arch": report.arch.name(),
        "operator": report.minor.to_string(),
        "retrieved": {
            "status": retrieved.status,
            "reason": retrieved.reason,
            "message": retrieved.message,
        },
        "recommended": recommended.collect::<Vec<_>>(),
        "not_recommended": held.map(update).collect::<Vec<_>>(),
        "forward": report.forward.iter().map(forward).collect::<Vec<_>>(),
        "cannot_evaluate_alert": fires_at(stored).map(write_time),
        "change": report.before.map(|before| super::difference::json(&before.stored, stored)),
    });
    let channel = &report.cluster.spec.channel;
    if !channel.is_empty() {
        document["channel"] = json!(channel);
    }
    write_json_line(&document, out)
}

fn update(update: &ConditionalUpdate) -> Value {
    let verdict = condition(&update.conditions, "Recommended");
    let about = |risk: &&ObjectRisk| verdict.is_some_and(|verdict| speaks_of(verdict, risk));
    let risks = update.risks.iter().flatten().filter(about).map(|risk| &risk.name);
    json!({
        "version": update.release.version,
        "status": super::status_of(update),
        "reason": verdict.map(|verdict| &verdict.reason),
        "message": verdict.map(|verdict| &verdict.message),
        "risks": risks.collect::<Vec<_>>(),
    })
}

fn forward(forward: &MinorOutlook) -> Value {
    let mut fields = match &forward.state {
        ForwardState::Recommended => json!({"state": "recommended"}),
        ForwardState::Newest => json!({"state": "newest"}),
        ForwardState::NotInChannel { others } => {
            json!({"state": "not-in-channel", "other_channels": others})
        }
        ForwardState::NoUpdate { newest, after } => {
            json!({"state": "no-update", "newest": newest, "update_first_to": after})
        }
        ForwardState::Held { targets, risks, is_unknown } => json!({
            "state": if *is_unknown { "unknown" } else { "held" },
            "targets": targets,
            "risks": risks,
        }),
    };
    fields["minor"] = forward.minor.to_string().into();
    let refusal = forward.refusal.as_ref();
    fields["refusal"] =
        json!(refusal.map(|one| json!({"reason": one.reason, "message": one.message})));
    fields
}
