//! For people: each route hop by hop, or why there is none and what would open one.

use std::io::{self, Write};

use crate::analysis::{NoRoute, Route, RouteKind};
use crate::report::Style;
use crate::text::printable;
use crate::text::words::{counted, one_of};

use super::RouteReport;

pub(super) fn write(report: &RouteReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let (from, to) = (printable(report.from), printable(report.to));
    if from == to {
        return writeln!(out, "both are the same release, {from}: there is nothing to update");
    }
    for route in &report.routes.found {
        write_route(report, route, style, out)?;
    }
    if report.routes.is_incomplete {
        writeln!(out, "there are too many paths to find the one with the fewest risks")?;
    }
    if let Some(none) = &report.routes.no_route {
        let reason = reason(report, none);
        writeln!(out, "no path from {from} to {to}: {}", printable(&reason))?;
    }
    let risks = report.risks(&report.routes.unblocked_by);
    if let Some(some) = one_of(&risks) {
        writeln!(out, "a path without risks opens once {} is removed", printable(&some))?;
    }
    if let Some(some) = one_of(&report.blocks()) {
        writeln!(out, "a path opens once {} is removed", printable(&some))?;
    }
    Ok(())
}

fn write_route(
    report: &RouteReport<'_>,
    route: &Route,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let kind = match route.kind {
        RouteKind::Open => "without risks",
        RouteKind::FewestRisks => "with the fewest risks",
        RouteKind::FewestHops => "with the fewest hops",
    };
    let hops = counted(route.hops.len(), "hop");
    writeln!(out, "{}", style.bold(&format!("{kind}, {hops}:")))?;
    let ends = || route.hops.iter().map(|hop| report.ends(hop));
    let widest = ends().flat_map(|(from, to)| [from.len(), to.len()]).max().unwrap_or(0);
    for hop in &route.hops {
        let (from, to) = report.ends(hop);
        let channel = report.area.channel_of(hop);
        let (from, to, channel) = (printable(from), printable(to), printable(channel));
        write!(out, "  {from:<widest$} → {to:<widest$}  {channel}")?;
        match report.risks(&hop.closed_by).as_slice() {
            [] => writeln!(out)?,
            some => writeln!(out, "  risks: {}", printable(&some.join(", ")))?,
        }
    }
    Ok(())
}

fn reason(report: &RouteReport<'_>, none: &NoRoute) -> String {
    let (from, to) = (report.from, report.to);
    match none {
        NoRoute::Blocked { first, blocks } => {
            let (from, to) = (report.area.version(first.0), report.area.version(first.1));
            let mut files: Vec<&str> =
                blocks.iter().filter_map(|block| report.path(*block)).collect();
            files.dedup();
            let by = if files.is_empty() {
                String::new()
            } else {
                format!(" by {}", files.join(" and "))
            };
            format!("{from} → {to} is blocked{by}")
        }
        NoRoute::Older => format!("{to} is older: updates only go to newer releases"),
        NoRoute::NothingLeaves => format!("{from} has no updates to other releases"),
        NoRoute::NothingArrives => format!("no update leads to {to}"),
        NoRoute::NotConnected => format!("updates from {from} do not lead to {to}"),
    }
}
