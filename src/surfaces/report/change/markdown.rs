//! Writes the report as Markdown for a pull request: a summary in one line, the most important
//! effects, and the rest folded.

use std::io::{self, Write};

use crate::domain::Severity;
use crate::report::markup::{escaped, prose};
use crate::text::words::grouped;

use super::ChangeReport;
use super::exits::{ExitItem, broken_expectations, sections};
use super::items::{self, ChangeItem};

/// The most items of a section.
const MOST_ITEMS: usize = 50;
/// The most items of a section that are not folded.
const MOST_UNFOLDED: usize = 5;

pub(super) fn write(report: &ChangeReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mark = match (report.worst(), report.is_idle()) {
        (Some(Severity::Error), _) => "❌",
        (Some(Severity::Warning), _) => "⚠️",
        (Some(Severity::Info), _) | (None, false) => "🔀",
        (None, true) => "✅",
    };
    writeln!(out, "### {mark} {}\n", escaped(&items::verdict(report)))?;
    writeln!(out, "What changes {}.", escaped(&report.range()))?;
    let broken = broken_expectations(report);
    if !broken.is_empty() {
        writeln!(out, "\n**Broken expectations**\n")?;
    }
    for one in &broken {
        writeln!(out, "- ❌ {}", prose(one))?;
    }
    for (heading, items) in sections(report) {
        write_exits(heading, &items, out)?;
    }
    write_updates(report, out)?;
    let source = report.provenance.in_words();
    writeln!(out, "\n<sub>Updates are from {}.", escaped(&source))?;
    for note in &report.provenance.notes {
        writeln!(out, "<br>{}", escaped(note))?;
    }
    writeln!(out, "</sub>")
}

/// Writes everything except exit paths, for `check`, whose findings already report those.
pub(in crate::surfaces::report) fn write_updates(
    report: &ChangeReport<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let comparison = report.comparison();
    let groups = comparison.groups();
    write_list("Files that are no longer loaded", &items::unloaded(report), out)?;
    write_list("Updates", &items::updates(report, &groups), out)?;
    write_list("Declarations", &items::risks(comparison), out)?;
    write_list("Channels", &items::moves(comparison, &groups), out)?;
    write_list("Promotions and builds", &items::upkeep(report), out)
}

fn write_exits(heading: &str, items: &[ExitItem], out: &mut dyn Write) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n**{heading}**\n")?;
    for item in items.iter().take(MOST_UNFOLDED) {
        let sign = match item.severity {
            None => "✅",
            Some(Severity::Error) => "❌",
            Some(Severity::Warning) => "⚠️",
            Some(Severity::Info) => "ℹ️",
        };
        let help = item.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        let (first, rest) = item.details.split_at(item.details.len().min(2));
        write!(out, "- {sign} {}{}", prose(&item.summary), prose(&help))?;
        write_lines(first, out)?;
        if !rest.is_empty() {
            write!(out, "\n  <details><summary>and elsewhere</summary>")?;
            write_lines(&rest[..rest.len().min(MOST_ITEMS)], out)?;
            write!(out, "</details>")?;
        }
        writeln!(out)?;
    }
    if items.len() > MOST_UNFOLDED {
        writeln!(out, "- and {} more", grouped(items.len() - MOST_UNFOLDED))?;
    }
    Ok(())
}

fn write_lines(lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    lines.iter().try_for_each(|line| write!(out, "<br>{}", prose(line)))
}

fn write_list(heading: &str, items: &[ChangeItem], out: &mut dyn Write) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n**{heading}**\n")?;
    for (nth, item) in items.iter().take(MOST_ITEMS).enumerate() {
        if nth == MOST_UNFOLDED {
            writeln!(
                out,
                "\n<details><summary>{} more</summary>\n",
                grouped(items.len() - MOST_UNFOLDED)
            )?;
        }
        let sign = match item.sign {
            '+' => "➕",
            '-' => "➖",
            _ => "✏️",
        };
        write!(out, "- {sign} {}", prose(&item.summary))?;
        write_lines(&item.details, out)?;
        writeln!(out)?;
    }
    if items.len() > MOST_ITEMS {
        writeln!(out, "- and {} more", grouped(items.len() - MOST_ITEMS))?;
    }
    if items.len() > MOST_UNFOLDED {
        writeln!(out, "\n</details>")?;
    }
    Ok(())
}
