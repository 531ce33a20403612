//! A repository as it was where a change began.

use std::collections::BTreeMap;
use std::path::Path;

use crate::change::Stated;
use crate::graph_data::{self, GraphData};
use crate::text::printable;
use crate::tree::{self, Blob, TreeError};

use super::Note;

/// The revision that a change is compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BaseAsked<'a> {
    /// The revision, as it is named.
    pub revision: &'a str,
    /// Whether the change begins at the merge base of the two revisions.
    pub is_merge_base: bool,
}

/// The repository as it was where the change began.
#[derive(Debug)]
pub(crate) struct Base {
    /// Its commit.
    pub commit: String,
    /// Its data.
    pub data: GraphData,
    /// The files that the change renames: paths before and after.
    pub renames: BTreeMap<String, String>,
    /// What the messages of the change's commits say that it does.
    pub expectations: Vec<Stated>,
}

/// The same, not yet understood.
pub(super) struct Unread {
    revision: String,
    commit: String,
    is_as_asked: bool,
    is_merging: bool,
    files: Vec<Blob>,
    renames: BTreeMap<String, String>,
    expectations: Vec<Stated>,
}

impl BaseAsked<'_> {
    pub(super) fn read(&self, root: &Path, head: Option<&str>) -> Result<Unread, TreeError> {
        let base = if self.is_merge_base {
            tree::base(root, self.revision, head)?
        } else {
            tree::BaseCommit { commit: tree::commit(root, self.revision)?, is_merge_base: false }
        };
        Ok(Unread {
            revision: printable(self.revision).into_owned(),
            is_as_asked: base.is_merge_base || !self.is_merge_base,
            is_merging: head.is_none() && tree::is_merging(root),
            files: graph_data::blobs(root, Some(&base.commit))?,
            renames: tree::renames(root, &base, head, graph_data::WANTED)?,
            expectations: stated(root, &base.commit, head),
            commit: base.commit,
        })
    }
}

impl Unread {
    /// Understands the base beside what is there after the change, and notes what people should
    /// know of it.
    pub(super) fn beside(self, after: &GraphData) -> (Base, Vec<Note>) {
        let Self { revision, commit, files, renames, expectations, .. } = self;
        let data = after.another(files);
        let mut notes = Vec::new();
        if !self.is_as_asked {
            let text = format!(
                "no common ancestor with {revision} is known (a shallow clone?): comparing with {revision} itself"
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

/// What the messages of a change's commits say that it does.
fn stated(root: &Path, base: &str, head: Option<&str>) -> Vec<Stated> {
    let messages = tree::messages(root, base, head);
    let stated = messages.iter().flat_map(|(commit, text)| Stated::in_message(commit, text));
    stated.collect()
}
