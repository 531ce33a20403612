//! For a person: the verdict first, then who is stranded where, and what would help.

use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::analysis::{Cause, ChosenRisks, Goal, MemberId, RankedRisk};
use crate::domain::Severity;
use crate::report::Style;
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::stranded_group::StrandedGroup;
use super::{SimulationReport, dropped};

/// So many sets of a release are told.
const SETS: usize = 3;
/// So many files that close an update are told.
const FILES: usize = 3;

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
        let now = (channels, group.architectures());
        if heading.as_ref() != Some(&now) {
            writeln!(out, "\n{} ({})", style.bold(&printable(&now.0)), now.1)?;
            heading = Some(now);
        }
        tell(&group, style, out)?;
    }
    write_dropped(report, style, out)?;
    let channels = &report.simulation.channels;
    let well = channels.len() - report.affected().count();
    if well > 0 && well < channels.len() {
        let others = counted(well, "other channel/architecture combination");
        writeln!(out, "\nNo stranded releases in {others}.")?;
    }
    tell_fixes(report, style, out)?;
    writeln!(out, "\nJudged: {}.", printable(&report.judged))?;
    let without = channels.iter().filter(|channel| channel.targets.minor.is_none());
    let mut names: Vec<&str> = without.map(|c| report.simulation.name(c.channel)).collect();
    names.dedup();
    if !names.is_empty() {
        let names = listed(&names, "and");
        let names = printable(&names);
        writeln!(out, "No minor is in the name of {names}: there is no `minor` goal.")?;
    }
    Ok(())
}

fn verdict(report: &SimulationReport<'_>, style: Style) -> String {
    let removal = &report.simulation.removal;
    let closed = match removal.chosen {
        ChosenRisks::All => "with every conditional update removed",
        ChosenRisks::Always => "with `Always`-risk updates removed",
        ChosenRisks::Only(_) => "with the updates of the chosen risks removed",
        ChosenRisks::AllBut(_) => {
            "with every conditional update removed except those of the kept risks"
        }
    };
    let accepted: Vec<&str> = removal.accepted.iter().map(String::as_str).collect();
    let closed = match accepted.as_slice() {
        [] => closed.to_owned(),
        some => format!("{closed}, and {} accepted", printable(&listed(some, "and"))),
    };
    let text = match (report.headline(), report.worst()) {
        (Some(headline), _) => format!("{closed}, {headline}"),
        (None, None) => format!("{closed}, every supported release has an exit path"),
        (None, Some(_)) => format!(
            "{closed}, every supported release has an exit path, but clusters do not take every update as it is written"
        ),
    };
    style.mark(&format!("{} {text}", report.worst().map_or("✓", sign)), report.worst())
}

fn tell(group: &StrandedGroup<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let severity = group.severity();
    let mark = style.mark(sign(severity), Some(severity));
    let doubt = if group.is_certain() { "" } else { " (as far as is known)" };
    writeln!(out, "  {mark} {} {}{doubt}", printable(&group.who()), group.what())?;

    if group.first().cause == Cause::Graph {
        let leads = if group.first().goal == Goal::Any { "away" } else { "there" };
        writeln!(out, "      whatever the risks: no update leads {leads}")?;
    }
    let sets = group.sets();
    for set in sets.iter().take(SETS) {
        let whom = set.whom.as_ref().map(|whom| format!(" ({whom})")).unwrap_or_default();
        writeln!(out, "      stranded by {}", printable(&(set.names.join(" and ") + &whom)))?;
    }
    if sets.len() > SETS {
        writeln!(out, "      and by {}", counted(sets.len() - SETS, "more combination"))?;
    }
    if sets.is_empty() && group.first().cause == Cause::Risks && !group.is_incomplete() {
        writeln!(out, "      stranded by many risks together only")?;
    }
    match group.with_larger_sets() {
        0 => {}
        n if n == group.versions().len() => writeln!(out, "      or by larger combinations")?,
        n => writeln!(out, "      {n} of them by larger combinations, too")?,
    }
    if group.is_incomplete() {
        writeln!(out, "      too many risks here: some sets of them were not searched")?;
    }
    if let Some(exit) = group.exits.first() {
        let (from, to, files) = group.exit(exit);
        writeln!(out, "      {}", printable(&format!("nearest exit: {from} → {to}")))?;
        for file in files.iter().take(FILES) {
            writeln!(out, "          {}", printable(file))?;
        }
        if files.len() > FILES {
            writeln!(out, "          and {}", counted(files.len() - FILES, "more file"))?;
        }
    }
    if let Some(help) = group.help() {
        writeln!(out, "      {}", printable(&help))?;
    }
    if !group.ways_out.is_empty() {
        let channels = listed(&group.ways_out, "and");
        writeln!(out, "      not stranded in {}", printable(&channels))?;
    }
    Ok(())
}

/// So many risks are ranked for a channel.
const FIXES: usize = 3;

/// Which risks, removed alone, would unblock most releases of each channel.
fn tell_fixes(report: &SimulationReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    // Channels in which the same helps are told together.
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for channel in report.affected() {
        let stranded: BTreeSet<MemberId> = channel.stranded.iter().map(|one| one.release).collect();
        let fixes = report.fixes(channel);
        let helpful = fixes.iter().filter(|fix| fix.releases > 0).take(FIXES);
        let line = |fix: &RankedRisk| {
            let clusters = fix.clusters.map(|n| {
                let n = usize::try_from(n).unwrap_or(usize::MAX);
                format!(", {}", counted(n, "cluster"))
            });
            format!(
                "{} (unblocks {} of {}{})",
                report.simulation.names.name(fix.risk),
                fix.releases,
                stranded.len(),
                clusters.unwrap_or_default()
            )
        };
        let line = helpful.map(line).collect::<Vec<_>>().join(", ");
        let name = report.simulation.name(channel.channel);
        match told.iter_mut().find(|(known, _)| *known == line) {
            _ if line.is_empty() => {}
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => told.push((line, vec![name])),
        }
    }
    if told.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold("Removing one risk that helps most"))?;
    for (line, names) in told {
        writeln!(out, "  {}: {}", printable(&listed(&names, "and")), printable(&line))?;
    }
    Ok(())
}

/// The updates that clusters do not take as they are written.
fn write_dropped(
    report: &SimulationReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for channel in report.simulation.channels.iter().filter(|channel| !channel.dropped.is_empty()) {
        let name = printable(report.simulation.name(channel.channel)).into_owned();
        writeln!(out, "\n{} ({})", style.bold(&name), channel.architectures)?;
        for (severity, text) in dropped::in_words(channel) {
            let mark = style.mark(sign(severity), Some(severity));
            writeln!(out, "  {mark} {}", printable(&text))?;
        }
    }
    Ok(())
}

fn sign(severity: Severity) -> &'static str {
    if severity == Severity::Error { "✗" } else { "⚠" }
}
