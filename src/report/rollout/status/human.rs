//! For people: what the update waits for, then the run levels, then the nodes.

use std::io::{self, Write};

use super::{StandingReport, why};
use crate::domain::Severity;
use crate::payload::Mode;
use crate::pools::{Row, table};
use crate::report::Style;
use crate::rollout::{CellState, Doing, Held, PoolNodes, PoolView, Progress, disputed};
use crate::text::printable;
use crate::text::words::{counted, listed};

/// More nodes are only counted.
const MOST: usize = 12;

pub(super) fn write_update(
    report: &StandingReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let standing = &report.standing;
    let has_operators = !report.objects.operators.is_empty() || standing.progress.is_some();
    if !has_operators {
        return Ok(());
    }
    writeln!(out, "{}", style.bold(&title(report)))?;
    if let Some(warning) = &standing.warning {
        let mark = style.mark("warning", Some(Severity::Warning));
        writeln!(out, "{mark}: {}", printable(warning))?;
    }
    for held in &standing.holds {
        write_held(report, held, style, out)?;
    }
    if let Some(progress) = &standing.progress {
        write_progress(progress, out)
    } else {
        write_unknown(report, out)
    }
}

fn title(report: &StandingReport<'_>) -> String {
    let standing = &report.standing;
    let version = standing.version.as_deref().map(|version| printable(version).into_owned());
    let to = version.map(|version| format!(" {version}")).unwrap_or_default();
    let doing = match standing.mode {
        Mode::Initializing => format!("installing{to}"),
        Mode::Updating if to.is_empty() => "updating".to_owned(),
        Mode::Updating => format!("updating to{to}"),
        Mode::Reconciling => format!("running{to}"),
    };
    if let Some(progress) = &standing.progress {
        let manifests = counted(progress.payload.manifests.len(), "manifest");
        return format!("{doing}: {} of {manifests} applied", progress.done);
    }
    let operators = counted(report.objects.operators.len(), "ClusterOperator");
    match (standing.holds.len(), standing.mode) {
        (0, _) => format!("{doing}: all {operators} are as they should be"),
        (1, Mode::Updating) => format!("{doing}: 1 of {operators} holds it"),
        (some, Mode::Updating) => format!("{doing}: {some} of {operators} hold it"),
        (1, _) => format!("{doing}: 1 of {operators} is not as it should be"),
        (some, _) => format!("{doing}: {some} of {operators} are not as they should be"),
    }
}

fn write_held(
    report: &StandingReport<'_>,
    held: &Held,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_waiting = report.standing.mode == Mode::Updating;
    let who = match report.level(held) {
        Some(level) if is_waiting => format!("level {level} waits for {}", held.operator),
        _ => held.operator.clone(),
    };
    let who = style.mark(&printable(&who), Some(Severity::Warning));
    writeln!(out, "{who}: {}", printable(&why(&held.hold)))?;
    if let Some(said) = &held.said
        && !(said.reason.is_empty() && said.message.is_empty())
    {
        let words = format!("{}={}: {}: {}", said.kind, said.status, said.reason, said.message);
        writeln!(out, "  it says {}", printable(&words))?;
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
        writeln!(out, "not in the payload, so nothing waits for them: {others}")?;
    }
    writeln!(out, "the ClusterVersion then says:")?;
    for condition in &progress.conditions {
        let message = condition.message.replace('\n', " ");
        let words = match (condition.reason.as_str(), message.as_str()) {
            ("", "") => String::new(),
            ("", message) => format!(": {message}"),
            (reason, message) => format!(": {reason}: {message}"),
        };
        let line = format!("{}={}{words}", condition.kind, condition.status);
        writeln!(out, "  {}", printable(&line))?;
    }
    Ok(())
}

fn write_unknown(report: &StandingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    if report.standing.version.is_none() {
        writeln!(
            out,
            "which version the cluster gets is not known, so versions are not compared: add the \
             ClusterVersion, or use --to VERSION"
        )?;
    }
    writeln!(out, "--payload DIR shows which run levels wait")
}

