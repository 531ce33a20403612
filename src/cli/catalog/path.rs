//! `exitpath catalog path`.

use std::io::Write;

use crate::catalog::simulation::{ChannelMoves, gone_channels};
use crate::cli::args::CommonArgs;
use crate::cli::catalog_args::CatalogPathArgs;
use crate::moves::NodeId;
use crate::report::{CatalogHop, CatalogPath, Style, why_in_words, write_catalog_paths};
use crate::session::Failure;

use super::found::{Opened, install};
use super::{Status, Stop};

pub(super) fn run(
    args: &CatalogPathArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let opened = Opened::read(&args.source, common, err)?;
    let gone = gone_channels(opened.packages(), &opened.published);
    let found = opened.channels_with(&args.from, &args.place, &gone, args.policy)?;
    let mut paths = Vec::new();
    let mut names = Vec::new();
    for (moves, from) in &found {
        names.extend(moves.installs.iter().map(|install| install.name));
        let goals = match &args.to {
            None => moves.heads.clone(),
            Some(to) => install(moves, to).into_iter().collect(),
        };
        if goals.is_empty() && args.to.is_some() {
            continue;
        }
        paths.push(path(moves, *from, &goals));
    }
    if let (Some(to), true) = (&args.to, paths.is_empty()) {
        return Err(Failure::unknown("entry", to, names.into_iter()).into());
    }
    write_catalog_paths(&paths, args.policy, args.format, style, out)?;
    Ok(Status::failed_if(paths.iter().all(|path| path.why_not.is_some())))
}

/// The shortest path to any goal, or how far it goes.
fn path<'m>(moves: &'m ChannelMoves<'m>, from: NodeId, goals: &[NodeId]) -> CatalogPath<'m> {
    let ways = goals.iter().filter_map(|goal| moves.moves.path(from, *goal));
    let way = ways.min_by_key(Vec::len);
    let is_found = way.is_some();
    let way = way.unwrap_or_else(|| moves.moves.trail(from));
    let hops = way.windows(2).filter_map(|pair| {
        let &[from, to] = pair else { return None };
        let edge = moves.edges.iter().find(|edge| edge.from == from && edge.to == to);
        Some(CatalogHop {
            from: moves.name(from),
            to: moves.name(to),
            by: edge.map_or("", |edge| edge.kind.key()),
        })
    });
    let hops: Vec<CatalogHop<'m>> = hops.collect();
    let why_not = (!is_found).then(|| why_not(moves, &way));
    CatalogPath {
        package: &moves.package.name,
        channel: &moves.channel.name,
        from: moves.name(from),
        to: goals.iter().map(|goal| moves.name(*goal)).collect(),
        hops,
        why_not,
    }
}

/// Why the updates end where they end.
fn why_not(moves: &ChannelMoves<'_>, way: &[NodeId]) -> String {
    let Some(last) = way.last() else { return String::new() };
    let name = moves.name(*last);
    if way[..way.len() - 1].contains(last) {
        return format!("{name} comes again, and so on without end");
    }
    let stuck = moves.stuck();
    match stuck.iter().find(|stuck| stuck.install == *last) {
        Some(stuck) => format!("{name} is stuck: {}", why_in_words(&stuck.why)),
        None if moves.heads.contains(last) => format!("{name} is the head: there is nothing newer"),
        None => format!("updates from {name} do not lead there"),
    }
}
