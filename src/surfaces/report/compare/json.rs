//! Writes the report as JSON. The format is versioned, and fields are only added.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::compare::{Differences, Offered};
use crate::domain::{Named, Version};
use crate::report::json::write_json_line;

use super::{Cause, ComparedAnswer, ComparisonReport, Outcome};

pub(super) fn write(report: &ComparisonReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let answers: Vec<Value> = report.answers.iter().map(answer).collect();
    let cause = report.cause.as_ref().map(|cause| match cause {
        Cause::OlderRevision { commit, left, .. } => {
            json!({"kind": "older-revision", "commit": commit, "differences_left": left})
        }
        Cause::NoChannel => json!({"kind": "no-channel"}),
        Cause::NotScraped => json!({"kind": "not-scraped"}),
        Cause::Unknown => json!({"kind": "unknown"}),
    });
    let equal = !report.has_differences() && !report.has_missing();
    let document = json!({"version": 1, "equal": equal, "answers": answers, "cause": cause});
    write_json_line(&document, out)
}

fn answer(answer: &ComparedAnswer) -> Value {
    let mut json = match &answer.outcome {
        Outcome::Compared { differences, updates } => {
            let mut json = of_differences(differences);
            json["updates"] = json!(updates);
            json
        }
        Outcome::Missing(why) => json!({"error": why}),
    };
    json["channel"] = json!(answer.channel);
    json["arch"] = json!(answer.arch.name());
    json
}

fn of_differences(differences: &Differences) -> Value {
    let versions =
        |list: &[Version]| -> Vec<String> { list.iter().map(Version::to_string).collect() };
    let updates = differences.updates.iter().map(|update| {
        json!({
            "from": update.from.to_string(),
            "to": update.to.to_string(),
            "theirs": offered(&update.theirs),
            "ours": offered(&update.ours),
        })
    });
    json!({
        "equal": differences.are_none(),
        "updates": 0,
        "uncertain": differences.uncertain,
        "only_theirs": versions(&differences.only_theirs),
        "only_ours": versions(&differences.only_ours),
        "other_channels": versions(&differences.other_channels),
        "other_images": versions(&differences.other_images),
        "different_updates": updates.collect::<Vec<_>>(),
        "different_risks": differences.risks,
    })
}

/// None if it is not offered. Otherwise, the names of its risks.
fn offered(offered: &Offered) -> Option<Vec<&String>> {
    match offered {
        Offered::Not => None,
        Offered::Open => Some(Vec::new()),
        Offered::Conditional(names) => Some(names.iter().collect()),
    }
}
