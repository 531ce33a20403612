//! Phrases about operators.

use crate::bridge::{Arrival, Ending, Outcome, Stage, Step, Stop};
use crate::catalog::openshift_limit::OpenShiftLimit;
use crate::report::catalog::why_in_words;

/// The limit in words, to follow the name of an operator.
pub(super) fn limit_in_words(limit: Option<&OpenShiftLimit>) -> String {
    match limit {
        None => "how far it supports OpenShift is not known".to_owned(),
        Some(OpenShiftLimit::Absent) => "it has no limit".to_owned(),
        Some(OpenShiftLimit::UpTo(last)) => format!("it supports OpenShift up to {last}"),
        Some(OpenShiftLimit::Invalid(why)) => format!("OLM cannot read its limit: {why}"),
    }
}

/// What can be done about an operator, in lines.
pub(super) fn outcome_in_words(outcome: &Outcome<'_>, stages: &[Stage<'_>]) -> Vec<String> {
    match outcome {
        Outcome::Reached(steps) => numbered(steps, stages),
        Outcome::Stopped(stop) => {
            let mut lines = numbered(&stop.steps, stages);
            lines.push(stop_in_words(stop, stages));
            if let Some(steps) = &stop.with_switch {
                lines.push("it works with another channel:".to_owned());
                lines.extend(numbered(steps, stages).iter().map(|line| format!("  {line}")));
            }
            lines
        }
    }
}

pub(super) fn stop_in_words(stop: &Stop<'_>, stages: &[Stage<'_>]) -> String {
    let minor = minor(stages, stop.stage);
    let next = minor_after(stages, stop.stage);
    let unreached = match stop.unreached {
        Some(name) => format!("; the channel has {name}, but updates do not lead there"),
        None => String::new(),
    };
    let why = ending_in_words(&stop.ending, &minor);
    let is_updated = stop.steps.iter().any(|step| matches!(step, Step::Update { .. }));
    let (last, limit) = (stop.last, limit_in_words(stop.limit));
    let about = if is_updated { format!(" ({limit})") } else { String::new() };
    format!(
        "no update lets the cluster go on from {minor} to {next}: the last is {last}{about}, and \
         {why}{unreached}"
    )
}

fn ending_in_words(ending: &Ending<'_>, minor: &str) -> String {
    match ending {
        Ending::NoCatalog => {
            format!("the catalog of {minor} is not given: name it, as in `{minor}=DIR`")
        }
        Ending::NoPackage => format!("the catalog of {minor} does not have the package"),
        Ending::NoChannel => format!("the catalog of {minor} does not have the channel"),
        Ending::Unlisted => "no channel of the given catalogs has or updates it".to_owned(),
        Ending::Head => "it is the head of the channel".to_owned(),
        Ending::Stuck(why) => format!("it is stuck: {}", why_in_words(why)),
        Ending::Circle => "updates go round in a circle".to_owned(),
    }
}

/// The steps as a numbered list. Consecutive updates of the operator share a line.
fn numbered(steps: &[Step<'_>], stages: &[Stage<'_>]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_row = false;
    for step in steps {
        match step {
            Step::Update { to, .. } if is_row => {
                if let Some(line) = lines.last_mut() {
                    line.push_str(" → ");
                    line.push_str(to);
                }
            }
            other => lines.push(step_in_words(other, stages)),
        }
        is_row = matches!(step, Step::Update { .. });
    }
    (1..).zip(lines).map(|(number, line)| format!("{number}. {line}")).collect()
}

fn step_in_words(step: &Step<'_>, stages: &[Stage<'_>]) -> String {
    match step {
        Step::Switch { stage, from, to } => {
            format!("on {}, switch from channel {from} to {to}", minor(stages, *stage))
        }
        Step::Update { stage, from, to } => {
            format!("on {}, update {from} → {to}", minor(stages, *stage))
        }
        Step::Cluster { stage, with, arrival } => {
            let next = minor_after(stages, *stage);
            let arrival = arrival_in_words(*arrival, with);
            let arrival = arrival.map(|words| format!(": {words}")).unwrap_or_default();
            format!("update the cluster to {next}{arrival}")
        }
    }
}

fn arrival_in_words(arrival: Arrival<'_>, with: &str) -> Option<String> {
    match arrival {
        Arrival::NoCatalog => None,
        Arrival::Entry => Some(format!("its catalog has {with} too")),
        Arrival::UpdatedTo(next) => Some(format!("its catalog updates {with} to {next}")),
        bad => bad_arrival_in_words(bad, with),
    }
}

/// What is wrong with the next catalog. None if it has a path for the operator, or if it is
/// unknown.
pub(super) fn bad_arrival_in_words(arrival: Arrival<'_>, with: &str) -> Option<String> {
    match arrival {
        Arrival::NoCatalog | Arrival::Entry | Arrival::UpdatedTo(_) => None,
        Arrival::NoPackage => Some(format!("its catalog does not have the package of {with}")),
        Arrival::NoChannel => Some(format!("its catalog does not have the channel of {with}")),
        Arrival::NoUpdate => Some(format!("its catalog neither has nor updates {with}")),
    }
}

pub(super) fn minor(stages: &[Stage<'_>], stage: usize) -> String {
    stages.get(stage).map(|stage| stage.minor.to_string()).unwrap_or_default()
}

pub(super) fn minor_after(stages: &[Stage<'_>], stage: usize) -> String {
    minor(stages, stage + 1)
}