/// The run levels. The lines are not wrapped: they are a table.
pub(super) fn write_table(report: &StandingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Some(progress) = &report.standing.progress else { return Ok(()) };
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

/// What `oc get mcp` prints. The lines are not wrapped, like those of `oc`.
pub(super) fn write_pool_table(report: &StandingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    if report.pools.is_empty() {
        return Ok(());
    }
    if !report.objects.operators.is_empty() || report.standing.progress.is_some() {
        writeln!(out)?;
    }
    let row = |view: &PoolView<'_>| Row {
        name: view.pool.name.clone(),
        status: view.status.clone(),
        age: view.age,
    };
    write!(out, "{}", table(&report.pools.iter().map(row).collect::<Vec<Row>>()))
}

pub(super) fn write_pools(
    report: &StandingReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for view in &report.pools {
        write_pool(view, style, out)?;
    }
    for (node, pools) in disputed(report.objects) {
        let names: Vec<&str> = pools.iter().map(|pool| pool.name.as_str()).collect();
        let words = format!(
            "the node {} is in the pools {}: the operator leaves it alone",
            node.name,
            listed(&names, "and")
        );
        writeln!(out, "{}", printable(&words))?;
    }
    Ok(())
}

fn write_pool(view: &PoolView<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let counts = view.status.counts;
    let is_busy = view.nodes.as_ref().is_some_and(|nodes| !nodes.busy.is_empty());
    let is_shown = view.is_updating() && view.nodes.is_some() || is_busy || view.pool.paused;
    if !is_shown && view.hold().is_none() {
        return Ok(());
    }
    let mut title = format!(
        "{}: {} of {} updated",
        view.pool.name,
        counts.updated,
        counted(counts.machines, "node")
    );
    if view.pool.paused {
        title += ", and the pool is paused";
    }
    writeln!(out, "\n{}", style.bold(&printable(&title)))?;
    if let Some(hold) = view.hold() {
        writeln!(out, "  {hold}")?;
    }
    let Some(nodes) = &view.nodes else { return Ok(()) };
    for (node, doing) in nodes.busy.iter().take(MOST) {
        let words = match doing {
            Doing::Updates => "is being updated".to_owned(),
            Doing::UpdatesToOlder => {
                "is being updated to another config than that of the pool".to_owned()
            }
            Doing::Unknown => "has no config of the operator yet".to_owned(),
            Doing::Fails => {
                let reason = node.reason.as_deref().filter(|reason| !reason.is_empty());
                format!("fails{}", reason.map(|text| format!(": {text}")).unwrap_or_default())
            }
            Doing::Cordoned => "is cordoned".to_owned(),
            Doing::NotReady => "is not ready".to_owned(),
        };
        writeln!(out, "  {}", printable(&format!("{} {words}", node.name)))?;
    }
    if nodes.busy.len() > MOST {
        writeln!(out, "  and {} more", nodes.busy.len() - MOST)?;
    }
    write_next(view, nodes, out)
}

fn write_next(view: &PoolView<'_>, nodes: &PoolNodes<'_>, out: &mut dyn Write) -> io::Result<()> {
    let max = match &nodes.max {
        Err(error) => return writeln!(out, "  no node is chosen: {}", printable(error)),
        Ok(max) => *max,
    };
    if nodes.endangers_etcd {
        writeln!(
            out,
            "  maxUnavailable is {max}: etcd loses its quorum; use 1, or less than half"
        )?;
    }
    if !nodes.next.is_empty() {
        return writeln!(out, "  next: {}", printable(&listed(&nodes.next, "and")));
    }
    if view.pool.target.is_empty() {
        return writeln!(out, "  no node is chosen: the pool has no config yet");
    }
    let counts = view.status.counts;
    if !view.is_updating() || nodes.slots > 0 || counts.updated == counts.machines {
        return Ok(());
    }
    if max < 0 {
        return writeln!(out, "  no node is chosen: maxUnavailable is {max}, so none ever is");
    }
    let failing = nodes.busy.iter().filter(|(_, doing)| *doing == Doing::Fails).count();
    let verb = if counts.unavailable == 1 { "is" } else { "are" };
    let away = format!("{} {verb} unavailable", counted(counts.unavailable, "node"));
    let fails = if failing > 0 { format!(", and {failing} failing") } else { String::new() };
    writeln!(out, "  no slot is free: maxUnavailable is {max}, and {away}{fails}")
}
