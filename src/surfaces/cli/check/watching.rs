//! `exitpath check --watch`: checks again after each save.

use std::io::Write;
use std::time::Duration;

use crate::cli::{lint_flags, print};
use crate::domain::{Format, Named};
use crate::lint::{Baseline, Outcome, path_of};
use crate::report::{CheckReport, Listing, Printed, Style};
use crate::rules::{Finding, Severity};
use crate::session::{Note, Session};
use crate::text::words::counted;
use crate::text::{Failure, Sources, printable, printable_lines};
use crate::tree::Watch;
use crate::workspace::Workspace;

use super::request::question;
use super::{Run, Status, Stop};

const LOOK_AGAIN: Duration = Duration::from_secs(1);

pub(super) fn run(run: &Run<'_>, out: &mut dyn Write, err: &mut dyn Write) -> Result<Status, Stop> {
    if !run.style.terminal || run.args.lint.format != Format::Human {
        let failure = Failure::new("`--watch` shows the report on a terminal");
        return Err(failure.hint("other programs start `exitpath check` after each save").into());
    }
    let args = run.args;
    let prepare = |notes: &mut Vec<Note>| {
        let session = Session::open(args.repo.as_deref(), &args.paths, None)?;
        let base = args.base.as_deref();
        let settings = args.lint.settings(&session.repository.root, base, None)?;
        let mut question = question(args, &session, settings)?;
        question.keeps_files = true;
        session.prepare(question, notes)
    };
    let mut notes = Vec::new();
    let mut workspace = Workspace::open(Box::new(prepare), &mut notes)?;
    print::notes(&notes, run.common, err)?;
    let mut watch = Watch::new(workspace.watched());
    // A file may have changed after it was read and before it was watched.
    workspace.reload()?;
    workspace.check();
    let mut known = KnownFindings::of(&workspace);
    let all = workspace.checked().map(|checked| &checked.outcome);
    if let Some(outcome) = all {
        write(run, &workspace, outcome, out)?;
    }
    loop {
        writeln!(out, "\nwaiting for the next save; Ctrl-C ends the check")?;
        out.flush()?;
        while !watch.wait(LOOK_AGAIN) {}
        if let Err(failure) = workspace.reload() {
            let (what, hint) = failure.words();
            writeln!(out, "\n{}", printable_lines(what))?;
            if let Some(hint) = hint {
                writeln!(out, "{}", printable_lines(hint))?;
            }
            continue;
        }
        workspace.check();
        let now = KnownFindings::of(&workspace);
        write_difference(run, &workspace, &known, &now, out)?;
        known = now;
    }
}

/// The findings of one check, in the forms that the comparison with the next check needs.
struct KnownFindings {
    baseline: Baseline,
    /// Each finding in one line.
    lines: Vec<String>,
    findings: Vec<Finding>,
}

impl KnownFindings {
    fn of(workspace: &Workspace<'_>) -> Self {
        let sources = &workspace.data().sources;
        let findings = workspace.checked().map(|checked| checked.outcome.findings.clone());
        let findings = findings.unwrap_or_default();
        let lines = findings.iter().map(|finding| in_one_line(sources, finding)).collect();
        Self { baseline: Baseline::of(sources, &findings), lines, findings }
    }
}

fn in_one_line(sources: &Sources, finding: &Finding) -> String {
    let (path, message) = (path_of(sources, &finding.place), &finding.message);
    let first = message.lines().next().unwrap_or_default();
    let severity = finding.severity.name();
    printable(&format!("{path}: {severity}: {first} [{}]", finding.rule.name)).into_owned()
}

/// Writes the new findings in full, and those that are gone in a line each.
fn write_difference(
    run: &Run<'_>,
    workspace: &Workspace<'_>,
    before: &KnownFindings,
    now: &KnownFindings,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let sources = &workspace.data().sources;
    let mut new = now.findings.clone();
    let same = before.baseline.remove_known(sources, &mut new);
    let gone = before.lines.iter().filter(|line| !now.lines.contains(line));
    let gone: Vec<&String> = gone.collect();
    let style = run.style;
    writeln!(out)?;
    for line in &gone {
        writeln!(out, "{} {line}", style.bold("gone:"))?;
    }
    if new.is_empty() {
        let unchanged = counted(same, "finding");
        return Ok(writeln!(out, "nothing new; {unchanged} as before")?);
    }
    // The report only counts them.
    if run.args.lint.listing() == Listing::Worst {
        for finding in new.iter().filter(|finding| finding.severity == Severity::Info) {
            writeln!(out, "{} {}", style.bold("new:"), in_one_line(sources, finding))?;
        }
    }
    let outcome = Outcome { findings: new, ..Outcome::default() };
    write(run, workspace, &outcome, out)?;
    if same > 0 {
        writeln!(out, "{} as before", counted(same, "finding"))?;
    }
    Ok(())
}

fn write(
    run: &Run<'_>,
    workspace: &Workspace<'_>,
    outcome: &Outcome,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let check = workspace.prepared();
    let mut notes = Vec::new();
    let report = CheckReport {
        sources: &workspace.data().sources,
        outcome,
        remarks: &lint_flags::remarks(&mut notes, outcome, run.common, &mut std::io::sink())?,
        change: None,
        files: Vec::new(),
        prefix: check.session.repository.prefix.clone(),
        fail_on: run.args.lint.fail_on(&check.request.config),
        listing: run.args.lint.listing(),
        catalogs: Vec::new(),
    };
    report.write(Format::Human, Style { quiet: false, ..run.style }, out)?;
    Ok(())
}
