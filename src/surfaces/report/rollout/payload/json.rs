//! Writes the report as JSON. The format is versioned, and fields are only added.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::domain::Named;
use crate::payload::{Difference, Manifest, ManifestId, Pair, Payload, Problem, Slot};
use crate::report::json::write_json_line;

use super::PayloadReport;

pub(super) fn write(report: &PayloadReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let payload = report.payload;
    let mut steps: Vec<Vec<Value>> = vec![Vec::new(); report.steps.count()];
    for cell in report.steps.cells(payload) {
        let manifests = cell.manifests.iter().map(|id| manifest(&payload.manifests[*id]));
        let component = json!({
            "level": cell.slot.map(|slot| slot.level),
            "component": cell.slot.map(|slot| slot.component),
            "manifests": manifests.collect::<Vec<_>>(),
        });
        if let Some(step) = steps.get_mut(cell.step - 1) {
            step.push(component);
        }
    }
    let problems: Vec<Value> =
        report.problems.iter().map(|problem| of_problem(report, problem)).collect();
    let mut document = json!({
        "version": 1,
        "release": payload.version,
        "omitted": payload.omitted,
        "steps": steps,
        "problems": problems,
    });
    if let Some((older, difference)) = &report.older {
        document["difference"] = of_difference(payload, older, difference);
    }
    write_json_line(&document, out)
}

fn manifest(manifest: &Manifest) -> Value {
    let mut json = json!({
        "file": manifest.file,
        "group": manifest.group,
        "kind": manifest.kind,
        "name": manifest.name,
    });
    if !manifest.namespace.is_empty() {
        json["namespace"] = json!(manifest.namespace);
    }
    if manifest.is_cluster_operator() {
        let version =
            |(name, version): &(String, String)| json!({"name": name, "version": version});
        json["versions"] = manifest.versions.iter().map(version).collect();
    }
    json
}

fn of_problem(report: &PayloadReport<'_>, problem: &Problem) -> Value {
    let place = report.place(problem);
    let position = place.and_then(|(_, position)| position);
    json!({
        "name": problem.name,
        "severity": problem.severity.name(),
        "file": place.map(|(file, _)| file),
        "line": position.map(|(line, _)| line),
        "column": position.map(|(_, column)| column),
        "message": problem.message,
        "help": problem.help,
    })
}

fn of_difference(new: &Payload, old: &Payload, difference: &Difference) -> Value {
    let of = |payload: &Payload, ids: &[ManifestId]| -> Vec<Value> {
        ids.iter().map(|id| manifest(&payload.manifests[*id])).collect()
    };
    let place = |manifest: &Manifest| {
        let slot = Slot::of(&manifest.file);
        json!({
            "file": manifest.file,
            "level": slot.map(|slot| slot.level),
            "component": slot.map(|slot| slot.component),
        })
    };
    let moved = difference.moved.iter().map(|Pair { old: from, new: to }| {
        let mut json = manifest(&new.manifests[*to]);
        json["from"] = place(&old.manifests[*from]);
        json["to"] = place(&new.manifests[*to]);
        json
    });
    let changed: Vec<ManifestId> = difference.changed.iter().map(|pair| pair.new).collect();
    json!({
        "older": old.version,
        "added": of(new, &difference.added),
        "removed": of(old, &difference.removed),
        "moved": moved.collect::<Vec<_>>(),
        "changed": of(new, &changed),
    })
}
