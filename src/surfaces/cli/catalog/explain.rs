//! `exitpath catalog explain`.

use std::io::Write;

use crate::catalog::simulation::{ChannelMoves, Resolver, gone_channels};
use crate::cli::catalog_args::CatalogExplainArgs;
use crate::cli::common_args::CommonArgs;
use crate::moves::NodeId;
use crate::report::{Style, why_in_words, wrapped};
use crate::text::printable;
use crate::text::words::listed;

use super::found::Opened;
use super::{Status, Stop};

pub(super) fn run(
    args: &CatalogExplainArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let opened = Opened::read(&args.source, common, err)?;
    let gone = gone_channels(opened.packages(), &opened.published);
    let [v0, v1] = [Resolver::V0, Resolver::V1]
        .map(|resolver| opened.channels_with(&args.entry, &args.place, &gone, resolver));
    let (v0, v1) = (v0?, v1?);
    args.output.print(style, out, |style, out| {
        v0.iter().zip(&v1).try_for_each(|((v0, node), (v1, _))| {
            wrapped(style, out, |out| write_channel(v0, v1, *node, style, out))
        })
    })?;
    Ok(Status::Clean)
}

fn write_channel(
    v0: &ChannelMoves<'_>,
    v1: &ChannelMoves<'_>,
    node: NodeId,
    style: Style,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let install = &v0.installs[node];
    let version = install.version.map(|version| format!(" ({})", version.text()));
    let title = format!(
        "{}{} in {}, channel {}:",
        install.name,
        version.unwrap_or_default(),
        v0.package.name,
        v0.channel.name
    );
    writeln!(out, "{}", style.bold(&printable(&title)))?;
    if !install.is_entry {
        writeln!(out, "  it is not in the channel: only installs from earlier have it")?;
    }
    for moves in [v0, v1] {
        let program = if moves.resolver == Resolver::V0 { "OLM v0" } else { "OLM v1" };
        writeln!(out, "  {program}: {}", printable(&next(moves, node)))?;
    }
    let edges: Vec<_> =
        v0.edges.iter().filter(|edge| edge.from == node && edge.to != node).collect();
    if !edges.is_empty() {
        writeln!(out, "  entries that update it:")?;
    }
    let widest = edges.iter().map(|edge| v0.name(edge.to).len()).max().unwrap_or(0);
    for edge in edges {
        let to = v0.name(edge.to);
        let line = format!("{to:<widest$}  {:<9}  {}", edge.kind.key(), role(v0, node, edge.to));
        writeln!(out, "    {}", printable(line.trim_end()))?;
    }
    Ok(())
}

/// Where the install goes next.
fn next(moves: &ChannelMoves<'_>, node: NodeId) -> String {
    if let [next] = moves.moves.next(node) {
        return format!("goes to {}", moves.name(*next));
    }
    let stuck = moves.stuck();
    match stuck.iter().find(|stuck| stuck.install == node) {
        Some(stuck) => format!("stuck: {}", why_in_words(&stuck.why)),
        None => "stays: it is the head".to_owned(),
    }
}

/// What OLM v0 makes of a target.
fn role(moves: &ChannelMoves<'_>, from: NodeId, to: NodeId) -> String {
    if moves.moves.next(from) == [to] {
        return "taken".to_owned();
    }
    let name = moves.name(to);
    let skippers =
        moves.channel.entries.iter().filter(|entry| entry.skips.iter().any(|skip| skip == name));
    let skippers: Vec<&str> = skippers.map(|entry| entry.name.as_str()).collect();
    if !skippers.is_empty() {
        return format!("not a target: skipped by {}", listed(&skippers, "and"));
    }
    match &moves.order {
        Ok(ranks) if ranks[to].is_some() => match moves.moves.next(from) {
            [taken] => {
                let is_head = moves.heads.contains(taken);
                let what = if is_head { "the head" } else { "which is closer to the head" };
                format!("not taken: OLM prefers {}, {what}", moves.name(*taken))
            }
            _ => "not taken".to_owned(),
        },
        Ok(_) => "not a target: the head does not reach it".to_owned(),
        Err(_) => "not a target: OLM cannot order the channel".to_owned(),
    }
}
