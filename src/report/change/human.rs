//! For a person: the whole in one line, then what happens to whom.

use std::io::{self, Write};

use crate::report::Style;
use crate::report::simulation::SimulationReport;
use crate::text::printable;

use super::exits::alike;
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
    let (stranded, freed) = (&report.exits.stranded, &report.exits.freed);
    let heading = "Newly stranded, with every conditional update removed";
    exits(heading, &report.of_exits(stranded, report.after), false, style, out)?;
    exits("Freed", &report.of_exits(freed, report.before), true, style, out)?;
    write_updates(report, style, out)
}

/// What happens to updates, and by what; who is stranded by it, rules may have told.
pub(in crate::report) fn write_updates(
    report: &ChangeReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let groups = report.comparison.groups();
    list("Updates", &told::updates(report, &groups), style, out)?;
    list("Declarations", &told::risks(report.comparison), style, out)?;
    list("Channels", &told::moves(report.comparison, &groups), style, out)
}

fn exits(
    heading: &str,
    report: &SimulationReport<'_>,
    is_over: bool,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all = alike(report, is_over);
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold(heading))?;
    for one in all.iter().take(MOST) {
        let severity = (!is_over).then_some(one.severity);
        let sign = match severity {
            None => "✓",
            Some(Severity::Error) => "✗",
            Some(_) => "⚠",
        };
        writeln!(out, "  {} {}", style.mark(sign, severity), printable(&one.by))?;
        for who in one.who.iter().take(WHO) {
            writeln!(out, "      {}", printable(who))?;
        }
        if one.who.len() > WHO {
            writeln!(
                out,
                "      and {} more, of which `exitpath simulate` tells",
                one.who.len() - WHO
            )?;
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
