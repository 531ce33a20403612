//! For a pull request: the whole in one line, what to look at, and the rest folded.

use std::io::{self, Write};

use crate::domain::Severity;
use crate::report::markup::{escaped, prose};

use super::ChangeReport;
use super::exits::{self, expectations, sections};
use super::told::{self, Told};

/// So many things of one kind are told.
const MOST: usize = 50;
/// So many are told above the fold.
const FEW: usize = 5;

pub(super) fn write(report: &ChangeReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mark = match (report.is_idle(), report.worst()) {
        (true, _) => "✅",
        (false, None) => "🔀",
        (false, Some(Severity::Error)) => "❌",
        (false, _) => "⚠️",
    };
    writeln!(out, "### {mark} {}\n", escaped(&told::verdict(report)))?;
    writeln!(out, "What changes {}.", escaped(&report.range()))?;
    let broken = expectations(report);
    if !broken.is_empty() {
        writeln!(out, "\n**Broken expectations**\n")?;
    }
    for one in &broken {
        writeln!(out, "- ❌ {}", prose(one))?;
    }
    for (heading, told) in sections(report) {
        exits(heading, &told, out)?;
    }
    write_updates(report, out)?;
    let source = report.provenance.in_words();
    writeln!(out, "\n<sub>Updates are from {}.", escaped(&source))?;
    for note in &report.provenance.notes {
        writeln!(out, "<br>{}", escaped(note))?;
    }
    writeln!(out, "</sub>")
}

/// What happens to updates, and by what; who is stranded by it, rules may have told.
pub(in crate::report) fn write_updates(
    report: &ChangeReport<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let comparison = report.comparison();
    let groups = comparison.groups();
    list("Updates", &told::updates(report, &groups), out)?;
    list("Declarations", &told::risks(comparison), out)?;
    list("Channels", &told::moves(comparison, &groups), out)
}

fn exits(heading: &str, all: &[exits::Told], out: &mut dyn Write) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n**{heading}**\n")?;
    for one in all.iter().take(FEW) {
        let sign = match one.severity {
            None => "✅",
            Some(Severity::Error) => "❌",
            Some(Severity::Warning) => "⚠️",
            Some(Severity::Info) => "ℹ️",
        };
        let help = one.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        let (first, rest) = one.who.split_at(one.who.len().min(2));
        write!(out, "- {sign} {}{}", prose(&one.what), prose(&help))?;
        lines(first, out)?;
        if !rest.is_empty() {
            write!(out, "\n  <details><summary>and elsewhere</summary>")?;
            lines(&rest[..rest.len().min(MOST)], out)?;
            write!(out, "</details>")?;
        }
        writeln!(out)?;
    }
    if all.len() > FEW {
        writeln!(out, "- and {} more", all.len() - FEW)?;
    }
    Ok(())
}

fn lines(lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    lines.iter().try_for_each(|line| write!(out, "<br>{}", prose(line)))
}

fn list(heading: &str, things: &[Told], out: &mut dyn Write) -> io::Result<()> {
    if things.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n**{heading}**\n")?;
    for (nth, thing) in things.iter().take(MOST).enumerate() {
        if nth == FEW {
            writeln!(out, "\n<details><summary>{} more</summary>\n", things.len() - FEW)?;
        }
        let sign = match thing.sign {
            '+' => "➕",
            '-' => "➖",
            _ => "✏️",
        };
        write!(out, "- {sign} {}", prose(&thing.what))?;
        for more in &thing.more {
            write!(out, "<br>{}", prose(more))?;
        }
        writeln!(out)?;
    }
    if things.len() > MOST {
        writeln!(out, "- and {} more", things.len() - MOST)?;
    }
    if things.len() > FEW {
        writeln!(out, "\n</details>")?;
    }
    Ok(())
}
