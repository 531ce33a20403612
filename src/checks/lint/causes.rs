//! Removes findings that others explain: some mistakes cause findings of other rules in the same
//! file.

use crate::domain::HashSet;
use crate::rules::{Finding, Place};
use crate::text::SourceId;

/// Removes the findings that another finding in the same file explains.
pub(super) fn remove_explained(findings: &mut Vec<Finding>) {
    if findings.iter().all(|finding| finding.rule.properties.explained_by.is_empty()) {
        return;
    }
    let found: HashSet<(SourceId, &str)> =
        findings.iter().filter_map(|finding| Some((file(finding)?, finding.rule.name))).collect();
    findings.retain(|finding| {
        let mut causes = finding.rule.properties.explained_by.iter();
        file(finding).is_none_or(|file| causes.all(|cause| !found.contains(&(file, *cause))))
    });
}

fn file(finding: &Finding) -> Option<SourceId> {
    match &finding.place {
        Place::Text(span) => Some(span.source),
        Place::File(file) => Some(*file),
        Place::Absent(_) => None,
    }
}
