//! The open files of an editor, and the edits that it reports.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lsp_types::TextDocumentContentChangeEvent;

use crate::text::Source;

use super::encoding::Encoding;

/// An open file.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// The root of its repository, or the folder that the paths of its catalog are relative to.
    pub root: PathBuf,
    /// Its path in the repository.
    pub path: String,
    pub kind: DocumentKind,
    pub version: i32,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentKind {
    /// A file of an update graph's repository.
    Data,
    /// `exitpath.toml`.
    Settings,
    /// A file of a catalog of operators.
    Catalog,
    /// A file that may become one of a catalog while somebody types.
    Unknown,
}

/// By the URI that the editor uses.
pub(super) type Documents = BTreeMap<String, Document>;

impl Document {
    pub(super) fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        self.version = version;
        for change in changes {
            match change.range {
                None => self.text = change.text,
                Some(range) => {
                    let source = Source::new(String::new(), std::mem::take(&mut self.text));
                    let start = encoding.offset(&source, range.start);
                    let end = encoding.offset(&source, range.end);
                    self.text = source.into_text();
                    self.text.replace_range(start.min(end)..end.max(start), &change.text);
                }
            }
        }
    }
}
