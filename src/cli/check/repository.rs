//! `exitpath check` of a repository.

use std::fs;
use std::io::Write;

use crate::cli::args::{Check, Common};
use crate::cli::print;
use crate::graph_data::{GraphData, Kind};
use crate::lint::{Baseline, Outcome};
use crate::report::{ChangeReport, CheckReport, ComparedRevisions, Style};
use crate::rules::RULES;
use crate::session::{self, BaseAsked, Failure, Judge, Read, Session};
use crate::text::printable;
use crate::text::words::counted;

use super::asked::{Asked, fail_on, ignores_graph, is_without_graph, removed_rules, status};
use super::{Status, Stop, fixes, output};

pub(super) fn run(
    args: &Check,
    common: &Common,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let outputs = output::outputs(args)?;
    let session = Session::open(args.repo.as_deref(), &args.paths, args.rev.as_deref())?;
    let asked = Asked::of(args, &session)?;
    introduction(args, common, &session, &asked, err)?;
    let Read { mut data, base, sources, files, notes } = session.read(&session::Asked {
        revision: args.rev.as_deref(),
        base: args.base.as_deref().map(|revision| BaseAsked { revision, is_merge_base: true }),
        sources: asked.needs_updates().then(|| args.releases.asked()),
        keeps_files: args.fix,
        ..session::Asked::default()
    })?;
    print::notes(&notes, common, err)?;
    if data.files.is_empty() {
        return Err(nothing_in(&session).into());
    }
    let judge = Judge {
        repository: &session.repository,
        request: &asked.request,
        base: base.as_ref(),
        sources: sources.as_ref(),
    };
    let fail_on = fail_on(args, &session.config);
    if args.fix {
        let found = judge.judge_alone(&data);
        let status = status(fail_on, &found);
        let fixed = session::fix(&judge, files, data, found);
        if args.diff {
            fixes::preview(&fixed, style, out, err)?;
            return Ok(status);
        }
        fixed.write(&session.repository.root)?;
        fixes::summary(&fixed, err)?;
        data = fixed.data;
    }
    let view = judge.view(&data);
    let change = judge.change(&data, &view);
    let mut outcome = judge.judge(&data, &view, change.as_ref());
    if args.write_baseline {
        write_baseline(&data, &outcome, &asked, err)?;
        return Ok(Status::Clean);
    }
    // What a person asks about some files only, the change as a whole does not answer.
    let is_whole = session.repository.paths.is_empty();
    let changed = change.as_ref().zip(base.as_ref()).zip(view.of_change()).filter(|_| is_whole);
    let changed = changed.map(|((change, base), view)| {
        let revisions = ComparedRevisions {
            base: args.base.as_deref().unwrap_or_default(),
            base_commit: &base.commit,
            head: args.rev.as_deref().unwrap_or("the work tree"),
        };
        ChangeReport::new(change, &base.expectations, revisions, &view.provenance)
    });
    outcome.cut(&data.sources);
    let files = data.files.iter().filter(|file| file.kind != Kind::Stray);
    let paths = files.map(|file| data.path(file.id));
    let report = CheckReport {
        sources: &data.sources,
        outcome: &outcome,
        change: changed.as_ref(),
        files: paths.filter(|path| session.repository.asks_about(path)).collect(),
        prefix: session.repository.prefix.clone(),
        fail_on,
    };
    output::write(&report, &outputs, style, out)?;
    let status = status(fail_on, &outcome);
    // The process is about to end: freeing the model piece by piece would only delay that.
    std::mem::forget(change);
    std::mem::forget((data, view));
    Ok(status)
}

/// Says what is read, and what is not looked at.
fn introduction(
    args: &Check,
    common: &Common,
    session: &Session,
    asked: &Asked,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    if common.verbose {
        let root = session.repository.root.display().to_string();
        writeln!(err, "exitpath: reading {}", printable(&root))?;
    }
    if !common.quiet {
        removed_rules(&asked.request, err)?;
    }
    if ignores_graph(args) && !args.no_graph {
        writeln!(
            err,
            "exitpath: `--ignore graph` is now called `--no-graph`; the next release will ignore the rules of the family `graph` only"
        )?;
    }
    if is_without_graph(args) && !common.quiet {
        let rules = RULES.iter().filter(|rule| rule.looks_at_updates());
        let rules = rules.map(|rule| rule.name).collect::<Vec<_>>().join(", ");
        writeln!(err, "exitpath: not checked without the update graph: {rules}")?;
    }
    Ok(())
}

fn nothing_in(session: &Session) -> Failure {
    let root = session.repository.root.display();
    Failure::new(format!("there is no data in {root}"))
        .hint("a graph-data repository holds `version`, `channels/` and `blocked-edges/`")
}

fn write_baseline(
    data: &GraphData,
    outcome: &Outcome,
    asked: &Asked,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    let file = &asked.baseline_file;
    let text = Baseline::of(&data.sources, &outcome.findings).to_json();
    fs::write(file, text).map_err(|error| print::cannot_write(file, &error))?;
    let (findings, file) = (counted(outcome.findings.len(), "finding"), file.display().to_string());
    writeln!(err, "exitpath: wrote {findings} to {}", printable(&file))?;
    if asked.request.config.baseline.is_none() {
        writeln!(
            err,
            "          use it with `--baseline`, or `baseline = \"…\"` in exitpath.toml"
        )?;
    }
    Ok(())
}
