//! Catalogs of operators whose findings are fixed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::domain::{HashSet, Severity};
use crate::lint::{Baseline, CatalogState, Outcome, Request, lint_catalogs};
use crate::rules::Finding;
use crate::text::{Edit, Failure, SourceId, Sources};
use crate::tree::read_text_up_to;

use super::super::{Beside, Catalogs, ReadCatalogs};
use super::Checked;
use super::strays::strays;

/// The size of the largest file that is fixed.
const LARGEST: u64 = 1 << 30;

/// Catalogs with their findings.
#[derive(Debug)]
pub(crate) struct CheckedCatalogs<'c> {
    question: Question<'c>,
    pub read: ReadCatalogs,
    pub outcome: Outcome,
    /// The complete texts of files that were changed or that have fixes, by path.
    texts: BTreeMap<String, String>,
    /// The files that can be changed.
    own: HashSet<SourceId>,
}

#[derive(Clone, Copy, Debug)]
struct Question<'c> {
    catalogs: &'c Catalogs,
    beside: Beside<'c>,
    request: &'c Request,
}

impl<'c> CheckedCatalogs<'c> {
    /// Checks catalogs that are already read.
    pub(crate) fn new(
        catalogs: &'c Catalogs,
        beside: Beside<'c>,
        request: &'c Request,
        read: ReadCatalogs,
    ) -> Result<Self, Failure> {
        Self::of(Question { catalogs, beside, request }, read, BTreeMap::new())
    }

    fn of(
        question: Question<'c>,
        mut read: ReadCatalogs,
        mut texts: BTreeMap<String, String>,
    ) -> Result<Self, Failure> {
        loop {
            let outcome = found(&read, question.request);
            let condensed = condensed_to_fix(&read, &outcome, question.catalogs, &texts);
            if condensed.is_empty() {
                let own = own_files(&read);
                return Ok(Self { question, read, outcome, texts, own });
            }
            texts.extend(condensed);
            read = question.catalogs.read_edited(question.beside, &texts)?;
        }
    }
}

fn found(read: &ReadCatalogs, request: &Request) -> Outcome {
    let subjects = read.subjects();
    lint_catalogs(CatalogState { loaded: &read.loaded, subjects: &subjects }, None, request)
}

/// The complete texts of files that have fixes, and whose long texts were omitted when they were
/// read.
fn condensed_to_fix(
    read: &ReadCatalogs,
    outcome: &Outcome,
    catalogs: &Catalogs,
    known: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let offered = outcome.findings.iter().filter_map(|finding| finding.fix.as_ref());
    let files: HashSet<SourceId> =
        offered.flat_map(|fix| &fix.edits).map(|edit| edit.span.source).collect();
    let sources = files.into_iter().map(|id| read.loaded.sources.get(id));
    let condensed =
        sources.filter(|source| source.is_condensed() && !known.contains_key(source.path()));
    let whole = condensed.filter_map(|source| {
        let text = read_text_up_to(&catalogs.root.join(source.path()), LARGEST).ok()??;
        Some((source.path().to_owned(), text))
    });
    whole.collect()
}

/// The files of the checked catalogs, except those that belong to two of them.
fn own_files(read: &ReadCatalogs) -> HashSet<SourceId> {
    let catalogs = read.loaded.catalogs.iter().take(read.named);
    let files: Vec<SourceId> = catalogs.flat_map(|catalog| &catalog.files).copied().collect();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for file in &files {
        *times.entry(read.loaded.sources.path(*file)).or_default() += 1;
    }
    let is_once = |file: &SourceId| times.get(read.loaded.sources.path(*file)) == Some(&1);
    files.iter().copied().filter(is_once).collect()
}

impl Checked for CheckedCatalogs<'_> {
    fn sources(&self) -> &Sources {
        &self.read.loaded.sources
    }

    fn findings(&self) -> &[Finding] {
        &self.outcome.findings
    }

    fn refusal(&self, file: SourceId) -> Option<String> {
        if !self.own.contains(&file) {
            return Some("its file is not one of this catalog only".to_owned());
        }
        if self.sources().get(file).is_condensed() {
            return Some("its file cannot be read as a whole".to_owned());
        }
        let mut faults =
            self.read.loaded.catalogs.iter().flat_map(|catalog| &catalog.declared.faults);
        let is_faulty = faults.any(|fault| fault.span.source == file);
        is_faulty.then(|| "opm cannot read all of its file".to_owned())
    }

    fn with(&self, texts: &BTreeMap<SourceId, String>) -> Result<Self, Failure> {
        let mut all = self.texts.clone();
        let edited = texts.iter().map(|(file, text)| (self.sources().path(*file), text));
        all.extend(edited.map(|(path, text)| (path.to_owned(), text.clone())));
        let question = self.question;
        Self::of(question, question.catalogs.read_edited(question.beside, &all)?, all)
    }

    fn strays(&self, after: &Self, edits: &[&Edit]) -> Vec<SourceId> {
        let pairs = self.read.loaded.catalogs.iter().zip(&after.read.loaded.catalogs);
        let pairs = pairs.take(self.read.named);
        let strays =
            pairs.map(|(now, after)| strays(&now.declared, self.sources(), &after.declared, edits));
        strays.flatten().collect()
    }

    /// A fix must remove its findings, and must not cause other findings that matter.
    fn harm(&self, after: &Self, fixed: &[&Finding]) -> Vec<Finding> {
        let is_fixed = |one: &&Finding| fixed.iter().any(|fixed| std::ptr::eq(*fixed, *one));
        let (fixed, others): (Vec<&Finding>, Vec<&Finding>) =
            self.outcome.findings.iter().partition(is_fixed);
        let owned = |all: Vec<&Finding>| -> Vec<Finding> { all.into_iter().cloned().collect() };
        let mut new = after.outcome.findings.clone();
        Baseline::of(self.sources(), &owned(others)).remove_known(after.sources(), &mut new);
        let fixed = Baseline::of(self.sources(), &owned(fixed));
        new.retain(|one| {
            let is_still_there = fixed.remove_known(after.sources(), &mut vec![one.clone()]) > 0;
            is_still_there || one.severity >= Severity::Warning
        });
        new
    }

    fn place(&self, file: SourceId) -> Option<(String, PathBuf)> {
        let (catalogs, path) = (self.question.catalogs, self.sources().path(file));
        Some((format!("{}{path}", catalogs.prefix), catalogs.root.join(path)))
    }
}
