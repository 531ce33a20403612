//! What a long-running process keeps of a work tree that it reads repeatedly.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::graph_data::GraphData;
use crate::tree;

use super::UpdateSources;

/// The file with the settings of a repository.
pub(crate) const SETTINGS: &str = "exitpath.toml";

/// The inputs that affect everything and seldom change: the commit of the work tree, and the
/// settings.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ReadAt {
    commit: Option<String>,
    settings: Option<String>,
}

impl ReadAt {
    pub(crate) fn now(root: &Path) -> Self {
        Self {
            commit: tree::commit(root, "HEAD").ok(),
            settings: tree::read_text(&root.join(SETTINGS)).ok().flatten(),
        }
    }
}

/// The last state of a work tree that was read. What is the same in the next one is not read again.
#[derive(Debug, Default)]
pub(crate) struct LastReading(Mutex<Option<Remembered>>);

#[derive(Debug)]
pub(super) struct Remembered {
    read_at: ReadAt,
    pub(super) data: GraphData,
    /// None if the sources include files that can change.
    pub(super) sources: Option<Arc<UpdateSources>>,
}

impl LastReading {
    /// The last state, if it is of the same commit and has the same settings.
    pub(super) fn take(&self, read_at: &ReadAt) -> Option<Remembered> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.take().filter(|last| last.read_at == *read_at)
    }

    /// Keeps a state. `read_at` was the same before and after it was read.
    pub(super) fn keep(&self, read_at: ReadAt, data: &GraphData, sources: &Arc<UpdateSources>) {
        let sources = sources.are_from_history().then(|| Arc::clone(sources));
        let remembered = Remembered { read_at, data: data.clone(), sources };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(remembered);
    }
}
