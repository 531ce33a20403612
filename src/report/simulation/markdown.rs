//! For a pull request: verdict and counts above the fold, the table and a drawing below it.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::Cause;
use crate::report::counted;
use crate::report::markup::{cell, code, escaped, label};
use crate::report::words::listed;
use crate::rules::Severity;

use super::plight::{Plight, Set};
use super::{SimulationReport, misread};

/// So many rows are written.
const ROWS: usize = 100;
/// So many plights are drawn.
const DRAWN: usize = 4;

pub(super) fn write(report: &SimulationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let plights = Plight::all(report);
    verdict(report, &plights, out)?;
    if !plights.is_empty() {
        drawing(&plights, out)?;
        table(&plights, out)?;
    }
    for channel in &report.simulation.channels {
        for (severity, text) in misread::told(channel) {
            let name = code(report.simulation.name(channel.channel));
            writeln!(out, "\n{} {name}: {}", sign(severity), escaped(&text))?;
        }
    }
    writeln!(out, "\n<sub>{}", escaped(&report.provenance()))?;
    for note in report.notes {
        writeln!(out, "<br>{}", escaped(note))?;
    }
    writeln!(out, "</sub>")
}

fn verdict(
    report: &SimulationReport<'_>,
    plights: &[Plight<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    match report.headline() {
        None => writeln!(out, "### ✅ Every supported release has an exit path")?,
        Some(headline) => {
            let mark = sign(report.worst().unwrap_or(Severity::Warning));
            writeln!(out, "### {mark} {headline}")?;
        }
    }
    let answers = counted(report.simulation.channels.len(), "answer");
    writeln!(out, "\nSimulated: {answers} to clusters. Judged: {}.", escaped(&report.judged))?;
    for plight in plights.iter().take(DRAWN) {
        let help = plight.help().map(|help| format!("; {help}")).unwrap_or_default();
        writeln!(
            out,
            "- {} {} {}{}",
            sign(plight.severity()),
            escaped(&plight.who()),
            escaped(&plight.what()),
            escaped(&help)
        )?;
    }
    if plights.len() > DRAWN {
        writeln!(out, "- and {} more, in the table", plights.len() - DRAWN)?;
    }
    Ok(())
}

/// Of each plight, the releases, and the nearest update that would lead on.
fn drawing(plights: &[Plight<'_>], out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    for (nth, plight) in plights.iter().take(DRAWN).enumerate() {
        let Some(door) = plight.doors.first() else { continue };
        let (from, to, _) = plight.door(door);
        let _ = writeln!(text, "  s{nth}[\"{}\"]", label(&plight.who()));
        let mut start = format!("s{nth}");
        if plight.versions() != [from] {
            let _ = writeln!(text, "  {start} --> f{nth}[\"{}\"]", label(from));
            start = format!("f{nth}");
        }
        let risks = match plight.door_risks(door) {
            risks if risks.is_empty() => "blocked".to_owned(),
            risks => listed(&risks, "and"),
        };
        let _ = writeln!(text, "  {start} -. \"{}\" .-> t{nth}[\"{}\"]", label(&risks), label(to));
    }
    if !text.is_empty() {
        write!(out, "\n```mermaid\nflowchart LR\n{text}```\n")?;
    }
    Ok(())
}

fn table(plights: &[Plight<'_>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n<details><summary>Who is stranded, and by what</summary>\n")?;
    writeln!(out, "| | Channels | Releases | | Stranded by | Nearest exit |")?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- |")?;
    for plight in plights.iter().take(ROWS) {
        let doubt = if plight.is_certain() { "" } else { " (as far as is known)" };
        let set = |set: &Set<'_>| {
            let whom = set.whom.as_ref().map(|whom| format!(" ({whom})")).unwrap_or_default();
            cell(&escaped(&(set.names.join(" + ") + &whom)))
        };
        let sets = plight.sets();
        let by = match plight.first().cause {
            Cause::Graph => "the graph itself".to_owned(),
            Cause::Risks if sets.is_empty() => "many risks together".to_owned(),
            Cause::Risks => sets.iter().take(3).map(set).collect::<Vec<_>>().join("<br>"),
        };
        let more =
            if sets.len() > 3 { format!("<br>and {} more", sets.len() - 3) } else { String::new() };
        let exit = plight.doors.first().map(|door| {
            let (from, to, files) = plight.door(door);
            let files = files.iter().take(3).map(|file| format!("<br>{}", cell(&code(file))));
            format!("{} → {}{}", escaped(from), escaped(to), files.collect::<String>())
        });
        writeln!(
            out,
            "| {} | {} ({}) | {} | {}{doubt} | {by}{more} | {} |",
            sign(plight.severity()),
            cell(&escaped(&listed(&plight.channels(), "and"))),
            plight.architectures(),
            cell(&escaped(&plight.who())),
            cell(&escaped(&plight.what())),
            exit.unwrap_or_default(),
        )?;
    }
    if plights.len() > ROWS {
        writeln!(out, "\nand {} more.", plights.len() - ROWS)?;
    }
    writeln!(out, "\n</details>")
}

fn sign(severity: Severity) -> &'static str {
    if severity == Severity::Error { "❌" } else { "⚠️" }
}
