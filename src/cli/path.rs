//! `exitpath path`: finds routes between two releases.

use std::collections::BTreeSet;
use std::io::Write;

use petgraph::graph::NodeIndex;

use crate::analysis::{RiskNames, RouteArea, Routes};
use crate::assembly::Consumer;
use crate::domain::version::without_build;
use crate::graph::DeclarationId;
use crate::graph_data::GraphData;
use crate::report::{RouteReport, Style};
use crate::rollout::Timeline;
use crate::session::{Elsewhere, Failure, KnownGraph};

use super::args::{CommonArgs, PathArgs};
use super::{Status, Stop, print};

pub(super) fn run(
    args: &PathArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let arch = args.arch.unwrap_or_default();
    let known = args.source.read(None, (arch, &[arch]), Consumer::Schema1_1, true)?;
    print::known_graph(&known, common, err)?;
    let KnownGraph { graph, data, .. } = &known;
    let names = RiskNames::of(graph);
    let channel = args.channel.as_deref();
    let id = channel.and_then(|name| graph.channel(name));
    let area = RouteArea::of(graph, &names, arch, id);
    for version in [&args.from, &args.to] {
        let elsewhere = channel.and_then(|name| Elsewhere::of(&known, version, name, arch));
        if let Some(elsewhere) = elsewhere {
            return Err(elsewhere.failure(area.releases().map(|node| area.version(node))).into());
        }
    }
    let (from, to) = (release(&area, &args.from)?, release(&area, &args.to)?);
    let is_only_block = |block: DeclarationId| {
        let file = graph.declarations[block].to.source;
        data.as_ref().is_some_and(|data| is_only_block(data, file))
    };
    let routes = Routes::between(&area, from, to, is_only_block);
    let timeline = match routes.found.first() {
        Some(route) if args.rollout.rollout && !route.hops.is_empty() => {
            let hops = route.hops.len();
            let timeline = Timeline::of(hops, args.rollout.journey(), args.rollout.runs(hops));
            Some(timeline.map_err(Failure::new)?)
        }
        _ => None,
    };
    let report = RouteReport {
        area: &area,
        from: &args.from,
        to: &args.to,
        routes: &routes,
        sources: data.as_ref().map(|data| &data.sources),
        not_loaded: &known.not_loaded,
        timeline: timeline.as_ref(),
    };
    report.write(args.format, style, out)?;
    let status = Status::failed_if(routes.found.is_empty());
    std::mem::forget(known);
    Ok(status)
}

fn release(area: &RouteArea<'_>, version: &str) -> Result<NodeIndex, Failure> {
    area.release(version).ok_or_else(|| {
        let names: BTreeSet<&str> = area.releases().map(|node| area.version(node)).collect();
        Failure::unknown_release(version, names.into_iter())
    })
}

/// Whether this file is the only one that blocks its target.
fn is_only_block(data: &GraphData, file: crate::text::SourceId) -> bool {
    let blocks = data.blocked_edges.iter().filter(|edge| edge.is_block());
    let target = |at| {
        let edge = data.blocked_edges.iter().find(|edge| edge.file == at);
        edge.and_then(|edge| edge.target.as_ref()).map(without_build)
    };
    let own = target(file);
    blocks.filter(|block| block.target.as_ref().map(without_build) == own).count() == 1
}
