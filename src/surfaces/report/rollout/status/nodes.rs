//! Writes the report for people: the pools as `oc get mcp` prints them, and what their nodes do.

use std::io::{self, Write};

use crate::pools::{Row, table};
use crate::report::Style;
use crate::rollout::{Doing, PoolNodes, PoolView, disputed};
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::StatusReport;

/// The most nodes that are listed. Further ones are only counted.
const MOST: usize = 12;

/// Writes what `oc get mcp` prints. The lines are not wrapped, as with `oc`.
pub(super) fn write_table(report: &StatusReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    if report.pools.is_empty() {
        return Ok(());
    }
    if !report.objects.operators.is_empty() || report.status.progress.is_some() {
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
    report: &StatusReport<'_>,
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
        Err(error) => return writeln!(out, "  no node is chosen: {}", printable(error.words())),
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
