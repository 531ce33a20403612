//! Findings as diagnostics.

use std::collections::BTreeMap;
use std::str::FromStr;

use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    NumberOrString, Range, Uri,
};

use crate::domain::Severity;
use crate::editor;
use crate::lint::path_of;
use crate::report::page_url;
use crate::risks::TestProblem;
use crate::rules::{Finding, Place};
use crate::text::{Source, Sources};

use super::documents::Document;
use super::encoding::Encoding;

/// The diagnostics of each file, by path.
pub(super) type Diagnostics = BTreeMap<String, Vec<Diagnostic>>;

/// The most places that a diagnostic names beside its own.
const MOST_RELATED: usize = 20;

/// Where diagnostics are shown.
pub(super) struct Shown<'s> {
    pub sources: &'s Sources,
    pub encoding: Encoding,
    /// The URI of a path of the repository.
    pub uri: &'s dyn Fn(&str) -> Option<Uri>,
}

impl Shown<'_> {
    pub(super) fn diagnostics<'f>(
        &self,
        findings: impl Iterator<Item = &'f Finding>,
    ) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        for finding in findings {
            let path = path_of(self.sources, &finding.place).to_owned();
            diagnostics.entry(path).or_default().push(self.diagnostic(finding));
        }
        diagnostics
    }

    pub(super) fn diagnostic(&self, finding: &Finding) -> Diagnostic {
        let Finding { rule, severity, message, help, related, .. } = finding;
        let message = match help {
            Some(help) => format!("{message}\n{help}"),
            None => message.clone(),
        };
        let page = Uri::from_str(&page_url(rule)).ok();
        let related = related.iter().take(MOST_RELATED).filter_map(|related| {
            let uri = (self.uri)(path_of(self.sources, &related.place))?;
            let location = Location::new(uri, self.range(&related.place));
            Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
        });
        let related: Vec<_> = related.collect();
        Diagnostic {
            range: self.range(&finding.place),
            severity: Some(shown_severity(*severity)),
            code: Some(NumberOrString::String(rule.name.to_owned())),
            code_description: page.map(|href| CodeDescription { href }),
            source: Some("exitpath".to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        }
    }

    pub(super) fn test_problem(&self, problem: &TestProblem) -> Diagnostic {
        let TestProblem { severity, place, message, .. } = problem;
        Diagnostic {
            range: place.map_or_else(Range::default, |span| self.range(&Place::Text(span))),
            severity: Some(shown_severity(*severity)),
            source: Some("exitpath".to_owned()),
            message: message.clone(),
            ..Diagnostic::default()
        }
    }

    fn range(&self, place: &Place) -> Range {
        match place {
            Place::Text(span) => self.encoding.range(self.sources.get(span.source), span.range()),
            Place::File(_) | Place::Absent(_) => Range::default(),
        }
    }
}

fn shown_severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
    }
}

/// What is wrong with settings. Every check refuses to run with them.
pub(super) fn settings_diagnostics(document: &Document, encoding: Encoding) -> Vec<Diagnostic> {
    let Some((range, message)) = editor::fault(&document.text) else { return Vec::new() };
    let source = Source::new(String::new(), document.text.clone());
    vec![Diagnostic {
        range: encoding.range(&source, range),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("exitpath".to_owned()),
        message,
        ..Diagnostic::default()
    }]
}
