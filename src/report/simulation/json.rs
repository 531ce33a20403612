//! For programs: versioned, and only ever added to.

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::Cause;
use crate::graph::DoubleKind;

use super::SimulationReport;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    releases: Releases<'a>,
    channels: Vec<Channel<'a>>,
}

#[derive(Serialize)]
struct Releases<'a> {
    source: &'a str,
    note: String,
    uncertain: usize,
}

#[derive(Serialize)]
struct Channel<'a> {
    #[serde(rename = "channel")]
    name: &'a str,
    arches: Vec<&'a str>,
    nodes: usize,
    edges: usize,
    conditional_edges: usize,
    judged: usize,
    stranded: Vec<Stranded<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stranding_sets_cut: bool,
    duplicates: Vec<Duplicate<'a>>,
}

#[derive(Serialize)]
struct Stranded<'a> {
    version: &'a str,
    goal: &'static str,
    cause: &'static str,
    certain: bool,
    risks: Vec<&'a str>,
    stranding_sets: Vec<Vec<&'a str>>,
    freed_by: Vec<&'a str>,
    exits: Vec<Exit<'a>>,
}

#[derive(Serialize)]
struct Exit<'a> {
    to: &'a str,
    risks: Vec<&'a str>,
}

#[derive(Serialize)]
struct Duplicate<'a> {
    from: &'a str,
    to: &'a str,
    kind: &'static str,
}

/// So many closed updates of a release are told.
const EXITS: usize = 5;

pub(super) fn write(report: &SimulationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let simulation = report.simulation;
    let channels = simulation.channels.iter().map(|channel| Channel {
        name: simulation.name(channel.channel),
        arches: channel.architectures.iter().map(String::as_str).collect(),
        nodes: channel.ways.len(),
        edges: channel.open,
        conditional_edges: channel.conditional,
        judged: channel.is_judged.iter().filter(|judged| **judged).count(),
        stranded: channel
            .stranded
            .iter()
            .map(|one| Stranded {
                version: &channel.ways.versions[one.release],
                goal: one.goal.name(),
                cause: if one.cause == Cause::Graph { "graph" } else { "risks" },
                certain: one.is_certain,
                risks: report.names(&one.risks),
                freed_by: report.names(&one.freed_by),
                stranding_sets: one.sets.iter().map(|set| report.names(set)).collect(),
                exits: one
                    .exits
                    .iter()
                    .take(EXITS)
                    .map(|exit| Exit {
                        to: &channel.ways.versions[exit.to],
                        risks: report.names(&exit.risks),
                    })
                    .collect(),
            })
            .collect(),
        stranding_sets_cut: channel.is_cut,
        duplicates: channel
            .doubles
            .iter()
            .map(|(from, to, double)| Duplicate {
                from,
                to,
                kind: match double.kind {
                    DoubleKind::EdgeAndConditional => "edge-and-conditional",
                    DoubleKind::ConditionalTwice => "conditional-twice",
                },
            })
            .collect(),
    });
    let releases = Releases {
        source: report.source,
        note: report.notes.join("; "),
        uncertain: report.uncertain,
    };
    let document = Document { version: 1, releases, channels: channels.collect() };
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}
