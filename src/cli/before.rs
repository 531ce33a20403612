//! A repository beside what it was where a change began.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use crate::comparison::Stated;
use crate::graph_data::{self, GraphData};
use crate::text::printable;
use crate::tree::{self, Blob, TreeError};

use super::Failure;
use super::args::{Check, Common};

/// What is to be known of files that are neither before nor after.
pub(super) const MERGING: &str = "a merge is in progress: reading the work tree as it is";

/// The repository as it was where the change began, and what its author says of the change.
pub(super) struct Before {
    base: tree::Base,
    blobs: Vec<Blob>,
    renames: BTreeMap<String, String>,
    expectations: Vec<Stated>,
    is_merging: bool,
}

/// The same, understood.
pub(super) struct Base {
    /// Its commit.
    pub(super) commit: String,
    /// Its data.
    pub(super) data: GraphData,
    /// The files that the change renames: paths before and after.
    pub(super) renames: BTreeMap<String, String>,
    /// What the messages of its commits say that the change does.
    pub(super) expectations: Vec<Stated>,
}

impl Before {
    pub(super) fn read(root: &Path, revision: &str, head: Option<&str>) -> Result<Self, TreeError> {
        let base = tree::base(root, revision, head)?;
        Ok(Self {
            blobs: graph_data::blobs(root, Some(&base.commit))?,
            renames: tree::renames(root, &base, head, graph_data::WANTED)?,
            expectations: stated(root, &base.commit, head),
            is_merging: head.is_none() && tree::is_merging(root),
            base,
        })
    }

    /// The same, understood; what is to be known of it is said on the side.
    pub(super) fn beside(
        self,
        after: &GraphData,
        args: &Check,
        common: &Common,
        err: &mut dyn Write,
    ) -> Result<Base, Failure> {
        let revision = printable(args.base.as_deref().unwrap_or_default()).into_owned();
        if !self.base.is_merge_base {
            writeln!(
                err,
                "exitpath: no common ancestor with {revision} is known (a shallow clone?): comparing with {revision} itself"
            )?;
        }
        if self.is_merging && !common.quiet {
            writeln!(err, "exitpath: {MERGING}")?;
        }
        let data = after.another(self.blobs);
        if data.files.is_empty() && !common.quiet {
            writeln!(err, "exitpath: no data at {revision} in this folder: everything is new")?;
        }
        let Self { base, renames, expectations, .. } = self;
        Ok(Base { commit: base.commit, data, renames, expectations })
    }
}

/// What the messages of a change's commits say that it does.
pub(super) fn stated(root: &Path, base: &str, head: Option<&str>) -> Vec<Stated> {
    let messages = tree::messages(root, base, head);
    let stated = messages.iter().flat_map(|(commit, text)| Stated::in_message(commit, text));
    stated.collect()
}
