//! Removes a risk, or some of its files.

use crate::graph_data::GraphData;
use crate::origins::Spec;
use crate::text::Failure;

use super::plan::{Plan, PlannedFile};
use super::risk_files::RiskFiles;
use super::tests_of;

/// Removes the files for some releases. Without releases, removes all files and the tests.
pub(crate) fn drop_risk(data: &GraphData, name: &str, targets: &[Spec]) -> Result<Plan, Failure> {
    let risk = RiskFiles::of(data, name)?;
    let gone = risk.named(targets)?;
    let leaves_some = gone.len() < risk.files.len();
    let mut files: Vec<PlannedFile> =
        gone.iter().map(|file| PlannedFile::removed(file.path, file.text)).collect();
    if !leaves_some {
        files.extend(tests_of(data, name).map(|test| {
            let text = data.sources.get(test.file.id).text();
            PlannedFile::removed(data.path(test.file.id), text)
        }));
    }
    let targets: Vec<&str> = gone.iter().map(|file| file.to).collect();
    Ok(Plan::new(files, risk.subject(&targets, "Remove the risk")))
}
