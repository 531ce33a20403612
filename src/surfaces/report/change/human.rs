//! Writes the report for people: a summary in one line, then each effect.

use std::io::{self, Write};

use crate::report::Style;
use crate::text::printable;
use crate::text::words::{counted, grouped};

use super::exits::{ExitItem, broken_expectations, sections};
use super::items::{self, ChangeItem};
use super::{ChangeReport, Severity};

/// The most items of a section.
const MOST_ITEMS: usize = 20;
/// The most details of an item about exit paths.
const MOST_DETAILS: usize = 8;

pub(super) fn write(
    report: &ChangeReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (mark, worst) = match (report.worst(), report.is_idle()) {
        (Some(Severity::Error), _) => ("✗", Some(Severity::Error)),
        (Some(Severity::Warning), _) => ("⚠", Some(Severity::Warning)),
        (Some(Severity::Info), _) | (None, false) => ("~", Some(Severity::Info)),
        (None, true) => ("✓", None),
    };
    let verdict = format!("{mark} {}", report.verdict());
    writeln!(out, "{}", style.mark(&printable(&verdict), worst))?;
    if style.quiet {
        return Ok(());
    }
    let broken = broken_expectations(report);
    if !broken.is_empty() {
        writeln!(out, "\n{}", style.bold("Broken expectations"))?;
    }
    for one in &broken {
        writeln!(out, "  {} {}", style.mark("✗", Some(Severity::Error)), printable(one))?;
    }
    for (heading, items) in sections(report) {
        write_exits(heading, &items, style, out)?;
    }
    write_updates(report, style, out)
}

/// Writes everything except exit paths, for `check`, whose findings already report those.
pub(in crate::surfaces::report) fn write_updates(
    report: &ChangeReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let comparison = report.comparison();
    let groups = comparison.groups();
    write_list("Files that are no longer loaded", &items::unloaded(report), style, out)?;
    write_list("Updates", &items::updates(report, &groups), style, out)?;
    write_list("Declarations", &items::risks(comparison), style, out)?;
    write_list("Channels", &items::moves(comparison, &groups), style, out)?;
    write_list("Promotions and builds", &items::upkeep(report), style, out)
}

fn write_exits(
    heading: &str,
    items: &[ExitItem],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold(heading))?;
    for item in items.iter().take(MOST_ITEMS) {
        let sign = match item.severity {
            None => "✓",
            Some(Severity::Error) => "✗",
            Some(Severity::Warning) => "⚠",
            Some(Severity::Info) => "~",
        };
        writeln!(out, "  {} {}", style.mark(sign, item.severity), printable(&item.summary))?;
        for line in item.details.iter().take(MOST_DETAILS) {
            writeln!(out, "      {}", printable(line))?;
        }
        if item.details.len() > MOST_DETAILS {
            let more = counted(item.details.len() - MOST_DETAILS, "more group");
            writeln!(out, "      and {more} of releases; `--format json` has them all")?;
        }
        if let Some(help) = &item.help {
            writeln!(out, "      {}", printable(help))?;
        }
    }
    if items.len() > MOST_ITEMS {
        writeln!(out, "  and {} more", grouped(items.len() - MOST_ITEMS))?;
    }
    Ok(())
}

fn write_list(
    heading: &str,
    items: &[ChangeItem],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold(heading))?;
    for item in items.iter().take(MOST_ITEMS) {
        let severity = match item.sign {
            '+' => None,
            '-' => Some(Severity::Error),
            _ => Some(Severity::Warning),
        };
        let sign = style.mark(&item.sign.to_string(), severity);
        writeln!(out, "  {sign} {}", printable(&item.summary))?;
        for line in &item.details {
            writeln!(out, "      {}", printable(line))?;
        }
    }
    if items.len() > MOST_ITEMS {
        writeln!(out, "  and {} more", grouped(items.len() - MOST_ITEMS))?;
    }
    Ok(())
}
