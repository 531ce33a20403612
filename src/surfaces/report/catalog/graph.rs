//! Writes the updates of a channel as JSON; `exitpath schema catalog-graph` describes it.

use std::io::{self, Write};

use serde::Serialize;

use crate::catalog::simulation::ChannelMoves;
use crate::domain::Named;
use crate::report::json::write_json;

#[derive(Serialize)]
struct ReportJson<'a> {
    version: u32,
    policy: &'a str,
    package: &'a str,
    channel: &'a str,
    heads: Vec<&'a str>,
    edges: Vec<EdgeJson<'a>>,
}

#[derive(Serialize)]
struct EdgeJson<'a> {
    from: &'a str,
    to: &'a str,
    by: &'a str,
    taken: bool,
}

pub(crate) fn write_catalog_edges(moves: &ChannelMoves<'_>, out: &mut dyn Write) -> io::Result<()> {
    let edges = moves.edges.iter().map(|edge| EdgeJson {
        from: moves.name(edge.from),
        to: moves.name(edge.to),
        by: edge.kind.key(),
        taken: moves.moves.next(edge.from).contains(&edge.to),
    });
    let report = ReportJson {
        version: 1,
        policy: moves.resolver.name(),
        package: &moves.package.name,
        channel: &moves.channel.name,
        heads: moves.heads.iter().map(|head| moves.name(*head)).collect(),
        edges: edges.collect(),
    };
    write_json(&report, out)
}
