//! `exitpath check` of a repository.

use std::io::Write;

use crate::change::GraphChange;
use crate::cli::check_args::CheckArgs;
use crate::cli::common_args::CommonArgs;
use crate::cli::{fixes, lint_flags, print};
use crate::graph_data::GraphData;
use crate::lint::{Baseline, Outcome};
use crate::report::{ChangeReport, CheckReport, ComparedRevisions};
use crate::rules::{Outlook, RULES};
use crate::session::{
    self, BaseRequest, CheckedRepository, Linter, LoadedRepository, Note, ReadRequest, RuleGraphs,
    Session, UpdateSources,
};
use crate::text::{Failure, printable};

use super::request::{CheckRequest, ignores_graph, is_without_graph};
use super::{Run, Status, Stop, server};

pub(super) fn run(run: &Run<'_>, out: &mut dyn Write, err: &mut dyn Write) -> Result<Status, Stop> {
    let args = run.args;
    let (base, revision) = (args.base.as_deref(), args.rev.as_deref());
    let mut session = Session::open(args.repo.as_deref(), &args.paths, revision)?;
    let settings = args.lint.settings(&session.repository.root, base, revision)?;
    session.config = settings.config.clone();
    let mut remarks: Vec<Note> = settings.note(args.lint.config_from).into_iter().collect();
    print::notes(&remarks, run.common, err)?;
    let mut request = CheckRequest::of(args, &session, settings)?;
    let root = session.repository.root.display().to_string();
    run.introduce(&[&root], &request.request, err)?;
    print_notes_on_graph(args, run.common, err)?;
    let LoadedRepository { mut data, base, sources, files, .. } =
        read(run, &session, &request, err)?;
    let (asked, notes) = server::asked(args, (&session, &request), &data, base.as_ref())?;
    print::notes(&notes, run.common, err)?;
    request.request.asked = asked;
    let linter = Linter {
        repository: &session.repository,
        request: &request.request,
        base: base.as_ref(),
        sources: sources.as_ref(),
    };
    let fail_on = args.lint.fail_on(&session.config);
    if args.lint.fixes.fix {
        let mut found = linter.lint_alone(&data);
        let status = lint_flags::status(fail_on, &found);
        found.omit_excess(&data.sources);
        let fixed = session::fix(CheckedRepository { linter: &linter, files, data, found })?;
        if args.lint.fixes.diff {
            fixes::preview(&fixed, run.style, out, err)?;
            return Ok(status);
        }
        fixed.write()?;
        fixes::summary(&fixed, err)?;
        data = fixed.checked.data;
    }
    let graphs = linter.graphs(&data);
    if let Some(note) = note_on_unchecked(&graphs, &request)? {
        print::notes(std::slice::from_ref(&note), run.common, err)?;
        remarks.push(note);
    }
    let change = linter.change(&data, &graphs);
    let mut outcome = linter.lint(&data, &graphs, change.as_ref());
    if args.lint.fixes.fix {
        fixes::without_fixes(&mut outcome);
    }
    if args.lint.write_baseline {
        return write_baseline(&data, &outcome, &request, err);
    }
    let remarks = lint_flags::remarks(&mut remarks, &outcome, run.common, err)?;
    let change_report = change_report(args, &linter, &graphs, change.as_ref());
    let status = lint_flags::status(fail_on, &outcome);
    outcome.omit_excess(&data.sources);
    let report = CheckReport {
        sources: &data.sources,
        outcome: &outcome,
        remarks: &remarks,
        change: change_report.as_ref(),
        files: checked_files(&data, &session),
        prefix: session.repository.prefix.clone(),
        fail_on,
        listing: args.lint.listing(),
        catalogs: Vec::new(),
    };
    run.write(&report, out)?;
    // Skips freeing the data, because the process ends now.
    std::mem::forget(change);
    std::mem::forget((data, graphs));
    Ok(status)
}

