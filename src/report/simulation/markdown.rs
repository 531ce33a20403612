//! For a pull request: verdict and counts above the fold, the table and a drawing below it.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::Cause;
use crate::domain::Severity;
use crate::report::markup::{cell, code, escaped, label};
use crate::text::words::{counted, listed};

use super::stranded_group::{Set, StrandedGroup};
use super::{SimulationReport, dropped};

/// So many rows are written.
const ROWS: usize = 100;
/// So many groups are drawn.
const DRAWN: usize = 4;

pub(super) fn write(report: &SimulationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let groups = StrandedGroup::all(report);
    verdict(report, &groups, out)?;
    if !groups.is_empty() {
        drawing(&groups, out)?;
        table(&groups, out)?;
    }
    for channel in &report.simulation.channels {
        for (severity, text) in dropped::in_words(channel) {
            let name = code(report.simulation.name(channel.channel));
            writeln!(out, "\n{} {name}: {}", sign(severity), escaped(&text))?;
        }
    }
    writeln!(out, "\n<sub>{}", escaped(&report.provenance()))?;
    for note in &report.provenance.notes {
        writeln!(out, "<br>{}", escaped(note))?;
    }
    writeln!(out, "</sub>")
}

fn verdict(
    report: &SimulationReport<'_>,
    groups: &[StrandedGroup<'_>],
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
    for group in groups.iter().take(DRAWN) {
        let help = group.help().map(|help| format!("; {help}")).unwrap_or_default();
        writeln!(
            out,
            "- {} {} {}{}",
            sign(group.severity()),
            escaped(&group.who()),
            escaped(&group.what()),
            escaped(&help)
        )?;
    }
    if groups.len() > DRAWN {
        writeln!(out, "- and {} more, in the table", groups.len() - DRAWN)?;
    }
    Ok(())
}

/// Of each group, the releases, and the nearest update that would lead on.
fn drawing(groups: &[StrandedGroup<'_>], out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    for (nth, group) in groups.iter().take(DRAWN).enumerate() {
        let Some(exit) = group.exits.first() else { continue };
        let (from, to, _) = group.exit(exit);
        let _ = writeln!(text, "  s{nth}[\"{}\"]", label(&group.who()));
        let mut start = format!("s{nth}");
        if group.versions() != [from] {
            let _ = writeln!(text, "  {start} --> f{nth}[\"{}\"]", label(from));
            start = format!("f{nth}");
        }
        let risks = match group.exit_risks(exit) {
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

fn table(groups: &[StrandedGroup<'_>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n<details><summary>ClusterKind is stranded, and by what</summary>\n")?;
    writeln!(out, "| | Channels | Releases | | Stranded by | Nearest exit |")?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- |")?;
    for group in groups.iter().take(ROWS) {
        let doubt = if group.is_certain() { "" } else { " (as far as is known)" };
        let set = |set: &Set<'_>| {
            let whom = set.whom.as_ref().map(|whom| format!(" ({whom})")).unwrap_or_default();
            cell(&escaped(&(set.names.join(" + ") + &whom)))
        };
        let sets = group.sets();
        let by = match group.first().cause {
            Cause::Graph => "the graph itself".to_owned(),
            Cause::Risks if sets.is_empty() => "many risks together".to_owned(),
            Cause::Risks => sets.iter().take(3).map(set).collect::<Vec<_>>().join("<br>"),
        };
        let more =
            if sets.len() > 3 { format!("<br>and {} more", sets.len() - 3) } else { String::new() };
        let exit = group.exits.first().map(|exit| {
            let (from, to, files) = group.exit(exit);
            let files = files.iter().take(3).map(|file| format!("<br>{}", cell(&code(file))));
            format!("{} → {}{}", escaped(from), escaped(to), files.collect::<String>())
        });
        writeln!(
            out,
            "| {} | {} ({}) | {} | {}{doubt} | {by}{more} | {} |",
            sign(group.severity()),
            cell(&escaped(&listed(&group.channels(), "and"))),
            group.architectures(),
            cell(&escaped(&group.who())),
            cell(&escaped(&group.what())),
            exit.unwrap_or_default(),
        )?;
    }
    if groups.len() > ROWS {
        writeln!(out, "\nand {} more.", groups.len() - ROWS)?;
    }
    writeln!(out, "\n</details>")
}

fn sign(severity: Severity) -> &'static str {
    if severity == Severity::Error { "❌" } else { "⚠️" }
}
