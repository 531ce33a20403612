//! Writes the report for people: what the update waits for, and then the run levels.

use std::io::{self, Write};

use super::{StatusReport, why};
use crate::cluster::object::Condition;
use crate::domain::Severity;
use crate::payload::Mode;
use crate::report::Style;
use crate::rollout::{CellState, Held, Progress};
use crate::text::printable;
use crate::text::words::{counted, listed};

pub(super) fn write_update(
    report: &StatusReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let status = &report.status;
    let has_operators = !report.objects.operators.is_empty() || status.progress.is_some();
    if !has_operators && report.objects.cluster_version.is_none() {
        return Ok(());
    }
    writeln!(out, "{}", style.bold(&title(report)))?;
    if let Some(warning) = &status.warning {
        let mark = style.mark("warning", Some(Severity::Warning));
        writeln!(out, "{mark}: {}", printable(warning))?;
    }
    for held in &status.holds {
        write_held(report, held, style, out)?;
    }
    match &status.progress {
        Some(progress) => write_progress(progress, out),
        None if has_operators => write_unknown(report, out),
        None => write_cluster_version(report, style, out),
    }
}

/// Writes what the ClusterVersion says, if there is nothing to compare it with.
fn write_cluster_version(
    report: &StatusReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let object = report.objects.cluster_version.iter();
    for said in object.flat_map(|object| &object.status.conditions) {
        let is_bad = said.kind == "Failing" && said.status != "False"
            || said.kind == "Available" && said.status != "True";
        if !is_bad && !matches!(said.kind.as_str(), "Available" | "Failing" | "Progressing") {
            continue;
        }
        let line = format!("the ClusterVersion says {}", printable(&of_condition(said)));
        writeln!(out, "{}", style.mark(&line, is_bad.then_some(Severity::Warning)))?;
    }
    Ok(())
}

/// Writes which objects are missing, so that a missing message is not mistaken for good news.
pub(super) fn write_missing(report: &StatusReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let missing = report.objects.missing();
    if missing.is_empty() {
        return Ok(());
    }
    let missing = listed(&missing, "or");
    writeln!(out, "note: the files have no {missing}: {OC} has them all")
}

const OC: &str = "`oc get clusterversion,clusteroperators,mcp,nodes -o yaml`";

fn title(report: &StatusReport<'_>) -> String {
    let status = &report.status;
    let version = status.version.as_deref().map(|version| printable(version).into_owned());
    let to = version.map(|version| format!(" {version}")).unwrap_or_default();
    let doing = match status.mode {
        Mode::Initializing => format!("installing{to}"),
        Mode::Updating if to.is_empty() => "updating".to_owned(),
        Mode::Updating => format!("updating to{to}"),
        Mode::Reconciling => format!("running{to}"),
    };
    if let Some(progress) = &status.progress {
        let manifests = counted(progress.payload.manifests.len(), "manifest");
        return format!("{doing}: {} of {manifests} applied", progress.done);
    }
    if report.objects.operators.is_empty() {
        return doing;
    }
    let operators = counted(report.objects.operators.len(), "ClusterOperator");
    match (status.holds.len(), status.mode) {
        (0, _) => format!("{doing}: all {operators} are as they should be"),
        (1, Mode::Updating) => format!("{doing}: 1 of {operators} holds it"),
        (some, Mode::Updating) => format!("{doing}: {some} of {operators} hold it"),
        (1, _) => format!("{doing}: 1 of {operators} is not as it should be"),
        (some, _) => format!("{doing}: {some} of {operators} are not as they should be"),
    }
}

fn write_held(
    report: &StatusReport<'_>,
    held: &Held,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_waiting = report.status.mode == Mode::Updating;
    let who = match report.level(held) {
        Some(level) if is_waiting => format!("level {level} waits for {}", held.operator),
        _ => held.operator.clone(),
    };
    let who = style.mark(&printable(&who), Some(Severity::Warning));
    writeln!(out, "{who}: {}", printable(&why(&held.hold)))?;
    if let Some(said) = &held.said
        && !(said.reason.is_empty() && said.message.is_empty())
    {
        writeln!(out, "  it says {}", printable(&of_condition(said)))?;
    }
    Ok(())
}

fn write_progress(progress: &Progress<'_>, out: &mut dyn Write) -> io::Result<()> {
    let levels = |is_wanted: fn(CellState) -> bool| -> Vec<&str> {
        let cells = progress.cells.iter().filter(|(_, state)| is_wanted(*state));
        let mut levels: Vec<&str> =
            cells.filter_map(|(cell, _)| cell.slot.map(|slot| slot.level)).collect();
        levels.dedup();
        levels
    };
    let waiting = levels(|state| state == CellState::Waiting);
    let held = levels(|state| state == CellState::Held);
    if !waiting.is_empty() && !held.is_empty() {
        let (noun, verb) = if waiting.len() == 1 { ("level", "waits") } else { ("levels", "wait") };
        let waiting = listed(&waiting, "and");
        let held = listed(&held, "and");
        writeln!(out, "{noun} {waiting} {verb} for level {held}")?;
    }
    if !progress.others.is_empty() {
        let others = printable(&listed(&progress.others, "and")).into_owned();
        writeln!(
            out,
            "the payload does not have these ClusterOperators, so nothing waits for them: {others}"
        )?;
    }
    writeln!(out, "the ClusterVersion then says:")?;
    for condition in &progress.conditions {
        writeln!(out, "  {}", printable(&of_condition(condition)))?;
    }
    Ok(())
}

fn of_condition(condition: &Condition) -> String {
    let message = condition.message.replace('\n', " ");
    let parts = [condition.reason.as_str(), &message].into_iter().filter(|part| !part.is_empty());
    let words: String = parts.map(|part| format!(": {part}")).collect::<Vec<_>>().concat();
    format!("{}={}{words}", condition.kind, condition.status)
}

fn write_unknown(report: &StatusReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    if report.status.version.is_none() {
        writeln!(
            out,
            "which version the cluster gets is not known, so versions are not compared: add the \
             ClusterVersion, or use --to VERSION"
        )?;
    }
    writeln!(out, "--payload DIR shows which run levels wait")
}

/// Writes the run levels. The lines are not wrapped, because they are a table.
pub(super) fn write_table(report: &StatusReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Some(progress) = &report.status.progress else { return Ok(()) };
    let component = |at: usize| {
        progress.cells.get(at).map_or_else(String::new, |(cell, _)| match cell.slot {
            Some(slot) => slot.component.to_owned(),
            None => "?".to_owned(),
        })
    };
    let names: Vec<String> = (0..progress.cells.len()).map(component).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0).max("component".len());
    writeln!(out, "\nstep  level  {:<width$}  state", "component")?;
    let mut last = 0;
    for ((cell, state), name) in progress.cells.iter().zip(&names) {
        let step = if cell.step == last { String::new() } else { cell.step.to_string() };
        last = cell.step;
        let level = cell.slot.map_or("?", |slot| slot.level);
        let state = match state {
            CellState::Done => "done",
            CellState::Held => "waits here",
            CellState::Waiting => "not begun",
        };
        writeln!(out, "{step:>4}  {level:>5}  {:<width$}  {state}", printable(name))?;
    }
    Ok(())
}
