//! The timeline of a cluster as SVG: a row for updates with the same states at all times, from the
//! retrieval of a change to three hours later. Time is on a logarithmic scale, because seconds and
//! hours matter.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::io;

use crate::cluster::{TIMELINE_LENGTH, Timeline, TimelineStep, UpdateState};

use super::svg::escaped;

const LEFT: i64 = 250;
const WIDTH: i64 = 940;
const ROW: i64 = 34;
const TOP: i64 = 64;
/// More rows are only counted.
const MOST_ROWS: usize = 40;
/// More letters do not fit before a row.
const LONGEST_LABEL: usize = 26;

/// The moment that stands for the time before the retrieval.
const BEFORE: i64 = -1;

/// The moments with a label on the axis, in milliseconds.
const TICKS: &[(i64, &str)] = &[
    (BEFORE, "before"),
    (0, "0"),
    (1_000, "1 s"),
    (10_000, "10 s"),
    (60_000, "1 min"),
    (600_000, "10 min"),
    (3_600_000, "1 h"),
    (TIMELINE_LENGTH, "3 h"),
];

/// The states of an update: since when, and which. None: it is not offered.
type States = Vec<(i64, Option<UpdateState>)>;

pub(crate) fn timeline(
    timeline: &Timeline,
    title: &str,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut text = String::new();
    write_all(timeline, title, &mut text).map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}

fn write_all(timeline: &Timeline, title: &str, out: &mut String) -> fmt::Result {
    let all = rows(timeline);
    let rows = &all[..all.len().min(MOST_ROWS)];
    let count = i64::try_from(rows.len()).unwrap_or_default();
    let height = TOP + (count + 2) * ROW + 40;
    let title = escaped(title);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\">\n\
         <style>svg {{ font: 13px system-ui, sans-serif; background: #fff }} text {{ fill: #1b1b1b }} \
         .axis {{ stroke: #bbb }} .yes {{ fill: #8fcf9f }} .no {{ fill: #f0b27a }} \
         .unknown {{ fill: #cfcfe8 }} .gone {{ fill: #eee }} .asked {{ fill: #0072b2 }} \
         .alert {{ fill: #b3261e }} .bar {{ fill: #1b1b1b }} \
         @media (prefers-color-scheme: dark) {{ svg {{ background: #1b1b1b }} \
         text {{ fill: #eee }} .axis {{ stroke: #555 }} .gone {{ fill: #333 }} }}</style>"
    )?;
    writeln!(out, "<text x=\"12\" y=\"24\" font-weight=\"bold\">{title}</text>")?;
    for (moment, label) in TICKS {
        let at = x(*moment);
        let bottom = height - 20;
        writeln!(
            out,
            "<line class=\"axis\" x1=\"{at}\" x2=\"{at}\" y1=\"{}\" y2=\"{bottom}\"/>",
            TOP - 10
        )?;
        writeln!(out, "<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{label}</text>", TOP - 16)?;
    }
    let mut y = TOP;
    for (states, versions) in rows {
        label(&versions.join(", "), y, out)?;
        let ends = states.iter().skip(1).map(|(at, _)| *at).chain([TIMELINE_LENGTH]);
        for ((start, state), end) in states.iter().zip(ends) {
            span(*start, end, state.as_ref(), y, out)?;
        }
        y += ROW;
    }
    marks(timeline, y, out)?;
    let more = all.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        writeln!(out, "<text x=\"12\" y=\"{}\">and {more} more rows</text>", height - 8)?;
    }
    writeln!(out, "</svg>")
}

