//! A supported release without an exit path.

use crate::analysis::Cause;
use crate::rules::losses::{Loss, alike};
use crate::rules::{Check, Family, Finding, Rule, Severity, Updates};

pub(super) static RULE: Rule = Rule {
    code: "EP720",
    name: "stranded-release",
    aliases: &[],
    family: Family::Graph,
    severity: Severity::Warning,
    summary: "a supported release that is left without an exit path when conditional updates are removed",
    explanation: "\
A conditional update is offered to clusters that none of its risks affects. Clusters
that all of them affect have only the open updates: where these lead nowhere, such
clusters stay where they are, without fixes. Looked at are generally available releases
in stable, fast and eus channels, of minors that still get releases. A warning while
some clusters escape; an error where a risk is `Always`, or no update leads away at all.
Updates that are predicted from the history and uncertain are never an error's cause.",
    bad: "\
fast-4.14:  4.14.1, 4.14.2
4.14.1 -(risks: ExampleRisk)-> 4.14.2",
    good: "\
fast-4.14:  4.14.1, 4.14.2, 4.14.3
4.14.1 -(risks: ExampleRisk)-> 4.14.2
4.14.1 -> 4.14.3",
    check: Check::Standing(check),
};

fn check(updates: &Updates<'_>, findings: &mut Vec<Finding>) {
    // Where nobody knows what a release lists, to say that nothing leads there is idle.
    let told = |loss: &&Loss| loss.is_certain || loss.cause == Cause::Risks;
    for group in alike(updates.losses().iter().filter(told)) {
        let first = group.first;
        let message = group.message();
        let is_error = first.is_for_all && group.is_certain;
        let severity = if is_error { Severity::Error } else { Severity::Warning };
        let about = format!("{} {}", first.goal.name(), group.whom());
        let finding = Finding::on(&RULE, group.place(updates), message)
            .severity(severity)
            .about(about)
            .help(group.help());
        findings.push(finding);
    }
}
