//! Writes the report for people: each channel with stuck installs, why they are stuck, and what
//! unblocks them.

use std::io::{self, Write};

use crate::catalog::simulation::ChannelSimulation;
use crate::domain::{HashSet, Severity};
use crate::moves::NodeId;
use crate::report::{Style, wrapped};
use crate::text::printable;
use crate::text::words::{counted, grouped, listed};

use super::stuck::write_stuck;
use super::{CatalogReport, resolver_in_words};

pub(super) fn write(
    report: CatalogReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let channels = &report.simulation.channels;
    if !style.quiet {
        for channel in channels.iter().filter(|channel| is_listed(channel)) {
            wrapped(style, out, |out| write_channel(channel, style, out))?;
        }
        for (package, channel) in &report.simulation.too_large {
            let line = format!("{package}, channel {channel}: too large to simulate");
            writeln!(out, "{}\n", style.bold(&printable(&line)))?;
        }
    }
    let stuck = report.simulation.stuck();
    let installs: usize = channels.iter().map(|channel| channel.moves.installs.len()).sum();
    let checked = format!(
        "{} in {} ({})",
        counted(installs, "install"),
        counted(channels.len(), "channel"),
        resolver_in_words(report.resolver)
    );
    let behind = channels.iter().map(|channel| channel.far.len()).sum::<usize>() - stuck;
    let also = match behind {
        0 => String::new(),
        n if stuck == 0 => format!(", but {} never get to the head", grouped(n)),
        n => format!("; {} more never get to the head", grouped(n)),
    };
    let (mark, severity, verdict) = match stuck {
        0 if behind > 0 => {
            ("!", Some(Severity::Warning), format!("no stuck installs among {checked}{also}"))
        }
        0 => ("✓", None, format!("no stuck installs among {checked}")),
        stuck => ("✗", Some(Severity::Error), format!("{stuck} stuck of {checked}{also}")),
    };
    writeln!(out, "{}", style.mark(&format!("{mark} {verdict}"), severity))
}

fn is_listed(channel: &ChannelSimulation<'_>) -> bool {
    channel.is_gone || !channel.stuck.is_empty() || !channel.far.is_empty()
}

fn write_channel(
    channel: &ChannelSimulation<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let moves = &channel.moves;
    let heads: Vec<&str> = moves.heads.iter().map(|head| moves.name(*head)).collect();
    let about = if channel.is_gone {
        "gone: Subscriptions to it fail".to_owned()
    } else {
        let entries = counted(moves.channel.entries.len(), "entry");
        match heads.as_slice() {
            [] => format!("{entries}, no head"),
            heads => format!("{entries}, head {}", listed(heads, "and")),
        }
    };
    let title = format!("{}, channel {}", moves.package.name, moves.channel.name);
    writeln!(out, "{}: {}", style.bold(&printable(&title)), printable(&about))?;
    write_stuck(moves, &channel.stuck, &channel.edits, out)?;
    let stuck: HashSet<NodeId> = channel.stuck.iter().map(|stuck| stuck.install).collect();
    let behind = channel.far.iter().filter(|node| !stuck.contains(*node));
    let behind: Vec<&str> = behind.map(|node| moves.name(*node)).collect();
    if !behind.is_empty() {
        let line = format!("never gets to the head: {}", listed(&behind, "and"));
        writeln!(out, "  {}", printable(&line))?;
    }
    writeln!(out)
}
