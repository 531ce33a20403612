//! A fleet in the terminal.

use std::io::{self, Write};

use crate::domain::Format;
use crate::fleet::RiskCount;
use crate::report::printed::Printed;
use crate::report::{Style, wrapped};
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::mirror::human as mirror;
use super::rows::{MOST_ROWS, counted_u64, grouped_u64, more};
use super::{FleetReport, ReleaseGroup};

pub(super) fn write(report: &FleetReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let whole = report.whole();
    if style.quiet {
        return wrapped(style, out, |out| verdict(report, &whole, style, out));
    }
    wrapped(style, out, |out| {
        verdict(report, &whole, style, out)?;
        releases(report, style, out)?;
        risks(&whole, style, out)?;
        if report.mirror.is_none() { goals(report, style, out) } else { Ok(()) }
    })?;
    // Parts of these are not wrapped.
    mirror::write(report, style, out)?;
    held_back(report, style, out)?;
    wrapped(style, out, |out| {
        losses(report, style, out)?;
        differences(report, style, out)?;
        faults(report, style, out)?;
        gaps(report, style, out)
    })
}

fn verdict(
    report: &FleetReport<'_>,
    whole: &ReleaseGroup,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let clusters = counted_u64(whole.clusters, "cluster");
    let kinds = counted(report.fleet.classes.len(), "kind");
    let without = grouped_u64(whole.without);
    let verdict =
        format!("{clusters} of {kinds}, with updates of which none is recommended: {without}");
    writeln!(out, "{}", style.bold(&verdict))?;
    let facts = [
        ("of these, only because they cannot tell", whole.cannot_tell, whole.cannot_tell > 0),
        (
            if report.mirror.is_some() {
                "on a release that is not mirrored, or that their channel does not have"
            } else {
                "on a release that their channel does not have"
            },
            whole.unknown_release,
            whole.unknown_release > 0,
        ),
        ("stuck because of the mirror", report.stuck_clusters(), report.mirror.is_some()),
        (
            "losing their last recommended update, or a path",
            whole.losing,
            report.fleet.is_compared(),
        ),
    ];
    for (what, count, is_shown) in facts {
        if is_shown {
            writeln!(out, "{what}: {}", grouped_u64(count))?;
        }
    }
    Ok(())
}

fn releases(report: &FleetReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let groups = report.by_release();
    let bad = |group: &ReleaseGroup| {
        group.without > 0
            || group.most_stranded() > 0
            || group.unknown_release > 0
            || group.losing > 0
    };
    let shown: Vec<_> = groups.iter().filter(|(_, group)| bad(group)).collect();
    if shown.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold("By release"))?;
    for ((version, channel), group) in shown.iter().take(MOST_ROWS) {
        let mut facts = Vec::new();
        if group.unknown_release > 0 {
            let place =
                if report.mirror.is_some() { "the mirrored channel" } else { "the channel" };
            facts.push(format!("{} not in {place}", grouped_u64(group.unknown_release)));
        }
        if group.without > 0 {
            facts.push(format!("{} without a recommended update", grouped_u64(group.without)));
        }
        if group.cannot_tell > 0 {
            facts.push(format!("{} unable to tell", grouped_u64(group.cannot_tell)));
        }
        if group.most_stranded() > 0 {
            facts.push(format!("{} without a path", grouped_u64(group.most_stranded())));
        }
        if group.losing > 0 {
            facts.push(format!("{} losing something", grouped_u64(group.losing)));
        }
        let clusters = counted_u64(group.clusters, "cluster");
        writeln!(
            out,
            "  {} in {}: {clusters}, {}",
            printable(version),
            printable(channel),
            facts.join(", ")
        )?;
        let names: Vec<String> = group.risks.keys().map(risk_in_words).collect();
        if !names.is_empty() {
            writeln!(out, "    because of {}", listed(&names, "and"))?;
        }
    }
    more(shown.len(), out)
}

fn risk_in_words(risk: &RiskCount) -> String {
    let name = printable(&risk.name);
    if risk.is_unknown { format!("{name} (cannot tell)") } else { name.into_owned() }
}

fn risks(whole: &ReleaseGroup, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if whole.risks.is_empty() {
        return Ok(());
    }
    let mut risks: Vec<(&RiskCount, u64)> =
        whole.risks.iter().map(|(risk, clusters)| (risk, *clusters)).collect();
    risks.sort_by_key(|(risk, clusters)| (std::cmp::Reverse(*clusters), *risk));
    writeln!(out, "\n{}", style.bold("By risk"))?;
    for (risk, clusters) in risks.iter().take(MOST_ROWS) {
        writeln!(
            out,
            "  {} keeps updates from {}",
            risk_in_words(risk),
            counted_u64(*clusters, "cluster")
        )?;
    }
    more(risks.len(), out)
}

