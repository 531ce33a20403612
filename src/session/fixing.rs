//! Fixes findings.

use std::collections::BTreeMap;

use crate::domain::Severity;
use crate::edit;
use crate::graph_data::GraphData;
use crate::lint::Outcome;
use crate::rules::{Edit, Fix};
use crate::text::SourceId;
use crate::tree::Blob;

use super::changed_file::write_all;
use super::{ChangedFile, Failure, Linter};

/// A fix can reveal a finding that another fix repairs. This many rounds are enough for any file.
const ROUNDS: usize = 8;

#[derive(Debug)]
pub(crate) struct Fixed {
    pub data: GraphData,
    pub changed: BTreeMap<SourceId, ChangedFile>,
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
    let mut changed: BTreeMap<SourceId, ChangedFile> = BTreeMap::new();
    let mut total = 0;
    // Each fix is compared with all others, so their number is limited.
    found.omit_excess(&data.sources);
    for _ in 0..ROUNDS {
        let is_whole = |edit: &Edit| !data.file(edit.span.source).is_damaged();
        let is_safe =
            |fix: &&Fix| changes_only_files(fix, &files) && fix.edits.iter().all(is_whole);
        let offered = found.findings.iter().filter_map(|finding| finding.fix.as_ref());
        let offered = offered.filter(is_safe);
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
            let Blob { path, file: Some(on_disk), .. } = &files[file.index()] else { continue };
            let change = changed.entry(file).or_insert_with(|| ChangedFile {
                path: path.clone(),
                file: on_disk.clone(),
                old: data.sources.get(file).text().to_owned(),
                new: String::new(),
            });
            change.new = new;
        }
        (files, data, found) = (next, next_data, next_found);
    }
    Fixed { data, changed, fixes: total }
}

/// A link shows another file, which gets the same fixes.
fn changes_only_files(fix: &Fix, files: &[Blob]) -> bool {
    fix.edits.iter().all(|edit| files[edit.span.source.index()].file.is_some())
}

fn error_count(outcome: &Outcome) -> usize {
    outcome.findings.iter().filter(|finding| finding.severity == Severity::Error).count()
}

impl Fixed {
    pub(crate) fn write(&self) -> Result<(), Failure> {
        write_all(self.changed.values(), "fix")
    }
}
