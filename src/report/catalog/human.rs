//! For people: each channel with stuck installs, why they are stuck, and what frees them.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::catalog::simulation::ChannelSimulation;
use crate::domain::Severity;
use crate::report::{Style, wrapped};
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::{CatalogReport, edit_in_words, resolver_in_words, why_in_words};

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
    let (mark, severity, verdict) = match stuck {
        0 => ("✓", None, format!("no stuck installs among {checked}")),
        stuck => ("✗", Some(Severity::Error), format!("{stuck} stuck of {checked}")),
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
    // Installs with the same cause and the same cure are one paragraph.
    let mut groups: BTreeMap<(String, Option<String>), Vec<&str>> = BTreeMap::new();
    for (stuck, edit) in channel.stuck.iter().zip(&channel.edits.single) {
        let is_alone = channel.edits.whole.is_none();
        let edit = edit.as_ref().filter(|_| is_alone).map(edit_in_words);
        groups.entry((why_in_words(&stuck.why), edit)).or_default().push(moves.name(stuck.install));
    }
    for ((why, edit), names) in &groups {
        let line = format!("stuck: {}: {why}", listed(names, "and"));
        writeln!(out, "  {}", printable(&line))?;
        if let Some(edit) = edit {
            writeln!(out, "    {}", printable(&format!("to free it: {edit}")))?;
        }
    }
    if let Some(edit) = &channel.edits.whole {
        let line = format!("to free all of them: {}", edit_in_words(edit));
        writeln!(out, "  {}", printable(&line))?;
    }
    let behind =
        channel.far.iter().filter(|node| channel.stuck.iter().all(|stuck| stuck.install != **node));
    let behind: Vec<&str> = behind.map(|node| moves.name(*node)).collect();
    if !behind.is_empty() {
        let line = format!("never gets to the head: {}", listed(&behind, "and"));
        writeln!(out, "  {}", printable(&line))?;
    }
    writeln!(out)
}
