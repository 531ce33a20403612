//! For a person: the verdict first, then who is stranded where, and what would help.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::analysis::{Cause, Goal, Removal, Simulated, Stranded};
use crate::report::{Style, counted};
use crate::rules::Severity;
use crate::text::printable;

use super::{SimulationReport, goal_in_words, minor_of};

/// So many sets of a release are told.
const SETS: usize = 3;

pub(super) fn write(
    report: &SimulationReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", verdict(report, style))?;
    if style.quiet {
        return Ok(());
    }
    let elsewhere = report.simulation.ways_out();
    for channel in report.affected() {
        let name = report.simulation.name(channel.channel);
        let arches = channel.architectures.join(", ");
        writeln!(out, "\n{} ({arches})", style.bold(&printable(name)))?;
        for alike in groups(channel) {
            tell(report, channel, &alike, style, &elsewhere, out)?;
        }
        if channel.is_cut {
            writeln!(out, "  so many risks meet here that some sets of them were not looked for")?;
        }
    }
    let well = report.simulation.channels.len() - report.affected().count();
    if well > 0 && well < report.simulation.channels.len() {
        let channels = if well == 1 { "answer".to_owned() } else { "answers".to_owned() };
        writeln!(out, "\nIn {well} more {channels} to clusters, nobody is stranded.")?;
    }
    writeln!(out, "\nJudged: {}.", printable(&report.judged))?;
    Ok(())
}

fn verdict(report: &SimulationReport<'_>, style: Style) -> String {
    let closed = match report.removal {
        Removal::All => "with every conditional update removed",
        Removal::Always => "with every update removed that no cluster escapes the risks of",
        Removal::Only(_) => "with the updates removed that bear the chosen risks",
        Removal::AllBut(_) => "with every conditional update removed but for the kept risks",
    };
    let mut versions: Vec<&str> = report
        .affected()
        .flat_map(|channel| {
            channel.stranded.iter().map(|s| channel.ways.versions[s.release].as_str())
        })
        .collect();
    versions.sort_unstable();
    versions.dedup();
    let channels = report.affected().count();
    match (report.worst(), versions.len()) {
        (None, _) => {
            style.mark(&format!("✓ {closed}, every supported release has an exit path"), None)
        }
        (Some(worst), n) => {
            let are = if n == 1 { "release is" } else { "releases are" };
            let channels = counted(channels, "channel");
            let text = format!("{closed}, {n} {are} stranded in {channels}");
            style.mark(&format!("{} {text}", sign(worst)), Some(worst))
        }
    }
}

/// Releases that are stranded alike, in order.
fn groups(channel: &Simulated) -> Vec<Vec<&Stranded>> {
    let mut groups: Vec<Vec<&Stranded>> = Vec::new();
    for one in &channel.stranded {
        let alike = groups.iter_mut().find(|group| {
            let first = group[0];
            (first.goal, first.cause, &first.sets, &first.freed_by)
                == (one.goal, one.cause, &one.sets, &one.freed_by)
        });
        match alike {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

fn tell(
    report: &SimulationReport<'_>,
    channel: &Simulated,
    alike: &[&Stranded],
    style: Style,
    elsewhere: &BTreeMap<(&str, Goal), Vec<&str>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let first = alike[0];
    let version = |one: &Stranded| channel.ways.versions[one.release].as_str();
    let name = report.simulation.name(channel.channel);
    let versions: Vec<&str> = alike.iter().map(|one| version(one)).collect();
    let what = goal_in_words(first.goal, minor_of(name), alike.len() > 1);
    let severity = alike.iter().map(|one| report.severity(one)).max().unwrap_or(Severity::Warning);
    let mark = style.mark(sign(severity), Some(severity));
    let is_certain = alike.iter().all(|one| one.is_certain);
    let doubt = if is_certain { "" } else { " (as far as is known)" };
    writeln!(out, "  {mark} {} {what}{doubt}", printable(&listed(&versions)))?;
    if first.cause == Cause::Graph {
        writeln!(out, "      whatever the risks: no update leads there")?;
    }
    for set in first.sets.iter().filter(|set| !set.is_empty()).take(SETS) {
        let names = report.names(set);
        let always = set.iter().all(|risk| report.simulation.names.is_always(*risk));
        let whom = if always { ", which affects every cluster" } else { "" };
        writeln!(out, "      stranded by {}{whom}", printable(&names.join(" and ")))?;
    }
    if first.cause == Cause::Risks && first.sets.is_empty() && !channel.is_cut {
        writeln!(out, "      stranded by many risks together only")?;
    }
    if first.sets.len() > SETS {
        writeln!(out, "      and by {} more sets of risks", first.sets.len() - SETS)?;
    }
    match report.names(&first.freed_by).as_slice() {
        [] if first.cause == Cause::Risks => {
            writeln!(out, "      the end of no single risk would help")?;
        }
        [] => {}
        some => {
            let them = if alike.len() == 1 { "it is" } else { "they are" };
            writeln!(out, "      {them} free again when {} ends", printable(&some.join(" or ")))?;
        }
    }
    if let Some(channels) = elsewhere.get(&(version(first), first.goal)) {
        // To reach a minor, only another channel of that minor helps.
        let helps = |other: &&str| {
            *other != name && (first.goal != Goal::Minor || minor_of(other) == minor_of(name))
        };
        let others: Vec<&str> = channels.iter().copied().filter(helps).collect();
        if !others.is_empty() {
            writeln!(out, "      there is a way in {}", printable(&listed(&others)))?;
        }
    }
    Ok(())
}

fn sign(severity: Severity) -> &'static str {
    if severity == Severity::Error { "✗" } else { "⚠" }
}

/// A few by name, the rest by number.
fn listed(things: &[&str]) -> String {
    const MOST: usize = 6;
    match things {
        [all @ .., last] if things.len() <= MOST && !all.is_empty() => {
            format!("{} and {last}", all.join(", "))
        }
        _ if things.len() <= MOST => things.join(", "),
        _ => format!("{} and {} more", things[..MOST - 1].join(", "), things.len() - (MOST - 1)),
    }
}
