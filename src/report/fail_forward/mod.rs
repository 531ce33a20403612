//! The report of `catalog fail-forward`: what OLM does after failures, and which entries rescue.

mod audit;
mod findings;
mod human;
mod json;
mod words;

use std::io::{self, Write};

use crate::domain::Severity;
use crate::olm::Run;

use super::{CatalogFormat, Style};

pub(crate) use audit::{AuditReport, write_rescue_audit};

/// What OLM does with a namespace, under one strategy or two.
#[derive(Debug)]
pub(crate) struct FailForwardReport<'a> {
    pub namespace: &'a str,
    pub findings: &'a [PlacedFinding],
    /// The first one is that of the namespace, or what the user asked for.
    pub runs: &'a [Run],
}

/// Something wrong with an object, with its place.
#[derive(Debug)]
pub(crate) struct PlacedFinding {
    pub severity: Severity,
    pub path: String,
    pub line: Option<usize>,
    pub column: Option<usize>,
    pub message: String,
    pub help: String,
}

impl FailForwardReport<'_> {
    pub(crate) fn write(
        &self,
        format: CatalogFormat,
        style: Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            CatalogFormat::Human => human::write(self, style, out),
            CatalogFormat::Json => json::write(self, out),
        }
    }
}
