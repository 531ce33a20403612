//! A repository without a part that the service requires.

use crate::graph_data::{FileKind, GraphData};
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP501",
    name: "missing-part",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::Repository,
    severity: Severity::Error,
    summary: "`version`, `raw/metadata.json`, or a data folder is missing",
    explanation: "\
The service reads `version`, `raw/metadata.json`, `blocked-edges/`, and `channels/`. If
one of them is missing, the service gives up: it keeps serving the last graph that it
built, and no change reaches any cluster.",
    bad: "a repository without `raw/metadata.json`",
    good: "raw/metadata.json      (write `{}` if it needs no content)",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let parts = [
        (FileKind::SchemaVersion, "version", "create it with the line `1.1.0`"),
        (
            FileKind::RawMetadata,
            "raw/metadata.json",
            "create it; write `{}` if it needs no content",
        ),
        (
            FileKind::BlockedEdge,
            "blocked-edges",
            "the folder must exist, even if it contains only a README",
        ),
        (
            FileKind::Channel,
            "channels",
            "add a channel: without one, the service serves no clusters",
        ),
    ];
    for (kind, path, help) in parts {
        let folder = format!("{path}/");
        let there = |file: &crate::graph_data::DataFile| {
            file.kind == kind
                || data.path(file.id).starts_with(&folder)
                || data.path(file.id) == path
        };
        if !data.files.iter().any(there) {
            let message = format!(
                "`{path}` is missing, so the service does not build a new graph from this repository"
            );
            findings.push(Finding::on(&RULE, Place::Absent(path.to_owned()), message).help(help));
        }
    }
}
