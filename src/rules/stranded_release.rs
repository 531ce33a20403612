//! A supported release without an exit path.

use crate::analysis::Cause;
use crate::graph::Declaration;

use super::losses::{Alike, alike};
use super::{Check, Family, Finding, Place, Rule, Severity, Updates};

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
    let told = |loss: &&super::losses::Loss| loss.is_certain || loss.cause == Cause::Risks;
    for group in alike(updates.losses().iter().filter(told)) {
        let first = group.first;
        let message = group.message();
        let is_error = first.is_for_all && group.is_certain;
        let severity = if is_error { Severity::Error } else { Severity::Warning };
        let about = format!("{} {}", first.goal.name(), group.whom());
        let finding = Finding::on(&RULE, place(updates, &group), message)
            .severity(severity)
            .about(about)
            .help(group.help());
        findings.push(finding);
    }
}

/// Where the blame lies: the declaration of a risk that strands the release, on its newest exit
/// or else anywhere; or the release itself, in its channel.
pub(super) fn place(updates: &Updates<'_>, group: &Alike<'_>) -> Place {
    let declarations = updates.outlook.map_or(&[][..], |outlook| &outlook.graph.declarations);
    let blamed = group.first.sets.first().map_or(&[][..], Vec::as_slice);
    let is_blamed = |declaration: &&Declaration| {
        declaration.name.as_ref().is_some_and(|name| blamed.iter().any(|one| **one == **name))
    };
    let own = group.first.declarations.iter().filter_map(|id| declarations.get(id.0 as usize));
    let anywhere = || declarations.iter().rev().find(is_blamed);
    let found = match group.first.cause {
        Cause::Graph => own.clone().next(),
        Cause::Risks => own.clone().find(is_blamed).or_else(anywhere),
    };
    if let Some(declaration) = found {
        return Place::Text(declaration.to);
    }
    let channel = updates
        .data
        .channels
        .iter()
        .find(|channel| channel.public && channel.name() == group.first.channel);
    let member = channel.and_then(|channel| {
        channel.versions.iter().find(|member| member.text.value == group.first.version)
    });
    match (member, channel) {
        (Some(member), _) => Place::Text(member.text.span),
        (None, Some(channel)) => Place::File(channel.file),
        (None, None) => Place::Absent(format!("channels/{}.yaml", group.first.channel)),
    }
}
