//! Writes the report for people: the eleven steps of each update, and when they happen.

use std::io::{self, Write};

use crate::domain::{Minor, version};
use crate::pools::Rollout;
use crate::report::Style;
use crate::rollout::{HopTimes, Journey, Many, Timeline, span, supported_skew, time_range};
use crate::text::printable;
use crate::text::words::{counted, grouped};

/// Writes the rollout. `hops` are the releases before and after each update.
pub(in crate::surfaces::report::route) fn write(
    timeline: &Timeline,
    hops: &[(&str, &str)],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let journey = &timeline.journey;
    let reboots = timeline.reboots.control_plane + timeline.reboots.workers;
    let title = format!("rollout: {}, {}", span(timeline.end()), counted(reboots, "reboot"));
    writeln!(out, "\n{}", style.bold(&title))?;
    write_assumptions(timeline, hops, out)?;
    if let Some(many) = timeline.many {
        write_many(many, out)?;
    }
    for (number, (times, (from, to))) in (1..).zip(timeline.hops.iter().zip(hops)) {
        let title = format!("hop {number}: {} → {}", printable(from), printable(to));
        writeln!(out, "\n{}", style.bold(&title))?;
        write_steps(times, journey, to, out)?;
    }
    Ok(())
}

fn write_assumptions(
    timeline: &Timeline,
    hops: &[(&str, &str)],
    out: &mut dyn Write,
) -> io::Result<()> {
    let journey = &timeline.journey;
    let nodes = |rollout: &Rollout| rollout.members.len();
    let control_plane = counted(nodes(&journey.control_plane), "node");
    let workers = journey.workers.as_ref().map_or(0, nodes);
    let (masters, others) = (timeline.reboots.control_plane, timeline.reboots.workers);
    let is_paused = journey.is_paused && workers > 0 && timeline.hops.len() > 1;
    writeln!(
        out,
        "the control plane has {control_plane}, and {} in total; there are {}, and {}{}",
        counted(masters, "reboot"),
        counted(workers, "worker"),
        counted(others, "reboot"),
        if is_paused { ", because their pool is paused in between" } else { "" }
    )?;
    if is_paused {
        write_pauses(hops, timeline, out)?;
    }
    writeln!(
        out,
        "the manifests of a release take {}, and steps 1 to 7 a few minutes, which are not counted",
        time_range(journey.manifests)
    )
}

/// Writes why the pool is not paused until the end.
fn write_pauses(hops: &[(&str, &str)], timeline: &Timeline, out: &mut dyn Write) -> io::Result<()> {
    let Some((_, inner)) = timeline.hops.split_last() else { return Ok(()) };
    for (times, pair) in inner.iter().zip(hops.windows(2)) {
        let [(_, at), (_, next)] = pair else { continue };
        let next = version::parse(next).map(|version| Minor::of(&version));
        let (Some(_), Some(next)) = (times.workers, next) else { continue };
        let skew = counted(usize::try_from(supported_skew(next)).unwrap_or(2), "minor version");
        writeln!(
            out,
            "the workers are updated at {}: {next} works only with kubelets that are at most {skew} \
             older",
            printable(at)
        )?;
    }
    Ok(())
}

fn write_many(many: Many, out: &mut dyn Write) -> io::Result<()> {
    let Many { runs, seed, p50, p90, p99 } = many;
    let runs = grouped(runs);
    writeln!(
        out,
        "the times below are the middle of each range; of {runs} rollouts with random times (seed \
         {seed}), 50% end within {}, 90% within {}, 99% within {}",
        span(p50),
        span(p90),
        span(p99)
    )
}

fn write_steps(
    times: &HopTimes,
    journey: &Journey,
    version: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let version = printable(version);
    let job = format!("the job version-{version}-* pulls the image and extracts the manifests");
    let (start, applied, control_plane) = (times.start, times.applied, times.control_plane);
    let at_once = [
        "the version is requested: spec.desiredUpdate",
        "the operator finds the release image of the version in the update graph",
        "it verifies the signature of the image",
        &job,
        "it validates the manifests",
        "it checks the preconditions",
        "it accepts the update: status.desired, and a new entry in status.history",
    ];
    let mut rows: Vec<(u64, u64, String)> =
        at_once.iter().map(|text| (start, start, (*text).to_owned())).collect();
    rows.push((start, applied, "it applies the manifests, one run level after the other".into()));
    rows.push((start, start, "early on, the operator replaces itself with the new version".into()));
    let done = format!("the nodes of the control plane update; then the cluster reports {version}");
    rows.push((applied, control_plane, done));
    rows.push(match (times.workers, &journey.workers) {
        (Some((begin, end)), _) if journey.is_paused => {
            (begin, end, "the pool of the workers is no longer paused, and they update".into())
        }
        (Some((begin, end)), _) => (begin, end, "the workers update".into()),
        (None, Some(_)) => {
            (applied, applied, "the workers do not update: their pool is paused".into())
        }
        (None, None) => (applied, applied, "there are no workers to update".into()),
    });
    let spans: Vec<[String; 2]> =
        rows.iter().map(|(from, to, _)| [span(*from), span(*to)]).collect();
    let widest = |at: usize| spans.iter().map(|one| one[at].len()).max().unwrap_or(0).max(4);
    let (first, second) = (widest(0), widest(1));
    writeln!(out, "{:>first$}  {:>second$}  step", "from", "to")?;
    for (number, ([from, to], (begin, end, text))) in (1..).zip(spans.iter().zip(&rows)) {
        let to = if begin == end { "" } else { to };
        writeln!(out, "{from:>first$}  {to:>second$}  {number:>2} {text}")?;
    }
    Ok(())
}
