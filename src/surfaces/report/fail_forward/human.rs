//! Writes the report for people: each strategy, event by event, and the manual steps.

use std::io::{self, Write};

use crate::domain::{Named, Severity};
use crate::olm::{ProblemKind, Run, Step, SyncOutcome};
use crate::report::{Style, wrapped};
use crate::text::printable;

use super::{FailForwardReport, findings, words};

/// The most changes of a step that are listed. Further ones are only counted.
const MOST_CHANGES: usize = 30;

pub(super) fn write(
    report: &FailForwardReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !style.quiet {
        wrapped(style, out, |out| findings::write(report.findings, style, out))?;
    }
    for (at, run) in report.runs.iter().enumerate() {
        if !style.quiet {
            if at > 0 {
                writeln!(out)?;
            }
            wrapped(style, out, |out| write_run(run, style, out))?;
        }
        wrapped(style, out, |out| write_verdict(run, report.namespace, style, out))?;
    }
    Ok(())
}

fn write_run(run: &Run, style: Style, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", style.bold(&format!("With {}:", run.strategy.name())))?;
    for step in &run.steps {
        let title = step.event.as_deref().unwrap_or("at first");
        writeln!(out, "  {}", style.bold(&printable(title)))?;
        write_step(step, out)?;
    }
    Ok(())
}

fn write_step(step: &Step, out: &mut dyn Write) -> io::Result<()> {
    let mut line = |text: &str| writeln!(out, "    {}", printable(text));
    if let Some(why) = &step.cannot {
        line(&format!("does not happen: {why}"))?;
    }
    let changes = words::changes(&step.changes);
    for change in changes.iter().take(MOST_CHANGES) {
        line(change)?;
    }
    if changes.len() > MOST_CHANGES {
        line(&format!("and {} more", changes.len() - MOST_CHANGES))?;
    }
    if step.hit_limit {
        line("OLM is still at work: exitpath stops here")?;
    }
    if step.cannot.is_some() {
        return Ok(());
    }
    if !matches!(step.look, SyncOutcome::NoSubscriptions) {
        line(&format!("resolver: {}", words::look(step)))?;
    }
    words::why_no_solution(step).iter().try_for_each(|why| line(&format!("  {why}")))
}

fn write_verdict(run: &Run, namespace: &str, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let advice = &run.advice;
    let with = run.strategy.name();
    let mark = |text: &str, severity| style.mark(&printable(text), severity);
    if !advice.manual_steps.is_empty() {
        let title = format!("✗ {with}: OLM does not go on by itself. Somebody must:");
        writeln!(out, "{}", mark(&title, Some(Severity::Error)))?;
        for (at, step) in (1..).zip(&advice.manual_steps) {
            writeln!(out, "  {at}. {}", printable(&words::manual_step(step, namespace)))?;
        }
    }
    for wait in &advice.waits {
        let severity = if wait.then.is_empty() { Severity::Warning } else { Severity::Error };
        let text = format!("! {with}: {}", words::wait(wait, namespace));
        writeln!(out, "{}", mark(&text, Some(severity)))?;
    }
    for problem in &advice.problems {
        let is_cause = !matches!(problem.kind, ProblemKind::BlockedBy(_));
        let severity = if is_cause { Severity::Error } else { Severity::Warning };
        let sign = if is_cause { "✗" } else { "!" };
        let text = format!("{sign} {with}: {}", words::problem(problem));
        writeln!(out, "{}", mark(&text, Some(severity)))?;
    }
    if let Some(why) = &advice.no_verdict {
        let text = format!("! {with}: no verdict: {}", words::no_verdict(why));
        writeln!(out, "{}", mark(&text, Some(Severity::Warning)))?;
    }
    for (plan, subscription) in &advice.keeps {
        writeln!(out, "  {}", printable(&words::keep(plan, subscription)))?;
    }
    let is_done = advice.manual_steps.is_empty() && advice.waits.is_empty();
    if is_done && advice.problems.is_empty() && advice.no_verdict.is_none() {
        let (sign, but, severity) = if run.steps.iter().any(|step| step.cannot.is_some()) {
            ("!", ", but not all of this happens", Some(Severity::Warning))
        } else {
            ("✓", "", None)
        };
        let text = format!("{sign} {with}: OLM goes on by itself{but}");
        writeln!(out, "{}", mark(&text, severity))?;
    }
    Ok(())
}
