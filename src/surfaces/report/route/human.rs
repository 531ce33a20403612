//! Writes the report for people: each route hop by hop, or why there is none and what would open
//! one.

use std::io::{self, Write};

use crate::analysis::{Gaps, NoRoute, Route, RouteKind};
use crate::report::Style;
use crate::text::printable;
use crate::text::words::{counted, one_of};

use super::{RouteReport, Waiting, WantedReleases};

pub(super) fn write(report: &RouteReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let (from, to) = (printable(report.from), printable(report.to));
    if from == to {
        return match report.wanted {
            Some(wanted) => writeln!(
                out,
                "{from} is the newest release of {} that can be reached: there is nothing to update",
                printable(wanted.asked_for)
            ),
            None => writeln!(out, "both are the same release, {from}: there is nothing to update"),
        };
    }
    write_head(report, out)?;
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
    match &report.waiting {
        Some(waiting) => write_waiting(report, waiting, out),
        None => Ok(()),
    }
}

/// Writes the release that was found, if the request was not for a single one, and where the
/// updates come from.
fn write_head(report: &RouteReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    if let (Some(wanted), Some(route)) = (report.wanted, report.routes.found.first()) {
        let WantedReleases { newest, asked_for } = wanted;
        let how = if route.kind == RouteKind::Open { " without risks" } else { "" };
        let rest = if newest == report.to { String::new() } else { format!(", of {newest}") };
        let (asked_for, to) = (printable(asked_for), printable(report.to));
        writeln!(out, "to {asked_for}: {to} is the newest that can be reached{how}{rest}")?;
    }
    if report.needs_candidates {
        writeln!(
            out,
            "warning: supported channels have no path; candidate channels are for tests only"
        )?;
    }
    if !report.accepted.is_empty() {
        writeln!(out, "accepted: {}", printable(&report.accepted.join(", ")))?;
    }
    Ok(())
}

fn write_waiting(
    report: &RouteReport<'_>,
    Waiting { minor, gaps }: &Waiting,
    out: &mut dyn Write,
) -> io::Result<()> {
    let from = printable(report.from);
    let where_to = if report.needs_candidates { " in supported channels" } else { "" };
    write!(out, "no release of {minor} can be reached from {from}{where_to} yet")?;
    match gaps {
        Some(Gaps { least, median, most, releases }) => {
            let days = match (least, most) {
                (only, most) if only == most => counted(*only, "day"),
                _ => format!("{least}–{most} days (median {median})"),
            };
            let releases = counted(*releases, "release");
            writeln!(out, "; {releases} of the last year waited {days}")
        }
        None => writeln!(out, ", and the history does not tell how long others waited"),
    }
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
    let channels = report.channels(route);
    for (hop, channel) in route.hops.iter().zip(&channels) {
        let (from, to) = report.ends(hop);
        let (from, to, channel) = (printable(from), printable(to), printable(channel));
        write!(out, "  {from:<widest$} → {to:<widest$}  {channel}")?;
        match report.risks(&hop.closed_by).as_slice() {
            [] => writeln!(out)?,
            some => writeln!(out, "  risks: {}", printable(&some.join(", ")))?,
        }
    }
    write_changes(report, route, &channels, out)
}

/// Writes when to change the channel.
fn write_changes(
    report: &RouteReport<'_>,
    route: &Route,
    channels: &[&str],
    out: &mut dyn Write,
) -> io::Result<()> {
    let pairs = route.hops.iter().skip(1).zip(channels.windows(2));
    let changes = pairs.filter_map(|(hop, pair)| match pair {
        [before, after] if before != after => {
            Some(format!("then {after} (from {} on)", report.ends(hop).0))
        }
        _ => None,
    });
    let changes: Vec<String> = changes.collect();
    match channels.first().filter(|_| !changes.is_empty()) {
        Some(first) => {
            let line = format!("channel: first {first}, {}", changes.join(", "));
            writeln!(out, "  {}", printable(&line))
        }
        None => Ok(()),
    }
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
        NoRoute::NotServed => {
            let channels = one_of(&report.area.channel_names()).unwrap_or_default();
            format!("{from} is not in {channels} yet")
        }
        NoRoute::NothingLeaves => format!("{from} has no updates to other releases"),
        NoRoute::NothingArrives => format!("no update leads to {to}"),
        NoRoute::NotConnected => format!("updates from {from} do not lead to {to}"),
    }
}
