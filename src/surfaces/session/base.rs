//! Reads the repository as it was before a change.

use std::collections::BTreeSet;
use std::path::Path;

use crate::change::Stated;
use crate::graph_data::{self, GraphData, Renames};
use crate::text::printable;
use crate::tree::{self, Blob, TreeError};

use super::Note;

#[derive(Clone, Copy, Debug)]
pub(crate) struct BaseRequest<'a> {
    /// The revision as the user wrote it.
    pub revision: &'a str,
    /// Whether to compare with the merge base instead of the revision itself.
    pub is_merge_base: bool,
}

/// The repository before a change.
#[derive(Debug)]
pub(crate) struct Base {
    pub commit: String,
    pub data: GraphData,
    pub renames: Renames,
    /// The expectations that the commit messages of the change state.
    pub expectations: Vec<Stated>,
    /// For the risks that the change adds, one earlier file of each removed risk with the same
    /// name.
    pub former_risks: GraphData,
}

/// If a change adds more risks, their names are not searched for in the history.
const MOST_NEW_RISKS: usize = 20;

/// The files of the base, not yet parsed. Parsing reuses what the state after the change has
/// parsed.
pub(super) struct UnparsedBase {
    revision: String,
    commit: String,
    is_requested_start: bool,
    /// Whether the revision has commits that the work tree does not have.
    is_ahead: bool,
    is_merging: bool,
    files: Vec<Blob>,
    expectations: Vec<Stated>,
}

impl BaseRequest<'_> {
    pub(super) fn read(&self, root: &Path, head: Option<&str>) -> Result<UnparsedBase, TreeError> {
        let base = if self.is_merge_base {
            tree::base(root, self.revision, head)?
        } else {
            tree::BaseCommit { commit: tree::commit(root, self.revision)?, is_merge_base: false }
        };
        let start = || tree::base(root, self.revision, None);
        let is_ahead =
            || start().is_ok_and(|start| start.is_merge_base && start.commit != base.commit);
        Ok(UnparsedBase {
            is_ahead: !self.is_merge_base && head.is_none() && is_ahead(),
            revision: printable(self.revision).into_owned(),
            is_requested_start: base.is_merge_base || !self.is_merge_base,
            is_merging: head.is_none() && tree::is_merging(root),
            files: graph_data::blobs(root, Some(&base.commit))?,
            expectations: stated(root, &base.commit, head),
            commit: base.commit,
        })
    }
}

impl UnparsedBase {
    /// Parses the base, and reuses what the state after the change has parsed and the change does
    /// not touch. Also returns notes for the user.
    pub(super) fn parsed_beside(self, after: &GraphData) -> (Base, Vec<Note>) {
        let Self { revision, commit, files, expectations, .. } = self;
        let data = after.another(files);
        let renames = Renames::between(&data, after);
        let mut notes = Vec::new();
        if self.is_ahead {
            let text = format!(
                "{revision} has commits that are not here, and the comparison shows them as if they were undone: `exitpath diff {revision}...` compares with the merge base"
            );
            notes.push(Note { text, is_important: true });
        }
        if !self.is_requested_start {
            let text = format!(
                "the merge base with {revision} is unknown (is this a shallow clone?): comparing with {revision} itself"
            );
            notes.push(Note { text, is_important: true });
        }
        if self.is_merging {
            let text = "a merge is in progress: reading the work tree as it is".to_owned();
            notes.push(Note { text, is_important: false });
        }
        if data.files.is_empty() {
            let text = format!("no data at {revision} in this folder: everything is new");
            notes.push(Note { text, is_important: false });
        }
        let former_risks = GraphData::from_blobs(Vec::new());
        (Base { commit, data, renames, expectations, former_risks }, notes)
    }
}

impl Base {
    /// Searches the history for former risks with the names of new ones. Names are not validated
    /// yet, so only plain ones are searched for.
    pub(crate) fn recall_former_risks(&mut self, root: &Path, after: &GraphData) {
        let names = |data: &GraphData| -> BTreeSet<String> {
            let names = data.blocked_edges.iter().filter_map(|edge| edge.name.as_ref());
            names.map(|name| name.value.to_string()).collect()
        };
        let (before, after) = (names(&self.data), names(after));
        let is_plain = |name: &&String| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let new: Vec<&String> = after.difference(&before).filter(is_plain).collect();
        if new.len() > MOST_NEW_RISKS {
            return;
        }
        let former = new.into_iter().filter_map(|name| {
            tree::deleted(root, &self.commit, "blocked-edges", &format!("-{name}.yaml"))
        });
        self.former_risks = GraphData::from_blobs(former.collect());
    }
}

/// The expectations in the commit messages of a change.
fn stated(root: &Path, base: &str, head: Option<&str>) -> Vec<Stated> {
    let messages = tree::messages(root, base, head);
    let stated = messages.iter().flat_map(|(commit, text)| Stated::in_message(commit, text));
    stated.collect()
}
