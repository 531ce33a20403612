//! `exitpath check --fix`: mending what was found.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use crate::edit;
use crate::graph_data::GraphData;
use crate::lint::Outcome;
use crate::report::{Style, counted};
use crate::rules::Severity;
use crate::text::printable;
use crate::tree::Blob;

use super::Failure;

/// A fix may bring to light what it can mend next; this many rounds are enough for any file.
const ROUNDS: usize = 8;

/// A repository after its fixes.
pub(super) struct Mended {
    pub(super) data: GraphData,
    /// Path → old and new text.
    changed: BTreeMap<String, (String, String)>,
    fixes: usize,
}

/// Mends what was `found` in `data`, which was read from `blobs`, and judges what comes of it.
pub(super) fn mend(
    mut blobs: Vec<Blob>,
    mut data: GraphData,
    mut found: Outcome,
    judge: &dyn Fn(&GraphData) -> Outcome,
) -> Mended {
    let mut changed: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut fixes = 0;
    // Fixes are weighed against each other, so there must not be too many at a time.
    found.cut(&data.sources);
    for _ in 0..ROUNDS {
        let offered = found.findings.iter().filter_map(|finding| finding.fix.as_ref());
        let (texts, taken) = edit::apply(&data.sources, offered);
        if texts.is_empty() {
            break;
        }
        let mut next = blobs.clone();
        for (file, new) in &texts {
            next[file.0 as usize].content = Ok(new.clone().into_bytes());
        }
        let next_data = GraphData::from_blobs(next.clone());
        let mut next_found = judge(&next_data);
        next_found.cut(&next_data.sources);
        // No rule offers a fix that does harm; should one all the same, nothing is changed.
        if errors(&next_found) > errors(&found) {
            break;
        }
        fixes += taken;
        for (file, new) in texts {
            let source = data.sources.get(file);
            changed
                .entry(source.path().to_owned())
                .and_modify(|(_, newest)| newest.clone_from(&new))
                .or_insert_with(|| (source.text().to_owned(), new));
        }
        (blobs, data, found) = (next, next_data, next_found);
    }
    Mended { data, changed, fixes }
}

fn errors(outcome: &Outcome) -> usize {
    outcome.findings.iter().filter(|finding| finding.severity == Severity::Error).count()
}

impl Mended {
    pub(super) fn show(
        &self,
        style: Style,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<(), Failure> {
        for (path, (old, new)) in &self.changed {
            write!(out, "{}", shown_diff(&edit::unified_diff(path, old, new), style))?;
        }
        if self.changed.is_empty() {
            writeln!(err, "exitpath: nothing to fix")?;
        }
        Ok(())
    }

    pub(super) fn write(&self, root: &Path, err: &mut dyn Write) -> Result<(), Failure> {
        let mut failed = Vec::new();
        for (path, (_, new)) in &self.changed {
            if let Err(why) = edit::write(&root.join(path), new) {
                failed.push(format!("cannot fix {}: {why}", printable(path)));
            }
        }
        if self.fixes > 0 && failed.is_empty() {
            let (findings, files) =
                (counted(self.fixes, "finding"), counted(self.changed.len(), "file"));
            writeln!(err, "exitpath: fixed {findings} in {files}")?;
        }
        if failed.is_empty() {
            Ok(())
        } else {
            Err(Failure::of_lines(&failed.join("\n          ")))
        }
    }
}

/// A difference for a person has nothing in it that could harm a terminal; one for
/// `git apply` has every byte as it is.
fn shown_diff(diff: &str, style: Style) -> String {
    if !style.terminal {
        return diff.to_owned();
    }
    let mut shown = String::with_capacity(diff.len());
    for line in diff.split_inclusive('\n') {
        let parts = line.trim_end_matches(['\r', '\n']).split('\t').map(printable);
        shown.push_str(&parts.collect::<Vec<_>>().join("\t"));
        shown.push('\n');
    }
    shown
}
