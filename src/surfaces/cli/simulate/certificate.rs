//! `exitpath simulate --certificate`: what is guaranteed, in a form that others can check.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use crate::analysis::{Goal, Simulation, SimulationRequest};
use crate::certificate::{Certificate, CertificateRequest, Statement};
use crate::domain::{Arch, Architectures, Format, Minor, Version, is_general};
use crate::graph::Knowledge;
use crate::report::{CertificateReport, Printed, Style};
use crate::session::KnownGraph;
use crate::text::{Failure, sha256};

use super::super::output::write_file;
use super::{SimulateArgs, Status, Stop, refuse_if_nothing_checked};

pub(super) fn run(
    args: &SimulateArgs,
    file: &Path,
    simulation: &Simulation<'_>,
    known: &KnownGraph,
    style: Style,
    out: &mut dyn Write,
) -> Result<Status, Stop> {
    let general = known.graph.graph.node_weights().filter(|one| is_general(&one.version));
    let minors: BTreeSet<Minor> = general.map(|one| Minor::of(&one.version)).collect();
    let supported = known.supported.in_words(&minors);
    refuse_if_nothing_checked(simulation, &supported)?;
    let before = args.base.as_deref().map(|base| base_graph(args, known, base)).transpose()?;
    let base = before.as_ref().map(|(_, known)| simulated(known, simulation));
    let certificate = Certificate::of(CertificateRequest {
        simulation,
        base: base.as_ref(),
        supported: &known.supported,
        goals: goals(args)?,
        data: known.data.as_ref(),
    });
    let updates = || known.graph.graph.edge_weights();
    let predicted = updates().filter(|edge| edge.knowledge != Knowledge::Given).count();
    let mut report = CertificateReport {
        certificate: &certificate,
        subject: subject(args, known)?,
        base: args
            .base
            .as_ref()
            .zip(before.as_ref())
            .map(|(name, (commit, _))| format!("{commit}, the merge base with {name}")),
        updates_from: known.provenance.in_words(),
        supported,
        all_updates: updates().count(),
        predicted,
        not_loaded: &known.not_loaded,
        digest: String::new(),
    };
    let mut text = Vec::new();
    report.write(Format::Json, style, &mut text)?;
    report.digest = sha256(&text);
    write_file(file, text)?;
    args.report.print(&report, style, out)?;
    let asked = [
        (Statement::AlwaysAPath, true),
        (Statement::ExactlyTheseSets, true),
        (Statement::NoPathLost, args.base.is_some()),
        (Statement::EachQueryAnswers, args.prove_queries),
    ];
    let fails =
        asked.iter().any(|(one, is_asked)| *is_asked && certificate.holds(*one) != Some(true));
    Ok(Status::failed_if(fails || !known.not_loaded.is_empty()))
}

fn goals(args: &SimulateArgs) -> Result<Vec<Goal>, Failure> {
    match args.goal.as_slice() {
        [] => Ok(vec![Goal::Patch]),
        goals if goals.contains(&Goal::Any) => {
            let failure = Failure::new("a certificate is about the goals `patch` and `minor`");
            Err(failure
                .hint("a release that reaches the newest patch of its minor reaches another one"))
        }
        goals => Ok(goals.to_vec()),
    }
}

/// What the certificate is about.
fn subject(args: &SimulateArgs, known: &KnownGraph) -> Result<String, Failure> {
    Ok(match (&args.subject.source.graph, &args.subject.source.rev) {
        (Some(file), _) => file.display().to_string(),
        (None, Some(revision)) => {
            let commit = args.subject.commit(revision)?;
            if commit.starts_with(revision) { commit } else { format!("{revision} ({commit})") }
        }
        (None, None) if known.data.is_some() => "the work tree".to_owned(),
        (None, None) => known.provenance.source.clone(),
    })
}

/// The graph before the change, and its commit.
fn base_graph(
    args: &SimulateArgs,
    known: &KnownGraph,
    base: &str,
) -> Result<(String, KnownGraph), Failure> {
    if known.data.is_none() {
        let what = if args.subject.source.graph.is_some() { "a graph file" } else { "a service" };
        return Err(Failure::new(format!("`--base` is a revision, and {what} has none")));
    }
    args.subject.read_base(base, Architectures::chosen(args.arch.as_ref()))
}

/// The graphs of the same channels before a change. No release is checked.
fn simulated<'g>(known: &'g KnownGraph, after: &Simulation<'_>) -> Simulation<'g> {
    let graph = &known.graph;
    let names: BTreeSet<&str> = after.channels.iter().map(|one| after.name(one.channel)).collect();
    let channels = graph.channels.entries().filter(|(_, name)| names.contains(name.as_str()));
    let architectures: BTreeSet<Arch> =
        after.channels.iter().flat_map(|one| one.architectures.iter()).collect();
    let request = SimulationRequest::of(
        channels.map(|(id, _)| id).collect(),
        architectures.into_iter().collect(),
    );
    Simulation::of(graph, &request, &|_: &str, _: &Version| false)
}
