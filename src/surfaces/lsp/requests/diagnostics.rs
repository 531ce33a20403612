//! Diagnostics for clients that ask for them.

use std::collections::BTreeMap;

use lsp_types::{
    Diagnostic, DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport, Uri, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport,
    WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};
use serde_json::json;

use crate::lsp::desk::Desk;
use crate::lsp::diagnostics::settings_diagnostics;
use crate::lsp::documents::DocumentKind;
use crate::text::sha256;

pub(super) fn of_document(
    desk: &mut Desk,
    params: &DocumentDiagnosticParams,
) -> DocumentDiagnosticReport {
    let report = report(desk, &params.text_document.uri);
    match (&report.result_id, &params.previous_result_id) {
        (Some(now), Some(before)) if now == before => RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: unchanged(now.clone()),
        }
        .into(),
        _ => RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: report,
        }
        .into(),
    }
}

/// The diagnostics of an open file.
fn report(desk: &mut Desk, uri: &Uri) -> FullDocumentDiagnosticReport {
    let document = desk.documents.get(uri.as_str());
    if let Some(document) = document.filter(|one| one.kind == DocumentKind::Settings) {
        return full(settings_diagnostics(document, desk.client.encoding));
    }
    if let Some(document) = document.filter(|one| one.kind == DocumentKind::Catalog).cloned() {
        return full(desk.diagnostics_in_catalog(&document));
    }
    let place = desk.place(uri);
    full(place.map(|(root, path)| desk.diagnostics_of(&root, &path)).unwrap_or_default())
}

fn full(items: Vec<Diagnostic>) -> FullDocumentDiagnosticReport {
    let result_id = sha256(json!(items).to_string());
    FullDocumentDiagnosticReport { result_id: Some(result_id), items }
}

fn unchanged(result_id: String) -> UnchangedDocumentDiagnosticReport {
    UnchangedDocumentDiagnosticReport { result_id }
}

/// The diagnostics of all files that have some, or had some the last time.
pub(super) fn of_workspace(
    desk: &mut Desk,
    params: WorkspaceDiagnosticParams,
) -> WorkspaceDiagnosticReport {
    let previous = params.previous_result_ids.into_iter();
    let mut previous: BTreeMap<String, String> =
        previous.map(|id| (id.uri.as_str().to_owned(), id.value)).collect();
    let mut items = Vec::new();
    for root in desk.roots() {
        let diagnostics = desk.diagnostics(&root).unwrap_or_default();
        for (path, found) in &*diagnostics {
            let Some(uri) = desk.uri_of(&root, path) else { continue };
            let before = previous.remove(uri.as_str());
            items.push(in_workspace(desk, uri, full(found.clone()), before));
        }
    }
    for (uri, before) in previous {
        if let Ok(uri) = uri.parse() {
            items.push(in_workspace(desk, uri, full(Vec::new()), Some(before)));
        }
    }
    WorkspaceDiagnosticReport { items }
}

fn in_workspace(
    desk: &Desk,
    uri: Uri,
    report: FullDocumentDiagnosticReport,
    before: Option<String>,
) -> WorkspaceDocumentDiagnosticReport {
    let version = desk.documents.get(uri.as_str()).map(|document| document.version.into());
    if before.is_some() && report.result_id == before {
        let result_id = before.unwrap_or_default();
        let unchanged_document_diagnostic_report = unchanged(result_id);
        return WorkspaceUnchangedDocumentDiagnosticReport {
            uri,
            version,
            unchanged_document_diagnostic_report,
        }
        .into();
    }
    let full_document_diagnostic_report = report;
    WorkspaceFullDocumentDiagnosticReport { uri, version, full_document_diagnostic_report }.into()
}
