//! What a cluster does after a change, and when.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::cluster::{
    OPERATOR_ASKS, SERVICE_READS, Timeline, TimelineEvent, TimelineStep, UpdateState,
};
use crate::domain::{Format, HashSet};
use crate::report::Style;
use crate::report::json::write_json_line;
use crate::report::printed::{Printed, Writer};
use crate::report::wrapped;
use crate::text::printable;
use crate::text::words::listed;

/// The timeline of a cluster.
#[derive(Debug)]
pub(crate) struct TimelineReport<'t> {
    pub timeline: &'t Timeline,
    pub release: &'t str,
    pub channel: &'t str,
}

impl Printed for TimelineReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => {
                |report, style, out| wrapped(style, out, |out| human(report, style, out))
            }
            Format::Json => |report, _, out| write_json_line(&document(report), out),
            _ => return None,
        };
        Some(writer)
    }
}

impl TimelineReport<'_> {
    pub(crate) fn title(&self) -> String {
        format!("A cluster with {} in {}", printable(self.release), printable(self.channel))
    }
}

/// The latest moment at which an operator has retrieved a change, after it is merged.
const LATEST: i64 = SERVICE_READS + 2 * OPERATOR_ASKS;

/// Questions in a row, and the changes at one moment, are one line.
struct TimelineLine {
    from: i64,
    to: i64,
    text: String,
}

fn human(report: &TimelineReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let timeline = report.timeline;
    writeln!(out, "{}\n", style.bold(&report.title()))?;
    let (service, latest) = (moment(SERVICE_READS), moment(LATEST));
    writeln!(out, "  0:00:00     the change is merged")?;
    writeln!(out, "  by {service}  the update service has read it; it reads every 5 minutes")?;
    writeln!(
        out,
        "  by {latest}  the operator has asked the service; it asks every 2 to 4 minutes"
    )?;
    let title = "From the moment at which the operator has the change";
    writeln!(out, "\n{}\n", style.bold(title))?;
    if timeline.fires_before {
        writeln!(out, "  before   the alert CannotEvaluateConditionalUpdates fires already")?;
    }
    if timeline.events.iter().all(|event| matches!(event.what, TimelineStep::Asked { .. })) {
        writeln!(out, "  Nothing changes for this cluster in three hours.")?;
    }
    let lines = lines(&of_the_change(&timeline.events));
    for TimelineLine { from, to, text } in &lines {
        let when = if from == to {
            moment(*from)
        } else {
            format!("{} to {}", moment(*from), moment(*to))
        };
        writeln!(out, "  {when}  {text}")?;
    }
    let cannot_tell = |event: &TimelineEvent| {
        matches!(event.what, TimelineStep::Changed { to: Some(UpdateState::Unknown), .. })
    };
    if timeline.events.iter().any(cannot_tell) {
        writeln!(
            out,
            "\nA query that fails is asked again after an hour. A repair of the repository takes as long as \
             the change: up to {latest}."
        )?;
    }
    if timeline.is_slow {
        writeln!(
            out,
            "\nOperators before 4.14 ask one query in ten minutes. That is known from descriptions of \
             maintainers only."
        )?;
    }
    Ok(())
}

/// `1:02:03`
fn moment(milliseconds: i64) -> String {
    let seconds = milliseconds / 1000;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn lines(events: &[TimelineEvent]) -> Vec<TimelineLine> {
    let mut lines: Vec<TimelineLine> = Vec::new();
    let mut rest = events;
    while let Some(first) = rest.first() {
        let is_like = |event: &&TimelineEvent| is_in_line(first, event);
        let group = rest.iter().take_while(is_like).count().max(1);
        let (group, others) = rest.split_at(group);
        let to = group.last().map_or(first.after, |last| last.after);
        lines.push(TimelineLine { from: first.after, to, text: in_words(group) });
        rest = others;
    }
    lines
}

/// The events without the questions that the operator repeats anyway.
fn of_the_change(events: &[TimelineEvent]) -> Vec<TimelineEvent> {
    let mut new: HashSet<&[String]> = HashSet::default();
    for event in events {
        if let TimelineStep::Asked { risks, is_again: false } = &event.what {
            new.insert(risks);
        }
    }
    let is_new = |event: &&TimelineEvent| match &event.what {
        TimelineStep::Asked { risks, .. } => new.contains(risks.as_slice()),
        _ => true,
    };
    events.iter().filter(is_new).cloned().collect()
}

fn is_in_line(first: &TimelineEvent, event: &TimelineEvent) -> bool {
    match (&first.what, &event.what) {
        (TimelineStep::Asked { is_again: a, .. }, TimelineStep::Asked { is_again: b, .. }) => {
            a == b
        }
        (
            TimelineStep::Changed { from, to, .. },
            TimelineStep::Changed { from: other_from, to: other_to, .. },
        ) => (first.after, from, to) == (event.after, other_from, other_to),
        _ => false,
    }
}

/// Events that are alike.
fn in_words(group: &[TimelineEvent]) -> String {
    let Some(first) = group.first() else { return String::new() };
    match &first.what {
        TimelineStep::Asked { is_again, .. } => {
            let mut names: Vec<&str> = Vec::new();
            for event in group {
                let TimelineStep::Asked { risks, .. } = &event.what else { continue };
                for risk in risks {
                    if !names.contains(&risk.as_str()) {
                        names.push(risk);
                    }
                }
            }
            let names: Vec<_> = names.into_iter().map(printable).collect();
            let again = if *is_again { " again" } else { "" };
            format!("the operator asks{again} about {}", listed(&names, "and"))
        }
        TimelineStep::Changed { from, to, .. } => {
            let versions = group.iter().filter_map(|event| match &event.what {
                TimelineStep::Changed { version, .. } => Some(printable(version)),
                _ => None,
            });
            let versions: Vec<_> = versions.collect();
            let words = |state: &Option<UpdateState>| match state {
                Some(state) => printable(&state.in_words()).into_owned(),
                None => "not offered".to_owned(),
            };
            format!("{}: {}, before {}", listed(&versions, "and"), words(to), words(from))
        }
        TimelineStep::Alert { fires: true } => {
            "the alert CannotEvaluateConditionalUpdates fires".to_owned()
        }
        TimelineStep::Alert { fires: false } => {
            "the alert CannotEvaluateConditionalUpdates ends".to_owned()
        }
    }
}

fn document(report: &TimelineReport<'_>) -> Json {
    let TimelineReport { timeline, release, channel } = report;
    let state = |state: &Option<UpdateState>| state.as_ref().map(UpdateState::in_words);
    let event = |event: &TimelineEvent| {
        let seconds = event.after / 1000;
        match &event.what {
            TimelineStep::Asked { risks, is_again } => {
                json!({ "after": seconds, "event": "asked", "risks": risks, "again": is_again })
            }
            TimelineStep::Changed { version, from, to } => json!({
                "after": seconds, "event": "changed", "version": version,
                "from": state(from), "to": state(to),
            }),
            TimelineStep::Alert { fires } => {
                json!({ "after": seconds, "event": "alert", "fires": fires })
            }
        }
    };
    json!({
        "version": 1,
        "release": release,
        "channel": channel,
        "service_within": SERVICE_READS / 1000,
        "operator_within": LATEST / 1000,
        "alert_before": timeline.fires_before,
        "known_from_descriptions_only": timeline.is_slow,
        "events": timeline.events.iter().map(event).collect::<Vec<_>>(),
    })
}
