//! For a person: the whole in one line, then what happens to whom.

use std::io::{self, Write};

use crate::report::Style;
use crate::text::printable;
use crate::text::words::counted;

use super::exits::{self, expectations, sections};
use super::told::{self, Told};
use super::{ChangeReport, Severity};

/// So many things of one kind are told.
const MOST: usize = 20;
/// So many releases that the same risks strand are told.
const WHO: usize = 8;

pub(super) fn write(
    report: &ChangeReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (mark, worst) = match (report.is_idle(), report.worst()) {
        (true, _) => ("✓", None),
        (false, None) => ("~", Some(Severity::Info)),
        (false, Some(Severity::Error)) => ("✗", Some(Severity::Error)),
        (false, _) => ("⚠", Some(Severity::Warning)),
    };
    let verdict = format!("{mark} {}", report.verdict());
    writeln!(out, "{}", style.mark(&printable(&verdict), worst))?;
    if style.quiet {
        return Ok(());
    }
    let broken = expectations(report);
    if !broken.is_empty() {
        writeln!(out, "\n{}", style.bold("Broken expectations"))?;
    }
    for one in &broken {
        writeln!(out, "  {} {}", style.mark("✗", Some(Severity::Error)), printable(one))?;
    }
    for (heading, told) in sections(report) {
        exits(heading, &told, style, out)?;
    }
    write_updates(report, style, out)
}

/// What happens to updates, and by what; who is stranded by it, rules may have told.
pub(in crate::report) fn write_updates(
    report: &ChangeReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let comparison = report.comparison();
    let groups = comparison.groups();
    list("Updates", &told::updates(report, &groups), style, out)?;
    list("Declarations", &told::risks(comparison), style, out)?;
    list("Channels", &told::moves(comparison, &groups), style, out)
}

fn exits(heading: &str, all: &[exits::Told], style: Style, out: &mut dyn Write) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold(heading))?;
    for one in all.iter().take(MOST) {
        let sign = match one.severity {
            None => "✓",
            Some(Severity::Error) => "✗",
            Some(Severity::Warning) => "⚠",
            Some(Severity::Info) => "~",
        };
        writeln!(out, "  {} {}", style.mark(sign, one.severity), printable(&one.what))?;
        for who in one.who.iter().take(WHO) {
            writeln!(out, "      {}", printable(who))?;
        }
        if one.who.len() > WHO {
            let more = counted(one.who.len() - WHO, "more group");
            writeln!(out, "      and {more} of releases; `--format json` has them all")?;
        }
        if let Some(help) = &one.help {
            writeln!(out, "      {}", printable(help))?;
        }
    }
    if all.len() > MOST {
        writeln!(out, "  and {} more", all.len() - MOST)?;
    }
    Ok(())
}

fn list(heading: &str, things: &[Told], style: Style, out: &mut dyn Write) -> io::Result<()> {
    if things.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold(heading))?;
    for thing in things.iter().take(MOST) {
        let severity = match thing.sign {
            '+' => None,
            '-' => Some(Severity::Error),
            _ => Some(Severity::Warning),
        };
        let sign = style.mark(&thing.sign.to_string(), severity);
        writeln!(out, "  {sign} {}", printable(&thing.what))?;
        for more in &thing.more {
            writeln!(out, "      {}", printable(more))?;
        }
    }
    if things.len() > MOST {
        writeln!(out, "  and {} more", things.len() - MOST)?;
    }
    Ok(())
}
