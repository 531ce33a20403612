//! Reads the repository as it was before a change.

use std::path::Path;

use crate::change::Stated;
use crate::graph_data::{self, GraphData, Renames};
use crate::text::printable;
use crate::tree::{self, Blob, TreeError};

use super::Note;

#[derive(Clone, Copy, Debug)]
pub(crate) struct BaseRequest<'a> {
    /// As the user wrote it.
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
}

/// The files of the base, not yet parsed. Parsing reuses what the state after the change has
/// parsed.
pub(super) struct UnparsedBase {
    revision: String,
    commit: String,
    is_requested_start: bool,
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
        Ok(UnparsedBase {
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
    /// Parses the base, and reuses what is unchanged from the state after. Also returns notes for
    /// the user.
    pub(super) fn parsed_beside(self, after: &GraphData) -> (Base, Vec<Note>) {
        let Self { revision, commit, files, expectations, .. } = self;
        let data = after.another(files);
        let renames = Renames::between(&data, after);
        let mut notes = Vec::new();
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
        (Base { commit, data, renames, expectations }, notes)
    }
}

/// The expectations in the commit messages of a change.
fn stated(root: &Path, base: &str, head: Option<&str>) -> Vec<Stated> {
    let messages = tree::messages(root, base, head);
    let stated = messages.iter().flat_map(|(commit, text)| Stated::in_message(commit, text));
    stated.collect()
}