fn goals(report: &FleetReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Some(goal) = report.goal else { return Ok(()) };
    let releases: Vec<&str> = report.goals().into_iter().filter(|name| *name != goal).collect();
    let releases = match releases.as_slice() {
        [] => String::new(),
        names => format!(" ({})", listed(names, "or")),
    };
    writeln!(out, "\n{}", style.bold(&format!("To {}{releases}", printable(goal))))?;
    let groups = report.by_goal();
    for (what, clusters) in groups.iter().take(MOST_ROWS) {
        writeln!(out, "  {what}: {}", counted_u64(*clusters, "cluster"))?;
    }
    more(groups.len(), out)
}

/// What holds clusters back at their minor version besides risks.
fn held_back(report: &FleetReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    wrapped(style, out, |out| refusals(report, style, out))?;
    let Some(operators) = &report.operators else { return Ok(()) };
    writeln!(out, "\n{}", style.bold("Installed operators"))?;
    operators.write(Format::Human, style, out)
}

fn refusals(report: &FleetReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let (refusals, all) = report.refusals();
    if all == 0 {
        return Ok(());
    }
    let clusters = counted_u64(all, "cluster");
    let title = format!("Upgradeable=False: {clusters} on the path to another minor version");
    writeln!(out, "\n{}", style.bold(&title))?;
    for refusing in refusals.iter().take(MOST_ROWS) {
        let class = &report.fleet.classes[refusing.class].class;
        let name = refusing.name.as_deref().unwrap_or("a cluster");
        let (version, channel) = (printable(&class.version), printable(&class.channel));
        let why = refusing.refusal.why.as_deref();
        let why = why.map(|why| format!(": {}", printable(why))).unwrap_or_default();
        writeln!(out, "  {} ({version} in {channel}){why}", printable(name))?;
    }
    more(refusals.len(), out)
}

fn losses(report: &FleetReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if !report.lists_names || report.fleet.losses.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold("Clusters that lose something"))?;
    for loss in &report.fleet.losses {
        let counted = &report.fleet.classes[loss.class];
        let name = loss.name.as_deref().unwrap_or("a cluster");
        writeln!(
            out,
            "  {} ({} in {}): {}",
            printable(name),
            printable(&counted.class.version),
            printable(&counted.class.channel),
            report.lost(counted)
        )?;
    }
    Ok(())
}

fn differences(report: &FleetReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let fleet = report.fleet;
    if fleet.all_differences == 0 {
        return Ok(());
    }
    let text = format!("{} a different number of recommended updates", says(fleet.all_differences));
    writeln!(out, "\n{}", style.bold(&text))?;
    for difference in fleet.differences.iter().take(MOST_ROWS) {
        let counted = &fleet.classes[difference.class];
        let name = difference.name.as_deref().unwrap_or("a cluster");
        writeln!(
            out,
            "  {} ({} in {}): {}, not {}",
            printable(name),
            printable(&counted.class.version),
            printable(&counted.class.channel),
            difference.said,
            counted.outlook.available
        )?;
    }
    more(fleet.differences.len(), out)
}

fn says(clusters: u64) -> String {
    let verb = if clusters == 1 { "says" } else { "say" };
    format!("{} {verb}", counted_u64(clusters, "cluster"))
}

fn faults(report: &FleetReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let fleet = report.fleet;
    if fleet.all_faults == 0 {
        return Ok(());
    }
    let rows = counted_u64(fleet.all_faults, "row");
    writeln!(out, "\n{}", style.bold(&format!("Not counted: {rows}")))?;
    for fault in fleet.faults.iter().take(MOST_ROWS) {
        let column = fault.column.as_ref().map(|name| format!(", column `{}`", printable(name)));
        writeln!(
            out,
            "  {}:{}{}: {}",
            printable(&fault.file),
            fault.line,
            column.unwrap_or_default(),
            printable(&fault.why)
        )?;
    }
    more(fleet.faults.len(), out)
}

/// What a telemetry store does not say.
fn gaps(report: &FleetReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Some(gaps) = report.gaps else { return Ok(()) };
    for (title, lines) in [("Missing", gaps.missing()), ("Doubtful", gaps.doubts())] {
        if lines.is_empty() {
            continue;
        }
        writeln!(out, "\n{}", style.bold(title))?;
        for line in lines.iter().take(MOST_ROWS) {
            writeln!(out, "  {}", printable(line))?;
        }
        more(lines.len(), out)?;
    }
    Ok(())
}
