//! What clusters make of updates that are not as they should be, in words.

use std::fmt::Write;

use crate::analysis::{DropReason, DroppedUpdate, SimulatedChannel};
use crate::rules::{Rule, Severity};

/// The rule that finds the same in a file.
fn rule(how: &DropReason) -> &'static str {
    match how {
        DropReason::AlsoOpen => "edge-beside-conditional",
        DropReason::Twice => "duplicate-conditional",
        DropReason::NoRule(_) => "dropped-target",
        DropReason::NoRelease => "unknown-node",
    }
}

/// How bad it is: as bad as the rule says that finds the same in a file.
pub(super) fn severity(how: &DropReason) -> Severity {
    Rule::find(rule(how)).map_or(Severity::Error, |rule| rule.severity)
}

/// The word for it in JSON.
pub(super) fn kind(how: &DropReason) -> &'static str {
    match how {
        DropReason::AlsoOpen => "edge-and-conditional",
        DropReason::Twice => "conditional-twice",
        DropReason::NoRule(_) => "no-known-rule",
        DropReason::NoRelease => "no-release",
    }
}

/// Updates of a channel that clusters misread alike: how bad it is, the first few, and what
/// becomes of them.
pub(super) fn in_words(channel: &SimulatedChannel) -> Vec<(Severity, String)> {
    let alike = channel.dropped.chunk_by(|a, b| a.how == b.how);
    alike.map(|updates| (severity(&updates[0].how), sentence(updates))).collect()
}

fn sentence(updates: &[DroppedUpdate]) -> String {
    const MOST: usize = 3;
    let arrow = |update: &DroppedUpdate| format!("{} → {}", update.from, update.to);
    let mut which = updates.iter().take(MOST).map(arrow).collect::<Vec<_>>().join(", ");
    if updates.len() > MOST {
        let _ = write!(which, " and {} more", updates.len() - MOST);
    }
    let several = updates.len() > 1;
    let (is, it) = if several { ("are", "them") } else { ("is", "it") };
    match &updates[0].how {
        DropReason::AlsoOpen => format!(
            "{which} {is} conditional and unconditional at once: clusters take {it} as conditional"
        ),
        DropReason::Twice => {
            format!("{which} {is} conditional under two entries: clusters drop {it} altogether")
        }
        DropReason::NoRule(risk) => {
            format!("{which}: {risk} has no rule that clusters know, so they drop {it}")
        }
        DropReason::NoRelease => format!(
            "{which}: the graph has no such release, and clusters at the origin take nothing of it"
        ),
    }
}
