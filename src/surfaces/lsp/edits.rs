//! Edits in the words of the protocol.

use std::collections::BTreeMap;
use std::path::Path;

use lsp_types::{
    AnnotatedTextEdit, CreateFile, CreateFileOptions, DeleteFile, DocumentChangeOperation,
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, RenameFile, ResourceOp,
    TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use crate::authoring::{Plan, PlannedFile};
use crate::text::{Edit, Failure, Source};
use crate::workspace::Workspace;

use super::desk::Desk;
use super::encoding::Encoding;

/// How edits of one repository are told to a client.
pub(super) struct Editing<'s> {
    pub desk: &'s Desk,
    pub workspace: &'s Workspace<'static>,
    pub root: &'s Path,
}

impl Editing<'_> {
    fn encoding(&self) -> Encoding {
        self.desk.client.encoding
    }

    pub(super) fn text_edit(&self, edit: &Edit) -> TextEdit {
        let source = self.workspace.data().sources.get(edit.span.source);
        let range = self.encoding().range(source, edit.span.range());
        TextEdit { range, new_text: edit.text.clone() }
    }

    /// Whether an edit changes nothing that a client sees.
    pub(super) fn does_nothing(&self, edit: &Edit) -> bool {
        let TextEdit { range, new_text } = self.text_edit(edit);
        range.start == range.end && new_text.is_empty()
    }

    /// Edits of the files of a repository.
    pub(super) fn of_edits(&self, edits: &[Edit]) -> WorkspaceEdit {
        let mut by_path: BTreeMap<&str, Vec<TextEdit>> = BTreeMap::new();
        for edit in edits {
            let path = self.workspace.data().path(edit.span.source);
            by_path.entry(path).or_default().push(self.text_edit(edit));
        }
        if !self.desk.client.has_versioned_edits {
            return self.unversioned(by_path);
        }
        let edits = by_path
            .into_iter()
            .filter_map(|(path, edits)| Some(self.document_edit(self.uri(path)?, edits)));
        WorkspaceEdit {
            document_changes: Some(DocumentChanges::Edits(edits.collect())),
            ..WorkspaceEdit::default()
        }
    }

    /// Edits for a client that knows no versions of files.
    #[allow(clippy::mutable_key_type, reason = "the type of the protocol's library")]
    fn unversioned(&self, by_path: BTreeMap<&str, Vec<TextEdit>>) -> WorkspaceEdit {
        let edits = by_path.into_iter().filter_map(|(path, edits)| Some((self.uri(path)?, edits)));
        WorkspaceEdit::new(edits.collect())
    }

    /// The files of a plan. Fails if the client cannot create or rename files and the plan does.
    pub(super) fn of_plan(&self, plan: &Plan) -> Result<WorkspaceEdit, Failure> {
        let mut operations = Vec::new();
        let is_moved = |file: &PlannedFile| {
            plan.files.iter().any(|other| other.moved_from.as_ref() == Some(&file.path))
        };
        for file in plan.files.iter().filter(|file| !is_moved(file)) {
            self.add(plan, file, &mut operations);
        }
        let has_file_operations =
            operations.iter().any(|one| matches!(one, DocumentChangeOperation::Op(_)));
        if has_file_operations && !self.desk.client.has_file_edits {
            return Err(Failure::new("this editor cannot create or rename files")
                .hint("`exitpath risk` does the same on the command line"));
        }
        if !self.desk.client.has_versioned_edits {
            return Ok(self.unversioned(self.edits_of(plan)));
        }
        let changes = DocumentChanges::Operations(operations);
        Ok(WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() })
    }

    /// The edits of a plan that changes texts only.
    fn edits_of<'p>(&self, plan: &'p Plan) -> BTreeMap<&'p str, Vec<TextEdit>> {
        let edits = plan.files.iter().filter_map(|file| {
            let edit = self.difference(file.old.as_deref()?, file.new.as_deref()?)?;
            Some((file.path.as_str(), vec![edit]))
        });
        edits.collect()
    }

    fn add(&self, plan: &Plan, file: &PlannedFile, into: &mut Vec<DocumentChangeOperation>) {
        let Some(uri) = self.uri(&file.path) else { return };
        let Some(new) = &file.new else {
            let delete = DeleteFile { uri, options: None };
            into.push(DocumentChangeOperation::Op(ResourceOp::Delete(delete)));
            return;
        };
        let from = file.moved_from.as_ref().and_then(|from| {
            let old = plan.files.iter().find(|other| other.path == *from)?;
            Some((self.uri(from)?, old.old.as_deref()?))
        });
        let old = match (&from, &file.old) {
            (Some((old_uri, old)), _) => {
                let (old_uri, new_uri) = (old_uri.clone(), uri.clone());
                let rename = RenameFile { old_uri, new_uri, options: None, annotation_id: None };
                into.push(DocumentChangeOperation::Op(ResourceOp::Rename(rename)));
                *old
            }
            (None, Some(old)) => old,
            (None, None) => {
                let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: None };
                let create =
                    CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None };
                into.push(DocumentChangeOperation::Op(ResourceOp::Create(create)));
                ""
            }
        };
        if let Some(edit) = self.difference(old, new) {
            into.push(DocumentChangeOperation::Edit(self.document_edit(uri, vec![edit])));
        }
    }

    /// One edit of the lines that differ. None if none do.
    fn difference(&self, old: &str, new: &str) -> Option<TextEdit> {
        if old == new {
            return None;
        }
        let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
        let (before, after) = (lines(old), lines(new));
        let same = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
        let rest = before.len().min(after.len()) - same;
        let pairs = before.iter().rev().zip(after.iter().rev()).take(rest);
        let same_at_end = pairs.take_while(|(a, b)| a == b).count();
        let start: usize = before[..same].iter().map(String::len).sum();
        let end: usize = before[..before.len() - same_at_end].iter().map(String::len).sum();
        let source = Source::new(String::new(), old.to_owned());
        let new_text = after[same..after.len() - same_at_end].concat();
        Some(TextEdit { range: self.encoding().range(&source, start..end), new_text })
    }

    fn document_edit(&self, uri: Uri, edits: Vec<TextEdit>) -> TextDocumentEdit {
        let version = self.desk.documents.get(uri.as_str()).map(|document| document.version);
        let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
        let edits = edits.into_iter().map(OneOf::<TextEdit, AnnotatedTextEdit>::Left).collect();
        TextDocumentEdit { text_document, edits }
    }

    fn uri(&self, path: &str) -> Option<Uri> {
        self.desk.uri_of(self.root, path)
    }
}
