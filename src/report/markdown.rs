//! Markdown, for a step summary or a comment: the verdict first, then one line each.

use std::io::{self, Write};

use crate::rules::{Finding, Severity};
use crate::text::printable;

use super::Report;

/// GitHub cuts a step summary at 1 MiB and a comment at 64 KiB.
const SHOWN: usize = 100;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let counts = report.counts();
    let mark = match (counts.errors, counts.warnings) {
        (0, 0) => "✅",
        (0, _) => "⚠️",
        _ => "❌",
    };
    writeln!(out, "## {mark} exitpath: {}\n", report.verdict())?;
    let mut findings: Vec<&Finding> = report.findings().iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    if !findings.is_empty() {
        writeln!(out, "| | Where | What | Rule |\n| --- | --- | --- | --- |")?;
    }
    for finding in findings.iter().take(SHOWN) {
        row(report, finding, out)?;
    }
    if findings.len() > SHOWN {
        writeln!(
            out,
            "\n…and {} more: run `exitpath check` to see them all.",
            findings.len() - SHOWN
        )?;
    }
    let outcome = report.outcome;
    if outcome.cut > 0 {
        let more = super::counted(outcome.cut, "finding");
        writeln!(out, "\n{more} left out, of rules that find hundreds in one file.")?;
    }
    if let Some(standing) = outcome.standing.filter(|standing| *standing > 0) {
        writeln!(out, "\n{} stood before this change.", super::counted(standing, "finding"))?;
    }
    if outcome.known > 0 {
        writeln!(out, "\n{} in the baseline.", super::counted(outcome.known, "known finding"))?;
    }
    Ok(())
}

fn row(report: &Report<'_>, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let mark = match finding.severity {
        Severity::Error => "❌ error",
        Severity::Warning => "⚠️ warning",
        Severity::Info => "ℹ️ info",
    };
    let help =
        finding.help.as_ref().map_or_else(String::new, |help| format!("<br>→ {}", prose(help)));
    writeln!(
        out,
        "| {mark} | {} | {}{help} | {} {} |",
        code(&report.location(&finding.place)),
        prose(&finding.message),
        finding.rule.code,
        finding.rule.name
    )
}

/// Text for a table's cell. Our own code marks stay; what stands in them may come from
/// a file, so nothing in it can end the cell, begin a tag, or call a person.
fn prose(raw: &str) -> String {
    printable(raw)
        .replace('\n', " ")
        .split('`')
        .enumerate()
        .map(|(i, part)| if i % 2 == 1 { code(part) } else { escaped(part) })
        .collect()
}

fn code(raw: &str) -> String {
    let safe = printable(raw).replace('`', "'").replace('\n', " ").replace('|', "\\|");
    if safe.trim().is_empty() { String::new() } else { format!("`{safe}`") }
}

fn escaped(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '&' => text.push_str("&amp;"),
            '@' => text.push_str("&#64;"),
            '|' | '*' | '_' | '[' | ']' | '\\' | '#' | '~' => {
                text.push('\\');
                text.push(c);
            }
            c => text.push(c),
        }
    }
    text
}
