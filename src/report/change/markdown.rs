//! For a pull request: the whole in one line, what to look at, and the rest folded.

use std::io::{self, Write};

use crate::report::markup::{escaped, prose};
use crate::report::simulation::Plight;

use super::ChangeReport;
use super::told::{self, Told};

/// So many things of one kind are told.
const MOST: usize = 50;
/// So many are told above the fold.
const FEW: usize = 5;

pub(super) fn write(report: &ChangeReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mark = match (report.is_idle(), report.exits.stranded.channels.is_empty()) {
        (true, _) => "✅",
        (false, true) => "🔀",
        (false, false) => "⚠️",
    };
    writeln!(out, "### {mark} {}\n", escaped(&told::verdict(report)))?;
    writeln!(
        out,
        "From {} to {}.",
        prose(&format!("`{}`", report.base)),
        prose(&format!("`{}`", report.head))
    )?;
    let exits = report.exits;
    plights("⚠️ newly stranded:", &report.of_exits(&exits.stranded, report.after), out)?;
    plights("✅ freed:", &report.of_exits(&exits.freed, report.before), out)?;
    write_updates(report, out)?;
    let as_of = report.as_of.map(|day| format!(", as of {day}")).unwrap_or_default();
    writeln!(out, "\n<sub>Updates are from {}{as_of}.", escaped(report.source))?;
    for note in report.notes {
        writeln!(out, "<br>{}", escaped(note))?;
    }
    writeln!(out, "</sub>")
}

/// What happens to updates, and by what; who is stranded by it, rules may have told.
pub(in crate::report) fn write_updates(
    report: &ChangeReport<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let groups = report.comparison.groups();
    list("Updates", &told::updates(report, &groups), out)?;
    list("Declarations", &told::risks(report.comparison), out)?;
    list("Channels", &told::moves(report.comparison, &groups), out)
}

fn plights(
    heading: &str,
    report: &super::SimulationReport<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let plights = Plight::in_brief(report);
    if plights.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    for plight in plights.iter().take(MOST) {
        let mut by: Vec<String> =
            plight.sets().iter().take(3).map(|set| set.names.join(" + ")).collect();
        if by.is_empty() {
            by.push("the graph itself".to_owned());
        }
        let help = plight.help().map(|help| format!("; {help}")).unwrap_or_default();
        let sentence = format!(
            "{} {} in {}, by {}{help}",
            plight.who(),
            plight.what(),
            plight.channels().join(", "),
            by.join(", or ")
        );
        writeln!(out, "- {heading} {}", escaped(&sentence))?;
    }
    if plights.len() > MOST {
        writeln!(out, "- and {} more", plights.len() - MOST)?;
    }
    Ok(())
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
