//! Writes the report for people: which entries of a catalog hold clusters back.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::bridge::{Arrival, Outcome, Stage, Step, Verdict};
use crate::report::Style;
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::CheckedClusters;
use super::words::{limit_in_words, minor, minor_after, stop_in_words};

pub(super) fn write(
    clusters: &CheckedClusters<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let stages = clusters.stages.as_deref().unwrap_or_default();
    let mut channels: BTreeMap<(&str, &str), Vec<&Verdict<'_>>> = BTreeMap::new();
    for verdict in &clusters.verdicts {
        let channel = verdict.installed.channel.as_deref().unwrap_or_default();
        channels.entry((verdict.package.unwrap_or_default(), channel)).or_default().push(verdict);
    }
    for ((package, channel), verdicts) in channels {
        write_lost(package, channel, &verdicts, stages, style, out)?;
        let held = || verdicts.iter().filter(|verdict| verdict.held_at.is_some());
        if held().next().is_none() {
            continue;
        }
        let title = format!("{package}, channel {channel}");
        let holds = if held().count() == 1 { "holds" } else { "hold" };
        let about = format!(
            "{} of {} {holds} clusters back on the path from {} to {}",
            held().count(),
            counted(verdicts.len(), "entry"),
            clusters.from,
            clusters.to,
        );
        writeln!(out, "{}: {}", style.bold(&printable(&title)), printable(&about))?;
        let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for verdict in held() {
            groups.entry(cure(verdict, stages)).or_default().push(&verdict.installed.name);
        }
        for (cure, names) in groups {
            let line = format!("{}: {cure}", listed(&names, "and"));
            writeln!(out, "  {}", printable(&line))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes the entries for which a later catalog has no updates.
fn write_lost(
    package: &str,
    channel: &str,
    verdicts: &[&Verdict<'_>],
    stages: &[Stage<'_>],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut by_loss: BTreeMap<(usize, &str), Vec<&str>> = BTreeMap::new();
    for verdict in verdicts {
        let Some(lost) = verdict.lost() else { continue };
        let lacks = match lost.arrival {
            Arrival::NoPackage => "does not have the package",
            Arrival::NoChannel => "does not have the channel",
            _ => "neither has nor updates them",
        };
        by_loss.entry((lost.stage, lacks)).or_default().push(&verdict.installed.name);
    }
    for ((stage, lacks), names) in by_loss {
        let title = format!("{package}, channel {channel}");
        let about = format!(
            "{} of {} {} no updates on {}, whose catalog {lacks}",
            names.len(),
            counted(verdicts.len(), "entry"),
            if names.len() == 1 { "gets" } else { "get" },
            minor_after(stages, stage)
        );
        writeln!(out, "{}: {}", style.bold(&printable(&title)), printable(&about))?;
        writeln!(out, "  {}\n", printable(&listed(&names, "and")))?;
    }
    Ok(())
}

/// What to do first about an entry.
fn cure(verdict: &Verdict<'_>, stages: &[Stage<'_>]) -> String {
    match verdict.outcomes.first() {
        Some((_, Outcome::Reached(steps))) => {
            let updates = steps.iter().filter_map(|step| match step {
                Step::Update { stage, to, .. } => Some((*stage, *to)),
                _ => None,
            });
            let mut last_of_stage: BTreeMap<usize, &str> = BTreeMap::new();
            last_of_stage.extend(updates);
            let updates = last_of_stage
                .into_iter()
                .map(|(stage, to)| format!("on {}, update to {to}", minor(stages, stage)));
            updates.collect::<Vec<_>>().join("; ")
        }
        Some((_, Outcome::Stopped(stop))) => {
            let other = stop.with_switch.as_ref().map(|_| "; it works with another channel");
            stop_in_words(stop, stages) + other.unwrap_or_default()
        }
        None => limit_in_words(verdict.limit),
    }
}
