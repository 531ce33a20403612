//! Shows an update graph to people at a terminal: one line for each release of a channel, or for
//! each channel.

use std::io::{self, Write};

use petgraph::graph::NodeIndex;

use crate::domain::{Arch, ChannelName, HashMap};
use crate::graph::{ChannelId, Served, ServedByChannel, State, UpdateGraph};
use crate::text::printable;
use crate::text::words::{counted, grouped, list_all};

use super::workflow_commands::without_command;
use super::{Style, wrapped};

/// Some updates: how many, and the newest target.
#[derive(Clone, Copy, Debug, Default)]
struct Updates {
    count: usize,
    newest: Option<NodeIndex>,
}

/// Updates of one release, or of a whole channel, by their state.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    open: Updates,
    conditional: Updates,
    blocked: Updates,
}

/// Writes one line for each release of a channel: how many updates it has, and how far they lead.
pub(crate) fn write_channel(
    served: &Served<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let places: HashMap<NodeIndex, usize> =
        served.members.iter().enumerate().map(|(at, node)| (*node, at)).collect();
    let mut total = Counts::default();
    let mut of_release: HashMap<NodeIndex, Counts> = HashMap::default();
    for update in served.updates() {
        let is_newer = |than: Option<NodeIndex>| {
            than.is_none_or(|than| places.get(&than) < places.get(&update.to))
        };
        for counts in [&mut total, of_release.entry(update.from).or_default()] {
            let updates = counts.of(&update.reason.state);
            updates.count += 1;
            if is_newer(updates.newest) {
                updates.newest = Some(update.to);
            }
        }
    }
    let channel = printable(&served.whole.channels[served.channel]).into_owned();
    let title = style.bold(&format!("{channel} for {}", served.arch));
    let releases = counted(served.members.len(), "release");
    wrapped(style, out, |out| writeln!(out, "{title}: {releases}, {}", total.in_words()))?;
    let cell = |updates: Updates| match updates.newest {
        None => "none".to_owned(),
        Some(newest) => {
            let version = served.version(newest);
            format!("{}, newest {}", grouped(updates.count), printable(&version))
        }
    };
    let mut rows =
        vec![["release", "updates without risks", "conditional updates"].map(str::to_owned)];
    for node in &served.members {
        let counts = of_release.get(node).copied().unwrap_or_default();
        let version = printable(&served.version(*node)).into_owned();
        rows.push([version, cell(counts.open), cell(counts.conditional)]);
    }
    writeln!(out)?;
    write_rows(&rows, style, out)?;
    writeln!(out)?;
    wrapped(style, out, |out| {
        writeln!(
            out,
            "`--format svg > FILE.svg` draws the graph, `--format edges` lists each update, \
             and `--format json` prints what the service returns"
        )
    })
}

/// Writes one line for each channel.
pub(crate) fn write_channels(
    graph: &UpdateGraph,
    arch: Arch,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all = ServedByChannel::of(graph, arch);
    let header = ["channel", "releases", "without risks", "conditional", "blocked"];
    let mut rows = vec![header.map(str::to_owned)];
    let minor = |id: &ChannelId| ChannelName::parse(&graph.channels[*id]).map(|name| name.minor);
    let mut ids: Vec<ChannelId> = graph.channels.ids().collect();
    // The service sorts 4.10 before 4.2.
    ids.sort_by_key(minor);
    for id in ids {
        let served = all.channel(id);
        let mut counts = Counts::default();
        for update in served.updates() {
            counts.of(&update.reason.state).count += 1;
        }
        let name = printable(&graph.channels[id]).into_owned();
        let numbers = [
            served.members.len(),
            counts.open.count,
            counts.conditional.count,
            counts.blocked.count,
        ];
        let [releases, open, conditional, blocked] = numbers.map(grouped);
        rows.push([name, releases, open, conditional, blocked]);
    }
    let title = format!("{} for {arch}, and their updates", counted(rows.len() - 1, "channel"));
    writeln!(out, "{}\n", style.bold(&title))?;
    write_rows(&rows, style, out)?;
    writeln!(out)?;
    wrapped(style, out, |out| {
        writeln!(
            out,
            "`--channel CHANNEL` shows the releases of one channel, and `--format json` prints \
             the whole graph as the service reads it"
        )
    })
}

impl Counts {
    fn of(&mut self, state: &State) -> &mut Updates {
        match state {
            State::Open => &mut self.open,
            State::Conditional(_) => &mut self.conditional,
            State::Blocked => &mut self.blocked,
        }
    }

    fn in_words(&self) -> String {
        let mut parts = vec![
            format!("{} without risks", counted(self.open.count, "update")),
            counted(self.conditional.count, "conditional update"),
        ];
        if self.blocked.count > 0 {
            parts.push(counted(self.blocked.count, "blocked update"));
        }
        list_all(&parts, "and")
    }
}

/// Writes aligned columns. The first row is the header.
fn write_rows<const N: usize>(
    rows: &[[String; N]],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    for (nth, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        let line = without_command(line.trim_end());
        let line = if nth == 0 { style.bold(&line) } else { line.into_owned() };
        writeln!(out, "{line}")?;
    }
    Ok(())
}
