//! Writes the report as Markdown for a pull request: the verdict, the first groups, and a drawing;
//! a folded table has the rest.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::Cause;
use crate::domain::Severity;
use crate::report::markup::{cell, code, escaped, label, prose};
use crate::text::words::{grouped, listed};

use super::stranded_group::{ExitInWords, RiskSet, StrandedGroup};
use super::{SimulationReport, dropped};

const MOST_ROWS: usize = 100;
/// The most groups that are listed and drawn above the table.
const MOST_DRAWN: usize = 4;

pub(super) fn write(report: &SimulationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let groups = StrandedGroup::all(report);
    write_verdict(report, &groups, out)?;
    if !groups.is_empty() {
        write_drawing(&groups, out)?;
        write_table(&groups, out)?;
    }
    for channel in &report.simulation.channels {
        for (severity, text) in dropped::sentences(channel) {
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

fn write_verdict(
    report: &SimulationReport<'_>,
    groups: &[StrandedGroup<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mark = report.worst().map_or("✅", sign);
    writeln!(out, "### {mark} {}\n\n{}\n", prose(&report.verdict()), escaped(&report.scope()))?;
    for group in groups.iter().take(MOST_DRAWN) {
        let help = group.help().map(|help| format!("; {help}")).unwrap_or_default();
        writeln!(
            out,
            "- {} {}: {} {}{}",
            sign(group.severity()),
            escaped(&listed(&group.channels(), "and")),
            escaped(&group.release_list()),
            escaped(&group.problem()),
            escaped(&help)
        )?;
    }
    if groups.len() > MOST_DRAWN {
        writeln!(out, "- and {} more, in the table", grouped(groups.len() - MOST_DRAWN))?;
    }
    Ok(())
}

/// Draws each group with its releases and its nearest exit.
fn write_drawing(groups: &[StrandedGroup<'_>], out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    for (nth, group) in groups.iter().take(MOST_DRAWN).enumerate() {
        let Some(exit) = group.exits.first() else { continue };
        let ExitInWords { from, to, .. } = group.exit(exit);
        let _ = writeln!(text, "  s{nth}[\"{}\"]", label(&group.release_list()));
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

fn write_table(groups: &[StrandedGroup<'_>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n<details><summary>Which releases are stranded, and by what</summary>\n")?;
    writeln!(out, "| | Channels | Releases | | Stranded by | Nearest exit |")?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- |")?;
    for group in groups.iter().take(MOST_ROWS) {
        let doubt = group.doubt();
        let set = |set: &RiskSet<'_>| {
            let clusters = set.clusters.as_ref().map(|clusters| format!(" ({clusters})"));
            cell(&escaped(&(set.names.join(" + ") + &clusters.unwrap_or_default())))
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
            let ExitInWords { from, to, files } = group.exit(exit);
            let files = files.iter().take(3).map(|file| format!("<br>{}", cell(&code(file))));
            format!("{} → {}{}", escaped(from), escaped(to), files.collect::<String>())
        });
        writeln!(
            out,
            "| {} | {} ({}) | {} | {}{doubt} | {by}{more} | {} |",
            sign(group.severity()),
            cell(&escaped(&listed(&group.channels(), "and"))),
            group.architectures(),
            cell(&escaped(&group.release_list())),
            cell(&escaped(&group.problem())),
            exit.unwrap_or_default(),
        )?;
    }
    if groups.len() > MOST_ROWS {
        writeln!(out, "\nand {} more.", grouped(groups.len() - MOST_ROWS))?;
    }
    writeln!(out, "\n</details>")
}

fn sign(severity: Severity) -> &'static str {
    if severity == Severity::Error { "❌" } else { "⚠️" }
}