/// A note if the exit paths of no release are checked. Fails if nothing else was asked for: that would
/// look like a pass.
fn note_on_unchecked(graphs: &RuleGraphs, request: &CheckRequest) -> Result<Option<Note>, Failure> {
    let Some(why) = graphs.after().and_then(Outlook::unchecked) else { return Ok(None) };
    let text = format!("no release was checked for exit paths: {why}");
    if request.asks_only_about_exits() {
        let hint = "get newer data, or say in exitpath.toml which releases are supported";
        return Err(Failure::new(text).hint(hint));
    }
    Ok(request.asks_about_exits().then_some(Note { text, is_important: true }))
}

fn read(
    run: &Run<'_>,
    session: &Session,
    request: &CheckRequest,
    err: &mut dyn Write,
) -> Result<LoadedRepository, Stop> {
    let args = run.args;
    let base = args.base.as_deref();
    let mut read = session.read(&ReadRequest {
        revision: args.rev.as_deref(),
        base: base.map(|revision| BaseRequest { revision, is_merge_base: true }),
        sources: request.looks_at_updates().then(|| args.releases.request()),
        keeps_files: args.lint.fixes.fix,
        ..ReadRequest::default()
    })?;
    if let Some(base) = read.base.as_mut().filter(|_| request.looks_at_former_risks()) {
        base.recall_former_risks(&session.repository.root, &read.data);
    }
    print::notes(&read.notes, run.common, err)?;
    let on_history = read.sources.as_ref().and_then(UpdateSources::note_on_history);
    if let Some(note) = on_history.filter(|_| !run.common.quiet) {
        writeln!(err, "exitpath: {}", printable(note))?;
    }
    if read.data.files.is_empty() { Err(no_data(session).into()) } else { Ok(read) }
}

/// What the change does. None if only some files are checked: then the report does not summarize
/// the whole change.
fn change_report<'r>(
    args: &'r CheckArgs,
    linter: &Linter<'r>,
    graphs: &'r RuleGraphs,
    change: Option<&'r GraphChange<'r>>,
) -> Option<ChangeReport<'r>> {
    if !linter.repository.paths.is_empty() {
        return None;
    }
    let (change, base, view) = (change?, linter.base?, graphs.of_change()?);
    let revisions = ComparedRevisions {
        base: args.base.as_deref().unwrap_or_default(),
        base_commit: &base.commit,
        head: args.rev.as_deref().unwrap_or("the work tree"),
    };
    Some(ChangeReport::new(change, &base.expectations, revisions, &view.provenance))
}

fn checked_files<'d>(data: &'d GraphData, session: &Session) -> Vec<&'d str> {
    let files = data.files.iter().filter(|file| file.kind.is_data());
    let paths = files.map(|file| data.path(file.id));
    paths.filter(|path| session.repository.is_asked_about(path)).collect()
}

/// Prints notes on a check without the update graph.
fn print_notes_on_graph(
    args: &CheckArgs,
    common: &CommonArgs,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    if ignores_graph(args) && !args.no_graph {
        writeln!(
            err,
            "exitpath: `--ignore graph` is now called `--no-graph`; the next release will ignore the rules of the family `graph` only"
        )?;
    }
    if is_without_graph(args) && !common.quiet {
        let rules = RULES.iter().filter(|rule| rule.needs_updates());
        let rules = rules.map(|rule| rule.name).collect::<Vec<_>>().join(", ");
        writeln!(err, "exitpath: not checked without the update graph: {rules}")?;
    }
    Ok(())
}

fn no_data(session: &Session) -> Failure {
    let root = session.repository.root.display();
    Failure::new(format!("there is no data in {root}"))
        .hint("a graph-data repository contains `version`, `channels/`, and `blocked-edges/`")
}

fn write_baseline(
    data: &GraphData,
    outcome: &Outcome,
    request: &CheckRequest,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let text = Baseline::of(&data.sources, &outcome.findings).to_json();
    let is_configured = request.request.config.baseline.is_some();
    let findings = (outcome.findings.len(), is_configured);
    lint_flags::write_baseline(&request.baseline_file, &text, findings, err)
}
