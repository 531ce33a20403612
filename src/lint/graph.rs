//! Running the rules about update graphs over files of Cincinnati JSON.

use rayon::prelude::*;

use crate::graph_file::ReadGraph;
use crate::rules::{Check, Finding, GraphSubject, RULES};
use crate::text::{Source, SourceId, Sources};
use crate::tree::Blob;

use super::{Outcome, Request, asked_for};

/// Holds the rules about update graphs against files, one after the other: all that is kept
/// of each is its text, for a graph may take half a gigabyte while it is looked at.
#[must_use]
pub fn lint_graphs(files: impl IntoIterator<Item = Blob>, request: &Request) -> (Sources, Outcome) {
    let mut sources = Vec::new();
    let mut findings = Vec::new();
    for (id, blob) in (0..).zip(files) {
        let (source, file) = ReadGraph::read(blob, SourceId::at(id));
        findings.extend(in_graph(&file, &source));
        sources.push(source);
    }
    let sources = Sources::new(sources);
    let outcome = asked_for(&sources, findings, request);
    (sources, outcome)
}

fn in_graph(file: &ReadGraph, source: &Source) -> Vec<Finding> {
    let subject = GraphSubject::new(file, source);
    let found = RULES.par_iter().flat_map_iter(|rule| {
        let mut findings = Vec::new();
        if let Check::Graph(check) | Check::Exits(_, check) = rule.check {
            check(&subject, &mut findings);
        }
        findings
    });
    found.collect()
}
