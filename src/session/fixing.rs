//! Fixing what is found.

use std::collections::BTreeMap;
use std::path::Path;

use crate::domain::Severity;
use crate::edit;
use crate::graph_data::GraphData;
use crate::lint::Outcome;
use crate::text::printable;
use crate::tree::Blob;

use super::{Failure, Judge};

/// A fix may uncover what the next one fixes. So many rounds are enough for any file.
const ROUNDS: usize = 8;

/// A repository after its fixes.
#[derive(Debug)]
pub(crate) struct Fixed {
    /// Its data.
    pub data: GraphData,
    /// The changed files: path → old and new text.
    pub changed: BTreeMap<String, (String, String)>,
    /// How many findings were fixed.
    pub fixes: usize,
}

/// Fixes what was `found` in `data`, which was read from `files`, and judges the result.
#[must_use]
pub(crate) fn fix(
    judge: &Judge<'_>,
    mut files: Vec<Blob>,
    mut data: GraphData,
    mut found: Outcome,
) -> Fixed {
    let mut changed: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut taken_in_all = 0;
    // Each fix is compared with the others, so there must not be too many at a time.
    found.cut(&data.sources);
    for _ in 0..ROUNDS {
        let offered = found.findings.iter().filter_map(|finding| finding.fix.as_ref());
        let (texts, taken) = edit::apply(&data.sources, offered);
        if texts.is_empty() {
            break;
        }
        let mut next = files.clone();
        for (file, new) in &texts {
            next[file.index()].content = Ok(new.clone().into_bytes());
        }
        let next_data = GraphData::from_blobs(next.clone());
        let mut next_found = judge.judge_alone(&next_data);
        next_found.cut(&next_data.sources);
        // No rule offers a fix that does harm. Should one do so all the same, nothing is changed.
        if errors(&next_found) > errors(&found) {
            break;
        }
        taken_in_all += taken;
        for (file, new) in texts {
            let source = data.sources.get(file);
            changed
                .entry(source.path().to_owned())
                .and_modify(|(_, newest)| newest.clone_from(&new))
                .or_insert_with(|| (source.text().to_owned(), new));
        }
        (files, data, found) = (next, next_data, next_found);
    }
    Fixed { data, changed, fixes: taken_in_all }
}

fn errors(outcome: &Outcome) -> usize {
    outcome.findings.iter().filter(|finding| finding.severity == Severity::Error).count()
}

impl Fixed {
    /// Writes the changed files.
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
