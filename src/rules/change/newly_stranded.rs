//! A release that a change leaves without an exit path.

use std::collections::HashSet;

use crate::analysis::Goal;
use crate::rules::losses::{Loss, alike};
use crate::rules::{Change, Check, Family, Finding, Rule, Severity, Updates};

pub(super) static RULE: Rule = Rule {
    code: "EP805",
    name: "newly-stranded",
    aliases: &[],
    family: Family::Change,
    severity: Severity::Error,
    summary: "a supported release that the change leaves without an exit path",
    explanation: "\
Before the change, clusters on the release had a way that no risk closes: to any other
release, to its minor's newest patch, or to the channel's minor. After it they have
none, but for clusters that escape some risk. A newer release that is without the risk,
promoted with it or before it, keeps the way open; where there is none yet, say so in the
pull request, and let the rule be silent for the file. To lose the way to the next minor
only is a warning.

Looked for with `--base` only.",
    bad: "\
before:  4.14.1 -> 4.14.2
after:   4.14.1 -(risks: ExampleRisk)-> 4.14.2, and 4.14.2 is the newest",
    good: "\
after:   4.14.1 -(risks: ExampleRisk)-> 4.14.2, and 4.14.1 -> 4.14.3",
    check: Check::UpdatesChange(check),
};

fn check(change: &Change<'_>, findings: &mut Vec<Finding>) {
    let (before, after) = (change.updates_before, change.updates_after);
    let key = |loss: &'_ Loss| (loss.channel.clone(), loss.version.clone(), loss.goal);
    let known: HashSet<(String, String, Goal)> = before.losses().iter().map(key).collect();
    // What had nowhere to go before has lost nothing.
    let led_on = leading_on(before);
    let is_new = |loss: &&Loss| {
        !known.contains(&key(loss))
            && led_on.contains(&(loss.channel.as_str(), loss.version.as_str()))
    };
    for group in alike(after.losses().iter().filter(|loss| loss.is_certain).filter(is_new)) {
        let message = format!("with this change, {}", group.message());
        let severity = match group.first.goal {
            Goal::Any | Goal::Patch => Severity::Error,
            Goal::Minor => Severity::Warning,
        };
        let finding =
            Finding::on(&RULE, group.place(after), message).severity(severity).help(group.help());
        findings.push(finding);
    }
}

/// The releases from which some update led on in a channel.
fn leading_on<'u>(updates: &'u Updates<'_>) -> HashSet<(&'u str, &'u str)> {
    let Some(outlook) = updates.outlook else { return HashSet::new() };
    let graph = &outlook.graph;
    let mut leading = HashSet::new();
    for edge in graph.graph.raw_edges() {
        if graph.reasons[edge.weight.reason.0 as usize].state == crate::graph::State::Blocked {
            continue;
        }
        let (from, to) = (graph.release(edge.source()), graph.release(edge.target()));
        for channel in from.channels.iter().filter(|channel| to.is_in(**channel)) {
            let name = graph.channels[channel.0 as usize].as_str();
            leading.insert((name, from.text.split('+').next().unwrap_or(&from.text)));
        }
    }
    leading
}
