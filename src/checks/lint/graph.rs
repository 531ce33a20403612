//! Runs the graph rules on files of Cincinnati JSON.

use rayon::prelude::*;

use crate::graph_file::ReadGraph;
use crate::rules::{Check, Finding, GraphSubject, RULES};
use crate::text::{Source, SourceId, Sources};
use crate::tree::Blob;

use super::{Outcome, Request, apply_config};

/// Checks the files one after the other, because a parsed graph can use half a gigabyte. Only the
/// texts stay in memory.
pub fn lint_graphs(files: impl IntoIterator<Item = Blob>, request: &Request) -> (Sources, Outcome) {
    let mut sources = Vec::new();
    let mut findings = Vec::new();
    for (id, blob) in (0..).zip(files) {
        let (source, file) = ReadGraph::read(blob, SourceId::at(id));
        findings.extend(check_graph(&file, &source));
        sources.push(source);
    }
    let sources = Sources::new(sources);
    let outcome = apply_config(&sources, findings, request);
    (sources, outcome)
}

fn check_graph(file: &ReadGraph, source: &Source) -> Vec<Finding> {
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
