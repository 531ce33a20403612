//! `exitpath catalog path`.

use std::io::Write;

use crate::catalog::package::CatalogChannel;
use crate::catalog::simulation::{AfterSwitch, ChannelMoves, SwitchTarget, gone_channels};
use crate::cli::catalog_args::{CatalogPathArgs, refuse_unknown_channels};
use crate::cli::common_args::CommonArgs;
use crate::moves::NodeId;
use crate::report::{CatalogHop, CatalogPath, CatalogPaths, Style, why_in_words};
use crate::text::Failure;

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
    let starts = starts(args, &opened, &gone)?;
    let mut paths = Vec::new();
    let mut names = Vec::new();
    for start in &starts {
        let moves = &start.moves;
        names.extend(moves.installs.iter().map(|install| install.name));
        let goals = match &args.to {
            None => moves.heads.clone(),
            Some(to) => install(moves, to).into_iter().collect(),
        };
        if goals.is_empty() && args.to.is_some() {
            continue;
        }
        paths.push(path(start, &goals));
    }
    if let (Some(to), true) = (&args.to, paths.is_empty()) {
        return Err(Failure::unknown("entry", to, names.into_iter()).into());
    }
    let report = CatalogPaths { paths: &paths, resolver: args.resolver.policy };
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(paths.iter().all(|path| path.why_not.is_some())))
}

/// A channel with an install.
struct Start<'c> {
    moves: ChannelMoves<'c>,
    from: NodeId,
    /// The channel that the Subscription followed before, and what becomes of the install.
    switch: Option<(&'c str, AfterSwitch<'c>)>,
}

fn starts<'o>(
    args: &'o CatalogPathArgs,
    opened: &'o Opened,
    gone: &'o [Vec<CatalogChannel>],
) -> Result<Vec<Start<'o>>, Failure> {
    if let Some(from_channel) = &args.from_channel
        && let Some(to) = args.place.only_channel()?
    {
        return switched(args, opened, from_channel, to, args.from.as_deref());
    }
    let from = args.from.as_deref().unwrap_or_default();
    let found = opened.channels_with(from, &args.place, gone, args.resolver.policy)?;
    let start = |(moves, from)| Start { moves, from, switch: None };
    Ok(found.into_iter().map(start).collect())
}

/// The packages with both channels, where an install of the one follows the other. Without a name,
/// it is the head.
fn switched<'o>(
    args: &CatalogPathArgs,
    opened: &'o Opened,
    from_channel: &str,
    to: &str,
    wanted: Option<&str>,
) -> Result<Vec<Start<'o>>, Failure> {
    args.place.refuse_unknown(opened.packages(), &[])?;
    let packages = opened.packages().iter().filter(|package| args.place.has_package(package));
    let channels = packages.clone().flat_map(|package| &package.channels);
    refuse_unknown_channels(&[from_channel.to_owned()], channels)?;
    let mut starts = Vec::new();
    let mut known = Vec::new();
    for package in packages {
        let channels = package.channel(from_channel).zip(package.channel(to));
        let Some((before, channel)) = channels else { continue };
        let too_large = |_| Failure::new(format!("channel {to} is too large to simulate"));
        let others = opened.published.gone(package, from_channel);
        let moves =
            ChannelMoves::of(package, before, &others, args.resolver.policy).map_err(too_large)?;
        known.extend(moves.installs.iter().map(|install| install.name));
        let from = match wanted {
            Some(wanted) => install(&moves, wanted),
            None => moves.heads.first().copied(),
        };
        let Some(left) = from else { continue };
        let installed = moves.installs.iter().cloned();
        let target = SwitchTarget::of(package, channel, installed, args.resolver.policy);
        let target = target.map_err(too_large)?;
        let Some(node) = target.moves.named(moves.name(left)) else { continue };
        let switch = Some((before.name.as_str(), target.after_switch(&moves, left)));
        starts.push(Start { moves: target.moves, from: node, switch });
    }
    match wanted {
        _ if !starts.is_empty() => Ok(starts),
        Some(wanted) if !known.is_empty() => {
            Err(Failure::unknown("entry", wanted, known.into_iter()))
        }
        _ => Err(Failure::new(format!("no package has the channels {from_channel} and {to}"))),
    }
}

/// The shortest path to any goal, or how far it goes.
fn path<'m>(start: &'m Start<'m>, goals: &[NodeId]) -> CatalogPath<'m> {
    let (moves, from) = (&start.moves, start.from);
    let paths = goals.iter().filter_map(|goal| moves.moves.path(from, *goal));
    let path = paths.min_by_key(Vec::len);
    let is_found = path.is_some();
    let path = path.unwrap_or_else(|| moves.moves.trail(from));
    let hops = path.windows(2).filter_map(|pair| {
        let &[from, to] = pair else { return None };
        let edge = moves.edges.iter().find(|edge| edge.from == from && edge.to == to);
        Some(CatalogHop {
            from: moves.name(from),
            to: moves.name(to),
            by: edge.map_or("", |edge| edge.kind.key()),
        })
    });
    let hops: Vec<CatalogHop<'m>> = hops.collect();
    let is_to_head = goals.iter().any(|goal| moves.heads.contains(goal));
    let why_not = (!is_found).then(|| match &start.switch {
        Some((_, AfterSwitch::IsNewer)) if is_to_head => {
            "it is newer than the head, and stays until the channel has something newer".to_owned()
        }
        Some((before, AfterSwitch::IfUpdated(first))) if is_to_head => {
            format!("update it to {first} in channel {before} first, and switch then")
        }
        _ => why_not(moves, &path),
    });
    CatalogPath {
        package: &moves.package.name,
        channel: &moves.channel.name,
        from_channel: start.switch.as_ref().map(|(channel, _)| *channel),
        from: moves.name(from),
        to: goals.iter().map(|goal| moves.name(*goal)).collect(),
        hops,
        why_not,
    }
}

/// Why the updates end where they end.
fn why_not(moves: &ChannelMoves<'_>, path: &[NodeId]) -> String {
    let Some(last) = path.last() else { return String::new() };
    let name = moves.name(*last);
    if path[..path.len() - 1].contains(last) {
        return format!("{name} comes again, and so on without end");
    }
    let stuck = moves.stuck();
    match stuck.iter().find(|stuck| stuck.install == *last) {
        Some(stuck) => format!("{name} is stuck: {}", why_in_words(&stuck.why)),
        None if moves.heads.contains(last) => format!("{name} is the head: there is nothing newer"),
        None => format!("updates from {name} do not lead there"),
    }
}
