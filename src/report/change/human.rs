//! For a person: the whole in one line, then what happens to whom.

use std::io::{self, Write};

use crate::report::Style;
use crate::report::simulation::{Plight, tell};
use crate::text::printable;

use super::told::{self, Told};
use super::{ChangeReport, Severity};

/// So many things of one kind are told.
const MOST: usize = 20;
/// So many kinds of stranded releases are told.
const PLIGHTS: usize = 8;

pub(super) fn write(
    report: &ChangeReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (mark, worst) = match (report.is_idle(), report.exits.stranded.channels.is_empty()) {
        (true, _) => ("✓", None),
        (false, true) => ("~", Some(Severity::Info)),
        (false, false) => ("⚠", Some(Severity::Warning)),
    };
    let from_to = format!("from {} to {}", report.base, report.head);
    let verdict = format!("{mark} {from_to}: {}", told::verdict(report));
    writeln!(out, "{}", style.mark(&printable(&verdict), worst))?;
    if style.quiet {
        return Ok(());
    }
    let exits = report.exits;
    let heading = "Newly stranded, if every conditional update is removed";
    plights(heading, &report.of_exits(&exits.stranded, report.after), style, out)?;
    plights("Freed", &report.of_exits(&exits.freed, report.before), style, out)?;
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

fn plights(
    heading: &str,
    report: &super::SimulationReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let plights = Plight::in_brief(report);
    for (nth, plight) in plights.iter().take(PLIGHTS).enumerate() {
        if nth == 0 {
            writeln!(out, "\n{}", style.bold(heading))?;
        }
        tell(plight, true, style, out)?;
    }
    if plights.len() > PLIGHTS {
        writeln!(
            out,
            "  and {} more, of which `exitpath simulate` tells",
            plights.len() - PLIGHTS
        )?;
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
