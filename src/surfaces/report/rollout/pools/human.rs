//! Writes the report for people: a table of events, and how long it takes.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{PoolRun, PoolsReport};
use crate::domain::Severity;
use crate::pools::{Drain, Event, Percentiles, Row, Run, RunEnd, Start, Tally, What, table};
use crate::report::Style;
use crate::rollout::{span, time_range};
use crate::text::printable;
use crate::text::words::{counted, grouped, listed};

/// The most lines of events. Further ones are only counted.
const MOST: usize = 60;

pub(super) fn write_run(
    report: &PoolsReport<'_>,
    one: &PoolRun<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let run = &one.run;
    let rollout = run.plan.rollout();
    let left = rollout.members.iter().filter(|member| member.start != Start::Updated).count();
    let nodes = counted(rollout.members.len(), "node");
    let name = printable(&rollout.pool);
    if left == 0 {
        let title = format!("pool {name}: nothing to update, {nodes}");
        return writeln!(out, "{}\n", style.bold(&title));
    }
    let left =
        if left < rollout.members.len() { format!(", {left} to update") } else { String::new() };
    let max = run.plan.max();
    let title = format!("pool {name}: {nodes}{left}, at most {max} unavailable at once");
    writeln!(out, "{}", style.bold(&title))?;
    writeln!(out, "{}{}", usual(report), exceptions(report))?;
    writeln!(out)?;
    write_events(run, out)?;
    writeln!(out)?;
    match &run.end {
        RunEnd::Updated(seconds) => {
            let about =
                if one.percentiles.is_some() { ", with the middle of each range" } else { "" };
            let done = style.mark("updated", None);
            writeln!(out, "{done}: all nodes are updated after {}{about}", span(*seconds))?;
        }
        RunEnd::Stuck(stuck) => {
            let mark = style.mark("stuck", Some(Severity::Error));
            let why = stuck.explain(run.plan);
            writeln!(
                out,
                "{mark}: nothing moves after {}: {}",
                span(stuck.since),
                printable(&why)
            )?;
        }
    }
    if let Some(percentiles) = &one.percentiles {
        write_percentiles(percentiles, report.seed, out)?;
    }
    writeln!(out)
}

/// How long a node takes, in words.
fn usual(report: &PoolsReport<'_>) -> String {
    let reboot = time_range(report.times.reboot);
    match &report.times.drain {
        Drain::Takes(time) => {
            format!("each drains for {}, and is back {reboot} later", time_range(*time))
        }
        Drain::After(other, time) => format!(
            "once {} is back, each drains for {}, and is back {reboot} later",
            printable(other),
            time_range(*time)
        ),
        Drain::Never => "no drain ever ends".to_owned(),
    }
}

fn exceptions(report: &PoolsReport<'_>) -> String {
    let times = report.times;
    if times.drains.is_empty() && times.reboots.is_empty() {
        return String::new();
    }
    let mut names: Vec<String> = times.drains.keys().chain(times.reboots.keys()).cloned().collect();
    names.sort();
    names.dedup();
    format!(" (other times: {})", printable(&listed(&names, "and")))
}

fn write_events(run: &Run<'_>, out: &mut dyn Write) -> io::Result<()> {
    let tallies: BTreeMap<u64, Tally> =
        run.tallies().into_iter().map(|tally| (tally.time, tally)).collect();
    let mut groups: Vec<(u64, What, Vec<String>)> = Vec::new();
    for Event { time, what, node } in &run.events {
        let name = run.plan.rollout().name(*node).to_owned();
        match groups.last_mut().filter(|last| last.0 == *time && last.1 == *what) {
            Some(last) => last.2.push(name),
            None => groups.push((*time, *what, vec![name])),
        }
    }
    let shown = groups.len().min(MOST);
    let times: Vec<String> = groups.iter().take(shown).map(|group| span(group.0)).collect();
    let width = times.iter().map(String::len).max().unwrap_or(0).max("time".len());
    writeln!(out, "{:>width$}  unavailable  updated  event", "time")?;
    let total = run.plan.rollout().members.len();
    for (at, (time, what, names)) in groups.iter().take(shown).enumerate() {
        let is_last = groups.get(at + 1).is_none_or(|next| next.0 != *time);
        let counts = tallies.get(time).filter(|_| is_last).map(|tally| tally.counts);
        let (unavailable, updated) = match counts {
            Some(counts) => (counts.unavailable.to_string(), format!("{}/{total}", counts.updated)),
            None => (String::new(), String::new()),
        };
        let names = printable(&listed(names, "and")).into_owned();
        let event = in_words(*what);
        writeln!(
            out,
            "{:>width$}  {unavailable:>11}  {updated:>7}  {event}: {names}",
            span(*time)
        )?;
    }
    if groups.len() > shown {
        let more = grouped(groups.len() - shown);
        writeln!(out, "{:>width$}  and {more} more lines; --format json has all events", "…")?;
    }
    Ok(())
}

fn in_words(what: What) -> &'static str {
    match what {
        What::Back => "back",
        What::Drained => "drained, reboots",
        What::Degraded => "degraded, because the drain fails",
        What::Cordoned => "cordoned, drains",
    }
}

fn write_percentiles(percentiles: &Percentiles, seed: u64, out: &mut dyn Write) -> io::Result<()> {
    let runs = grouped(percentiles.runs);
    if percentiles.stuck == percentiles.runs {
        return writeln!(out, "all of {runs} updates with random times (seed {seed}) get stuck");
    }
    if percentiles.stuck > 0 {
        let stuck = grouped(percentiles.stuck);
        writeln!(out, "{stuck} of {runs} updates with random times get stuck")?;
    }
    let time = |seconds: Option<u64>| seconds.map_or("never".to_owned(), span);
    writeln!(
        out,
        "{runs} updates with random times (seed {seed}): 50% end within {}, 90% within {}, 99% \
         within {}; the shortest takes {}, the longest {}",
        time(percentiles.p50),
        time(percentiles.p90),
        time(percentiles.p99),
        time(percentiles.min),
        time(percentiles.max),
    )
}

/// Writes what `oc get mcp` prints. The tables are not wrapped, as with `oc`.
pub(super) fn write_moments(
    report: &PoolsReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for moment in report.moments {
        writeln!(
            out,
            "{}",
            style.bold(&format!("oc get mcp, {} after the start:", span(*moment)))
        )?;
        let row = |one: &PoolRun<'_>| Row {
            name: one.run.plan.rollout().pool.clone(),
            status: one.run.at(*moment).status(),
            age: one.age + *moment,
        };
        write!(out, "{}", table(&report.runs.iter().map(row).collect::<Vec<Row>>()))?;
        writeln!(out)?;
    }
    Ok(())
}

pub(super) fn write_rest(
    report: &PoolsReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !report.paused.is_empty() {
        let verb = if report.paused.len() == 1 { "is" } else { "are" };
        let names = printable(&listed(&report.paused, "and")).into_owned();
        writeln!(out, "{names} {verb} paused, and not updated")?;
    }
    let ends = report.runs.iter().map(|one| match one.run.end {
        RunEnd::Updated(seconds) => Some(seconds),
        RunEnd::Stuck(_) => None,
    });
    let longest: Option<Vec<u64>> = ends.collect();
    if let Some(longest) = longest.filter(|ends| ends.len() > 1) {
        let longest = longest.into_iter().max().unwrap_or(0);
        let text = format!("these pools are updated side by side, and take {}", span(longest));
        writeln!(out, "{}", style.bold(&text))?;
    }
    Ok(())
}
