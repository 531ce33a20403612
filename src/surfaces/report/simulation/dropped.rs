//! Sentences about updates that clusters drop or treat differently than written.

use std::fmt::Write;

use crate::analysis::{DropReason, DroppedUpdate, SimulatedChannel};
use crate::rules::{Rule, Severity};
use crate::text::words::grouped;

/// The rule that reports the same problem in a file.
fn rule_name(how: &DropReason) -> &'static str {
    match how {
        DropReason::AlsoOpen => "edge-beside-conditional",
        DropReason::Twice => "duplicate-conditional",
        DropReason::NoRule(_) => "dropped-target",
        DropReason::NoRelease => "unknown-node",
    }
}

/// The severity of the rule that reports the same problem in a file.
pub(super) fn severity(how: &DropReason) -> Severity {
    Rule::find(rule_name(how)).map_or(Severity::Error, |rule| rule.severity)
}

/// The `kind` in JSON.
pub(super) fn kind(how: &DropReason) -> &'static str {
    match how {
        DropReason::AlsoOpen => "edge-and-conditional",
        DropReason::Twice => "conditional-twice",
        DropReason::NoRule(_) => "no-known-rule",
        DropReason::NoRelease => "no-release",
    }
}

/// One sentence for each reason: the first few updates, and what clusters do with them.
pub(super) fn sentences(channel: &SimulatedChannel) -> Vec<(Severity, String)> {
    let groups = channel.dropped.chunk_by(|a, b| a.how == b.how);
    groups.map(|updates| (severity(&updates[0].how), sentence(updates))).collect()
}

fn sentence(updates: &[DroppedUpdate]) -> String {
    const MOST: usize = 3;
    let arrow = |update: &DroppedUpdate| format!("{} → {}", update.from, update.to);
    let mut list = updates.iter().take(MOST).map(arrow).collect::<Vec<_>>().join(", ");
    if updates.len() > MOST {
        let _ = write!(list, " and {} more", grouped(updates.len() - MOST));
    }
    let several = updates.len() > 1;
    let (is, it) = if several { ("are", "them") } else { ("is", "it") };
    match &updates[0].how {
        DropReason::AlsoOpen => format!(
            "{list} {is} conditional and unconditional at once: clusters take {it} as conditional"
        ),
        DropReason::Twice => {
            format!("{list} {is} conditional under two entries: clusters drop {it}")
        }
        DropReason::NoRule(risk) => {
            format!("{list}: {risk} has no rule that clusters know, so they drop {it}")
        }
        DropReason::NoRelease => format!(
            "{list}: the graph does not contain the target, so clusters at the origin reject the whole graph"
        ),
    }
}
