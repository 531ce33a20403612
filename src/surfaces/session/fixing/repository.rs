//! A repository of graph data whose findings are fixed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::domain::{Arena, Severity};
use crate::graph_data::{self, GraphData};
use crate::lint::{Baseline, Outcome};
use crate::rules::Finding;
use crate::text::{Edit, Failure, SourceId, Sources};
use crate::tree::Blob;

use super::super::Linter;
use super::Checked;

/// A repository with its findings.
#[derive(Debug)]
pub(crate) struct CheckedRepository<'l> {
    linter: &'l Linter<'l>,
    files: Arena<SourceId, Blob>,
    pub data: GraphData,
    found: Outcome,
}

impl<'l> CheckedRepository<'l> {
    /// A repository that was read from these files.
    pub(crate) fn new(
        linter: &'l Linter<'l>,
        files: Vec<Blob>,
        data: GraphData,
        found: Outcome,
    ) -> Self {
        let files = graph_data::in_order_of_ids(files).into_iter().collect();
        Self { linter, files, data, found }
    }

    fn errors(&self) -> usize {
        let is_error = |finding: &&Finding| finding.severity == Severity::Error;
        self.found.findings.iter().filter(is_error).count()
    }
}

impl Checked for CheckedRepository<'_> {
    fn sources(&self) -> &Sources {
        &self.data.sources
    }

    fn findings(&self) -> &[Finding] {
        &self.found.findings
    }

    fn refusal(&self, file: SourceId) -> Option<String> {
        if self.files[file].file.is_none() {
            return Some("it is in another file, which gets the same fixes".to_owned());
        }
        let is_damaged = self.data.file(file).is_damaged();
        is_damaged.then(|| "its file cannot be read as a whole".to_owned())
    }

    fn with(&self, texts: &BTreeMap<SourceId, String>) -> Result<Self, Failure> {
        let mut files = self.files.clone();
        for (file, new) in texts {
            files[*file].content = Ok(new.clone().into_bytes());
        }
        let data = self.data.another(files.iter().cloned().collect());
        let mut found = self.linter.lint_alone(&data);
        found.omit_excess(&data.sources);
        Ok(Self { linter: self.linter, files, data, found })
    }

    fn strays(&self, _: &Self, _: &[&Edit]) -> Vec<SourceId> {
        Vec::new()
    }

    /// A fix may replace one error with another, but must not add errors.
    fn harm(&self, after: &Self, _: &[&Finding]) -> Vec<Finding> {
        if after.errors() <= self.errors() {
            return Vec::new();
        }
        let mut new = after.found.findings.clone();
        Baseline::of(&self.data.sources, &self.found.findings)
            .remove_known(&after.data.sources, &mut new);
        new.retain(|finding| finding.severity == Severity::Error);
        new
    }

    fn place(&self, file: SourceId) -> Option<(String, PathBuf)> {
        let Blob { path, file, .. } = &self.files[file];
        Some((path.clone(), file.clone()?))
    }
}
