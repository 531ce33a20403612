//! `exitpath check` of a repository.

use std::io::Write;
use std::path::Path;

use crate::change::GraphChange;
use crate::cli::check_args::CheckArgs;
use crate::cli::common_args::CommonArgs;
use crate::cli::{fixes, lint_flags, print};
use crate::graph_data::GraphData;
use crate::lint::{Baseline, Outcome};
use crate::report::{ChangeReport, CheckReport, ComparedRevisions};
use crate::rules::RULES;
use crate::session::{self, CheckedFiles, CheckedRepository, Linter, Note, RuleGraphs, Session};

use super::request::{ignores_graph, is_without_graph, question};
use super::{Run, Status, Stop};

pub(super) fn run(run: &Run<'_>, out: &mut dyn Write, err: &mut dyn Write) -> Result<Status, Stop> {
    let args = run.args;
    let revision = args.rev.as_deref();
    let session = Session::open(args.repo.as_deref(), &args.paths, revision)?;
    let settings = args.lint.settings(&session.repository.root, args.base.as_deref(), revision)?;
    let mut remarks: Vec<Note> = settings.note(args.lint.config_from).into_iter().collect();
    print::notes(&remarks, run.common, err)?;
    let baseline_file = settings.baseline_file.clone();
    let question = question(args, &session, settings)?;
    let root = session.repository.root.display().to_string();
    run.introduce(&[&root], &question.selection, &question.settings.config, err)?;
    print_notes_on_graph(args, run.common, err)?;
    let mut notes = Vec::new();
    let prepared = session.prepare(question, &mut notes);
    print::notes(&notes, run.common, err)?;
    let (check, CheckedFiles { mut data, files }) = prepared?;
    let linter = check.linter();
    let fail_on = args.lint.fail_on(&check.request.config);
    if args.lint.fixes.fix {
        let mut found = linter.lint_alone(&data);
        let status = lint_flags::status(fail_on, &found);
        found.omit_excess(&data.sources);
        let fixed = session::fix(CheckedRepository::new(&linter, files, data, found))?;
        if args.lint.fixes.diff {
            fixes::preview(&fixed, run.style, out, err)?;
            return Ok(status);
        }
        fixed.write()?;
        fixes::summary(&fixed, err)?;
        data = fixed.checked.data;
    }
    let graphs = linter.graphs(&data);
    if let Some(note) = check.note_on_unchecked(&graphs)? {
        print::notes(std::slice::from_ref(&note), run.common, err)?;
        remarks.push(note);
    }
    let change = linter.change(&data, &graphs);
    let mut outcome = linter.lint(&data, &graphs, change.as_ref());
    if args.lint.fixes.fix {
        fixes::without_fixes(&mut outcome);
    }
    if args.lint.write_baseline {
        let is_configured = check.request.config.baseline.is_some();
        return write_baseline(&data, &outcome, &baseline_file, is_configured, err);
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
        files: checked_files(&data, &check.session),
        prefix: check.session.repository.prefix.clone(),
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

fn write_baseline(
    data: &GraphData,
    outcome: &Outcome,
    file: &Path,
    is_configured: bool,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let text = Baseline::of(&data.sources, &outcome.findings).to_json();
    lint_flags::write_baseline(file, &text, outcome.findings.len(), is_configured, err)
}