/// The questions, and the alert.
fn marks(timeline: &Timeline, y: i64, out: &mut String) -> fmt::Result {
    label("queries asked", y, out)?;
    label("alert", y + ROW, out)?;
    if timeline.fires_before {
        writeln!(out, "<text x=\"{}\" y=\"{}\">fires</text>", x(BEFORE), y + ROW + 17)?;
    }
    for event in &timeline.events {
        let at = x(event.after);
        match &event.what {
            TimelineStep::Asked { risks, .. } => {
                let risks = escaped(&risks.join(", "));
                writeln!(
                    out,
                    "<circle class=\"asked\" cx=\"{at}\" cy=\"{}\" r=\"4\"><title>{risks}</title></circle>",
                    y + 12
                )?;
            }
            TimelineStep::Alert { fires } => {
                let words = if *fires { "fires" } else { "ends" };
                let (top, text) = (y + ROW + 4, y + ROW + 17);
                writeln!(
                    out,
                    "<rect class=\"alert\" x=\"{at}\" y=\"{top}\" width=\"4\" height=\"18\"/>"
                )?;
                writeln!(out, "<text x=\"{}\" y=\"{text}\">{words}</text>", at + 8)?;
            }
            TimelineStep::Changed { .. } => {}
        }
    }
    Ok(())
}

/// Updates with the same states at all times are one row.
fn rows(timeline: &Timeline) -> Vec<(States, Vec<String>)> {
    let mut of_versions: BTreeMap<&str, States> = BTreeMap::new();
    for event in &timeline.events {
        let TimelineStep::Changed { version, from, to } = &event.what else { continue };
        let states = of_versions.entry(version).or_insert_with(|| vec![(BEFORE, from.clone())]);
        match states.last_mut() {
            Some((at, last)) if *at == event.after => last.clone_from(to),
            _ => states.push((event.after, to.clone())),
        }
    }
    let mut rows: Vec<(States, Vec<String>)> = Vec::new();
    for (version, states) in of_versions {
        match rows.iter_mut().find(|(known, _)| *known == states) {
            Some((_, versions)) => versions.push(version.to_owned()),
            None => rows.push((states, vec![version.to_owned()])),
        }
    }
    rows
}

fn span(
    start: i64,
    end: i64,
    state: Option<&UpdateState>,
    y: i64,
    out: &mut String,
) -> fmt::Result {
    let class = match state {
        Some(UpdateState::Recommended) => "yes",
        Some(UpdateState::NotRecommended(_)) => "no",
        Some(UpdateState::Unknown) => "unknown",
        None => "gone",
    };
    let words = state.map_or_else(|| "not offered".to_owned(), UpdateState::in_words);
    let gap = if start < 0 { 6 } else { 0 };
    let (left, width) = (x(start), x(end) - x(start) - gap);
    let title = escaped(&words);
    writeln!(
        out,
        "<rect class=\"{class}\" x=\"{left}\" y=\"{y}\" width=\"{width}\" height=\"24\"><title>{title}</title></rect>"
    )?;
    // About seven pixels a letter.
    let letters = i64::try_from(words.chars().count()).unwrap_or(i64::MAX);
    if letters.saturating_mul(7) < width {
        let at = left + 6;
        writeln!(out, "<text class=\"bar\" x=\"{at}\" y=\"{}\">{title}</text>", y + 16)?;
    }
    Ok(())
}

fn label(text: &str, y: i64, out: &mut String) -> fmt::Result {
    let is_long = text.chars().count() > LONGEST_LABEL;
    let short: String = text.chars().take(LONGEST_LABEL - 1).collect();
    let shown = if is_long { format!("{short}…") } else { text.to_owned() };
    let (shown, text) = (escaped(&shown), escaped(text));
    writeln!(out, "<text x=\"12\" y=\"{}\">{shown}<title>{text}</title></text>", y + 16)
}

/// The place of a moment: a tenth of a second is as wide as ten of them.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "they are pixels")]
fn x(moment: i64) -> i64 {
    let scaled = |moment: i64| (1.0 + moment as f64 / 300.0).ln();
    if moment < 0 {
        return LEFT - 50;
    }
    let share = scaled(moment.clamp(0, TIMELINE_LENGTH)) / scaled(TIMELINE_LENGTH);
    LEFT + ((WIDTH - LEFT - 30) as f64 * share) as i64
}
