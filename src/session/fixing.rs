//! Fixes findings.

use std::collections::BTreeMap;
use std::path::Path;

use crate::domain::Severity;
use crate::edit;
use crate::graph_data::GraphData;
use crate::lint::Outcome;
use crate::text::printable;
use crate::tree::Blob;

use super::{Failure, Linter};

/// A fix can reveal a finding that another fix repairs. This many rounds are enough for any file.
const ROUNDS: usize = 8;

#[derive(Debug)]
pub(crate) struct Fixed {
    pub data: GraphData,
    /// The old and the new text of each changed file.
    pub changed: BTreeMap<String, (String, String)>,
    pub fixes: usize,
}

/// Fixes the findings `found` in `data`, which was parsed from `files`.
#[must_use]
pub(crate) fn fix(
    linter: &Linter<'_>,
    mut files: Vec<Blob>,
    mut data: GraphData,
    mut found: Outcome,
) -> Fixed {
    let mut changed: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut total = 0;
    // Each fix is compared with all others, so their number is limited.
    found.omit_excess(&data.sources);
    for _ in 0..ROUNDS {
        let offered = found.findings.iter().filter_map(|finding| finding.fix.as_ref());
        let (texts, applied) = edit::apply(&data.sources, offered);
        if texts.is_empty() {
            break;
        }
        let mut next = files.clone();
        for (file, new) in &texts {
            next[file.index()].content = Ok(new.clone().into_bytes());
        }
        let next_data = data.another(next.clone());
        let mut next_found = linter.lint_alone(&next_data);
        next_found.omit_excess(&next_data.sources);
        // Discards a round of fixes that adds errors. No rule should offer such a fix.
        if error_count(&next_found) > error_count(&found) {
            break;
        }
        total += applied;
        for (file, new) in texts {
            let source = data.sources.get(file);
            changed
                .entry(source.path().to_owned())
                .and_modify(|(_, newest)| newest.clone_from(&new))
                .or_insert_with(|| (source.text().to_owned(), new));
        }
        (files, data, found) = (next, next_data, next_found);
    }
    Fixed { data, changed, fixes: total }
}

fn error_count(outcome: &Outcome) -> usize {
    outcome.findings.iter().filter(|finding| finding.severity == Severity::Error).count()
}

impl Fixed {
    pub(crate) fn write(&self, root: &Path) -> Result<(), Failure> {
        let mut failed = Vec::new();
        for (path, (_, new)) in &self.changed {
            if let Err(why) = edit::write(&root.join(path), new) {
                failed.push(format!("cannot fix {}: {why}", printable(path)));
            }
        }
        if failed.is_empty() {
            Ok(())
        } else {
            Err(Failure::of_lines(&failed.join("\n          ")))
        }
    }
}
