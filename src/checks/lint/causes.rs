//! Removes findings that others explain: some mistakes cause findings of other rules in the same
//! file.

use crate::domain::HashSet;
use crate::rules::{Finding, Place};
use crate::text::SourceId;

/// A rule, and the rules whose findings in the same file it explains.
const EXPLAINS: [(&str, &[&str]); 5] = [
    // A pattern compared as text matches nothing, so the query never returns 1.
    ("regex-as-text", &["never-affected"]),
    // A label that the metric does not have has the same effect.
    ("unknown-label", &["never-affected"]),
    // A wrong `to` does not fit the name of the file.
    ("unknown-target", &["risk-file-name"]),
    ("duplicate-risk", &["risk-file-name"]),
    // Several samples are an error, so they are never a 1.
    ("several-answers", &["never-affected"]),
];

/// Removes the findings that another finding explains.
pub(super) fn remove_explained(findings: &mut Vec<Finding>) {
    let file = |finding: &Finding| match &finding.place {
        Place::Text(span) => Some(span.source),
        Place::File(file) => Some(*file),
        Place::Absent(_) => None,
    };
    let mut explained: HashSet<(SourceId, &str)> = HashSet::default();
    for finding in &*findings {
        let explains = EXPLAINS.iter().filter(|(cause, _)| *cause == finding.rule.name);
        let consequences = explains.flat_map(|(_, consequences)| consequences.iter());
        if let Some(file) = file(finding) {
            explained.extend(consequences.map(|consequence| (file, *consequence)));
        }
    }
    findings.retain(|finding| {
        file(finding).is_none_or(|file| !explained.contains(&(file, finding.rule.name)))
    });
}
