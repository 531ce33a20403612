//! Exposures for programs. The format is versioned, and fields are only added;
//! `schemas/risk-exposure.json` describes it.

use std::io::{self, Write};

use serde::Serialize;

use crate::domain::time::day;
use crate::report::json::write_json;

use super::ExposureReport;

#[derive(Serialize)]
struct ExposureJson<'r> {
    version: u8,
    risks: Vec<RiskJson<'r>>,
    unfixed: usize,
}

#[derive(Serialize)]
struct RiskJson<'r> {
    name: &'r str,
    declared: String,
    fixed: String,
    days: i64,
}

pub(super) fn write(report: &ExposureReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let risks = report.risks.iter().map(|risk| RiskJson {
        name: risk.name,
        declared: day(risk.declared),
        fixed: day(risk.fixed),
        days: risk.days(),
    });
    let document = ExposureJson { version: 1, risks: risks.collect(), unfixed: report.unfixed };
    write_json(&document, out)
}
