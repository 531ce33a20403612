//! What clusters make of updates that are not as they should be, in words.

use std::fmt::Write;

use crate::analysis::{How, Misread, Simulated};
use crate::rules::{Rule, Severity};

/// The rule that finds the same in a file.
fn rule(how: &How) -> &'static str {
    match how {
        How::OpenToo => "edge-beside-conditional",
        How::Twice => "duplicate-conditional",
        How::NoRule(_) => "dropped-target",
        How::NoRelease => "unknown-node",
    }
}

/// How bad it is: as bad as the rule says that finds the same in a file.
pub(super) fn severity(how: &How) -> Severity {
    Rule::find(rule(how)).map_or(Severity::Error, |rule| rule.severity)
}

/// The word for it in JSON.
pub(super) fn kind(how: &How) -> &'static str {
    match how {
        How::OpenToo => "edge-and-conditional",
        How::Twice => "conditional-twice",
        How::NoRule(_) => "no-known-rule",
        How::NoRelease => "no-release",
    }
}

/// Updates of a channel that clusters misread alike: how bad it is, the first few, and what
/// becomes of them.
pub(super) fn told(channel: &Simulated) -> Vec<(Severity, String)> {
    let alike = channel.misread.chunk_by(|a, b| a.how == b.how);
    alike.map(|updates| (severity(&updates[0].how), sentence(updates))).collect()
}

fn sentence(updates: &[Misread]) -> String {
    const MOST: usize = 3;
    let arrow = |update: &Misread| format!("{} → {}", update.from, update.to);
    let mut which = updates.iter().take(MOST).map(arrow).collect::<Vec<_>>().join(", ");
    if updates.len() > MOST {
        let _ = write!(which, " and {} more", updates.len() - MOST);
    }
    let several = updates.len() > 1;
    let (is, it) = if several { ("are", "them") } else { ("is", "it") };
    match &updates[0].how {
        How::OpenToo => format!(
            "{which} {is} conditional and unconditional at once: clusters take {it} as conditional"
        ),
        How::Twice => {
            format!("{which} {is} conditional under two entries: clusters drop {it} altogether")
        }
        How::NoRule(risk) => {
            format!("{which}: {risk} has no rule that clusters know, so they drop {it}")
        }
        How::NoRelease => format!(
            "{which}: the graph has no such release, and clusters at the origin take nothing of it"
        ),
    }
}
