//! Writes the report for people: the verdict, then which releases are stranded where, and what
//! would help.

use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::analysis::{Cause, Goal, MemberId, RankedRisk};
use crate::domain::Severity;
use crate::report::Style;
use crate::text::printable;
use crate::text::words::{counted, grouped, listed};

use super::stranded_group::{ExitInWords, StrandedGroup};
use super::{SimulationReport, dropped};

/// The most sets for each group.
const MOST_SETS: usize = 3;
/// The most files for each nearest exit.
const MOST_FILES: usize = 3;

pub(super) fn write(
    report: &SimulationReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", verdict(report, style))?;
    if style.quiet {
        return Ok(());
    }
    let mut heading = None;
    for group in StrandedGroup::all(report) {
        let channels = listed(&group.channels(), "and");
        let current = (channels, group.architectures());
        if heading.as_ref() != Some(&current) {
            writeln!(out, "\n{} ({})", style.bold(&printable(&current.0)), current.1)?;
            heading = Some(current);
        }
        write_group(&group, style, out)?;
    }
    write_dropped(report, style, out)?;
    let channels = &report.simulation.channels;
    write_fixes(report, style, out)?;
    writeln!(out, "\n{}", printable(&report.scope()))?;
    let without = channels.iter().filter(|channel| channel.targets.minor.is_none());
    let mut names: Vec<&str> = without.map(|c| report.simulation.name(c.channel)).collect();
    names.dedup();
    if !names.is_empty() {
        let names = listed(&names, "and");
        let names = printable(&names);
        writeln!(out, "The goal `minor` is not checked in {names}: the name contains no minor.")?;
    }
    Ok(())
}

fn verdict(report: &SimulationReport<'_>, style: Style) -> String {
    let worst = report.worst();
    let text = printable(&report.verdict()).into_owned();
    style.mark(&format!("{} {text}", worst.map_or("✓", sign)), worst)
}

fn write_group(group: &StrandedGroup<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let severity = group.severity();
    let mark = style.mark(sign(severity), Some(severity));
    let doubt = group.doubt();
    writeln!(out, "  {mark} {} {}{doubt}", printable(&group.release_list()), group.problem())?;

    if group.first().cause == Cause::Graph {
        let what = match group.first().goal {
            Goal::Any => "there are no updates to other releases",
            Goal::Patch | Goal::Minor => "no update leads there",
        };
        writeln!(out, "      even with all risks removed, {what}")?;
    }
    let sets = group.sets();
    for set in sets.iter().take(MOST_SETS) {
        let clusters = set.clusters.as_ref().map(|clusters| format!(" ({clusters})"));
        let text = set.names.join(" and ") + &clusters.unwrap_or_default();
        writeln!(out, "      stranded by {}", printable(&text))?;
    }
    if sets.len() > MOST_SETS {
        writeln!(out, "      and by {}", counted(sets.len() - MOST_SETS, "more combination"))?;
    }
    if sets.is_empty() && group.first().cause == Cause::Risks && !group.is_incomplete() {
        writeln!(out, "      stranded only by many risks together")?;
    }
    match group.with_larger_sets() {
        0 => {}
        n if n == group.versions().len() => {
            writeln!(out, "      also stranded by larger combinations of risks")?;
        }
        n => {
            let n = grouped(n);
            writeln!(out, "      {n} of them also stranded by larger combinations of risks")?;
        }
    }
    if group.is_incomplete() {
        writeln!(out, "      too many risks: exitpath did not search all combinations of them")?;
    }
    if let Some(exit) = group.exits.first() {
        let ExitInWords { from, to, files } = group.exit(exit);
        writeln!(out, "      {}", printable(&format!("nearest exit: {from} → {to}")))?;
        for file in files.iter().take(MOST_FILES) {
            writeln!(out, "          {}", printable(file))?;
        }
        if files.len() > MOST_FILES {
            writeln!(out, "          and {}", counted(files.len() - MOST_FILES, "more file"))?;
        }
    }
    if let Some(help) = group.help() {
        writeln!(out, "      {}", printable(&help))?;
    }
    if !group.not_stranded_in.is_empty() {
        let channels = listed(&group.not_stranded_in, "and");
        writeln!(out, "      not stranded in {}", printable(&channels))?;
    }
    Ok(())
}

/// The most fixes for each channel.
const MOST_FIXES: usize = 3;

/// Which risks would unblock most releases of each channel if they were removed alone.
fn write_fixes(report: &SimulationReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    // Channels with the same fixes share a line.
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for channel in report.channels_with_stranded() {
        let stranded: BTreeSet<MemberId> = channel.stranded.iter().map(|one| one.release).collect();
        let fixes = report.fixes(channel);
        let helpful = fixes.iter().filter(|fix| fix.releases > 0).take(MOST_FIXES);
        let line = |fix: &RankedRisk| {
            let clusters = fix.clusters.map(|n| {
                let n = usize::try_from(n).unwrap_or(usize::MAX);
                format!(", {}", counted(n, "cluster"))
            });
            format!(
                "{} (unblocks {} of {}{})",
                report.simulation.names.name(fix.risk),
                grouped(fix.releases),
                grouped(stranded.len()),
                clusters.unwrap_or_default()
            )
        };
        let line = helpful.map(line).collect::<Vec<_>>().join(", ");
        let name = report.simulation.name(channel.channel);
        match lines.iter_mut().find(|(known, _)| *known == line) {
            _ if line.is_empty() => {}
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => lines.push((line, vec![name])),
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold("Most helpful risk to remove"))?;
    for (line, names) in lines {
        writeln!(out, "  {}: {}", printable(&listed(&names, "and")), printable(&line))?;
    }
    Ok(())
}

/// Updates that clusters drop or treat differently than written.
fn write_dropped(
    report: &SimulationReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for channel in report.simulation.channels.iter().filter(|channel| !channel.dropped.is_empty()) {
        let name = printable(report.simulation.name(channel.channel)).into_owned();
        writeln!(out, "\n{} ({})", style.bold(&name), channel.architectures)?;
        for (severity, text) in dropped::sentences(channel) {
            let mark = style.mark(sign(severity), Some(severity));
            writeln!(out, "  {mark} {}", printable(&text))?;
        }
    }
    Ok(())
}

fn sign(severity: Severity) -> &'static str {
    if severity == Severity::Error { "✗" } else { "⚠" }
}
