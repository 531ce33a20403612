//! `exitpath catalog fail-forward`.

mod audit;
mod events;
mod names;
mod start;

use std::io::Write;

use events::Script;
use start::Start;

use crate::catalog::Package;
use crate::cli::catalog_args::CatalogFailForwardArgs;
use crate::cli::common_args::CommonArgs;
use crate::domain::{Named, Severity};
use crate::olm::{Namespace, Run, ScriptedRun, Strategy};
use crate::report::{FailForwardReport, Style};
use crate::text::Failure;
use crate::text::words::counted;

use super::found::Opened;
use super::{Status, Stop};

/// The largest file, in bytes. Thousands of CSVs with their annotations fit.
const LARGEST: u64 = 64 << 20;

/// The most CSVs in memory. Each step of a run keeps a copy of all CSVs.
const MOST_KEPT: usize = 2_000_000;

pub(super) fn run(
    args: &CatalogFailForwardArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    refuse_ignored(args)?;
    let opened = Opened::read(&args.source, common, err)?;
    if !has_beginning(args) {
        return audit::run(args, &opened, style, out);
    }
    let start = Start::read(args, opened.packages())?;
    let script = Script::read(args, opened.packages(), &start.namespace, common, err)?;
    let csvs = start.namespace.csvs.iter().len();
    if csvs * (1 + script.events.len()) > MOST_KEPT {
        let failure = Failure::new(format!(
            "{} and {} are too many",
            counted(csvs, "CSV"),
            counted(script.events.len(), "event")
        ));
        return Err(failure.hint("omit CSVs of other operators, or events").into());
    }
    let runs = runs(args.strategy, &start.namespace, opened.packages(), &script);
    let report = FailForwardReport {
        namespace: &start.namespace.name,
        findings: &start.findings,
        runs: &runs,
    };
    args.report.print(&report, style, out)?;
    if let Some((event, why)) = impossible(&runs) {
        return Err(Failure::new(format!("this does not happen: {event}: {why}")).into());
    }
    let has_error = start.findings.iter().any(|finding| finding.severity == Severity::Error);
    if runs.iter().any(|run| run.advice.no_verdict.is_some()) {
        return Ok(Status::CouldNotRun);
    }
    Ok(Status::failed_if(has_error || runs.iter().any(|run| run.advice.needs_manual_steps())))
}

fn has_beginning(args: &CatalogFailForwardArgs) -> bool {
    args.namespace.is_some() || args.installed.is_some()
}

/// Fails if a flag has no effect.
fn refuse_ignored(args: &CatalogFailForwardArgs) -> Result<(), Failure> {
    let has_script = !args.event.is_empty() || args.script.is_some();
    if !has_beginning(args) && (has_script || args.strategy.is_some()) {
        let what =
            if has_script { "events need a beginning" } else { "`--strategy` has no effect" };
        return Err(Failure::new(what).hint("add `--installed ENTRY`, or `--namespace FILE`"));
    }
    if args.namespace.is_some() && args.place.is_given() {
        let what = "`--package` and `--channel` have no effect with `--namespace`";
        return Err(Failure::new(what).hint("the Subscriptions of the namespace name both"));
    }
    Ok(())
}

/// The first event that happens under no strategy, and why.
fn impossible(runs: &[Run]) -> Option<(&str, &str)> {
    let (first, others) = runs.split_first()?;
    let cannot = first.steps.iter().enumerate();
    let mut cannot =
        cannot.filter_map(|(at, step)| Some((at, step.event.as_deref()?, step.cannot.as_deref()?)));
    let is_impossible =
        |run: &Run, at: usize| run.steps.get(at).is_some_and(|step| step.cannot.is_some());
    let found = cannot.find(|(at, ..)| others.iter().all(|run| is_impossible(run, *at)));
    found.map(|(_, event, why)| (event, why))
}

/// One run for each strategy, that of the namespace first.
fn runs(
    wanted: Option<Strategy>,
    namespace: &Namespace,
    catalog: &[Package],
    script: &Script,
) -> Vec<Run> {
    let first = wanted.unwrap_or(namespace.strategy);
    let others = Strategy::ALL.iter().copied().filter(|other| *other != first);
    let others = others.filter(|_| wanted.is_none());
    let stage = ScriptedRun { catalog, others: &script.catalogs, events: &script.events };
    let play = |strategy| stage.play(Namespace { strategy, ..namespace.clone() });
    std::iter::once(first).chain(others).map(play).collect()
}
