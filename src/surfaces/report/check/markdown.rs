//! Markdown for a step summary or a comment: the verdict, then one row for each finding.

use std::io::{self, Write};

use crate::rules::{Finding, Severity};

use crate::report::change;
use crate::report::markup::{cell, code, prose};

use super::{CheckReport, Listing, grouped};

/// The most rows. GitHub limits a step summary to 1 MiB, and a comment to 64 KiB.
const MOST_ROWS: usize = 100;

pub(super) fn write(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let counts = report.counts();
    let mark = match (counts.errors, counts.warnings) {
        (0, 0) => "✅",
        (0, _) => "⚠️",
        _ => "❌",
    };
    writeln!(out, "## {mark} exitpath: {}\n", report.verdict())?;
    for remark in report.remarks {
        writeln!(out, "**{}**\n", prose(remark))?;
    }
    if matches!(report.listing, Listing::Grouped { .. }) {
        grouped::write_markdown(report, MOST_ROWS, out)?;
    } else {
        write_rows(report, out)?;
    }
    if let Some(changed) = report.change {
        writeln!(out, "\n### What changes for clusters: {}", prose(&change::verdict(changed)))?;
        change::write_markdown(changed, out)?;
    }
    let outcome = report.outcome;
    if outcome.omitted > 0 {
        let more = super::counted(outcome.omitted, "finding");
        writeln!(out, "\n{more} omitted, of rules with hundreds of findings in one file.")?;
    }
    if let Some(count) = outcome.pre_existing.filter(|count| *count > 0) {
        writeln!(out, "\n{} hidden.", super::counted(count, "pre-existing finding"))?;
    }
    if outcome.in_baseline > 0 {
        writeln!(
            out,
            "\n{} in the baseline.",
            super::counted(outcome.in_baseline, "known finding")
        )?;
    }
    Ok(())
}

fn write_rows(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut findings: Vec<&Finding> = report.findings().iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    if !findings.is_empty() {
        writeln!(out, "| | Where | What | Rule |\n| --- | --- | --- | --- |")?;
    }
    for finding in findings.iter().take(MOST_ROWS) {
        write_row(report, finding, out)?;
    }
    if findings.len() > MOST_ROWS {
        writeln!(
            out,
            "\n…and {} more: run `exitpath check` to see them all.",
            findings.len() - MOST_ROWS
        )?;
    }
    Ok(())
}

fn write_row(report: &CheckReport<'_>, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let mark = match finding.severity {
        Severity::Error => "❌ error",
        Severity::Warning => "⚠️ warning",
        Severity::Info => "ℹ️ info",
    };
    let help = finding
        .help
        .as_ref()
        .map_or_else(String::new, |help| format!("<br>→ {}", cell(&prose(help))));
    writeln!(
        out,
        "| {mark} | {} | {}{help} | {} {} |",
        cell(&code(&report.location(&finding.place))),
        cell(&prose(&finding.message)),
        finding.rule.code,
        finding.rule.name
    )
}
