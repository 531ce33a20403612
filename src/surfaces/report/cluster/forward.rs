//! Why no update is recommended, for each minor version that the cluster may be updated to, and
//! what would change that.

use std::io::{self, Write};

use crate::cluster::object::Condition;
use crate::cluster::{ForwardState, InCluster, MinorOutlook};
use crate::domain::ChannelName;
use crate::domain::channel_name::is_for_tests;
use crate::report::{Style, write_line};
use crate::text::printable;
use crate::text::words::{listed, quoted, releases};

use super::ClusterReport;

/// Writes what holds the updates to each minor version.
pub(super) fn write(
    report: &ClusterReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for forward in report.forward {
        let line = format!("  {}", in_words(report, forward));
        write_line(style, &printable(&line), 2, out)?;
    }
    Ok(())
}

/// Writes how to get further than the channel leads, even if updates are recommended.
pub(super) fn write_next(
    report: &ClusterReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for forward in report.forward.iter().filter(|forward| has_other_path(forward)) {
        writeln!(out)?;
        write_line(style, &printable(&in_words(report, forward)), 2, out)?;
    }
    Ok(())
}

/// Whether another channel or another release leads to a minor version.
fn has_other_path(forward: &MinorOutlook) -> bool {
    match &forward.state {
        ForwardState::NotInChannel { others } => !others.is_empty(),
        ForwardState::NoUpdate { .. } => !forward.is_own,
        _ => false,
    }
}

/// What holds the updates, in a sentence or two.
fn in_words(report: &ClusterReport<'_>, forward: &MinorOutlook) -> String {
    let running = &report.cluster.status.desired.version;
    let channel = &report.cluster.spec.channel;
    let minor = forward.minor;
    match &forward.state {
        ForwardState::Recommended => format!("{minor}: an update is recommended."),
        ForwardState::Newest => {
            format!("{minor}: {running} is the newest {minor} release in {channel}.")
        }
        ForwardState::NotInChannel { others } => match preferred(channel, others) {
            Some(other) => format!(
                "{minor}: {channel} has no later minor version. {running} is also in {}: to ask \
                 there, `oc adm upgrade channel {other}`.",
                listed(others, "and")
            ),
            None if !others.is_empty() => format!(
                "{minor}: {channel} has no later minor version. {running} is also in {}, for tests \
                 only.",
                listed(others, "and")
            ),
            None => format!(
                "{minor}: {channel} has no later minor version, and neither has another channel \
                 with {running}."
            ),
        },
        ForwardState::NoUpdate { newest, after: Some(after) } => format!(
            "{minor}: {channel} has {newest}, but no update leads from {running} to {minor}. \
             Update to {after} first, which has one."
        ),
        ForwardState::NoUpdate { newest, after: None } => {
            format!("{minor}: {channel} has {newest}, but no update leads there from {running}.")
        }
        ForwardState::Held { targets, risks, is_unknown } => {
            let targets: Vec<&str> = targets.iter().rev().map(String::as_str).collect();
            let (targets, risks) = (releases(&targets), listed(&quoted(risks), "and"));
            if *is_unknown {
                format!("{minor}: the cluster cannot tell whether {risks} apply to it: {targets}.")
            } else {
                format!("{minor}: {risks} hold{} {targets}.", s(&risks))
            }
        }
    }
}

/// The ending of the verb: one risk holds, but several risks hold.
fn s(risks: &str) -> &'static str {
    if risks.matches('`').count() > 2 { "" } else { "s" }
}

/// The channel with the same phase, or else the first supported one.
fn preferred<'o>(channel: &str, others: &'o [String]) -> Option<&'o str> {
    let phase = |name: &str| ChannelName::parse(name).map(|it| it.phase.to_owned());
    let same = others.iter().find(|other| phase(other) == phase(channel));
    let supported = || others.iter().find(|other| !is_for_tests(other));
    same.or_else(supported).map(String::as_str)
}

/// Writes why the operator refuses updates to later minor versions, and what would change that.
pub(super) fn write_refusal(
    condition: &Condition,
    forward: &MinorOutlook,
    inside: &InCluster,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let line = format!(
        "The operator takes no update to {}: Upgradeable=False, {}.",
        forward.minor,
        printable(&condition.reason)
    );
    write_line(style, &line, 2, out)?;
    for line in condition.message.lines().filter(|line| !line.trim().is_empty()) {
        write_line(style, &format!("  {}", printable(line.trim())), 4, out)?;
    }
    write_remedy(condition, inside, out)
}

/// Writes what makes the operator accept updates to later minor versions.
pub(crate) fn write_remedy(
    condition: &Condition,
    inside: &InCluster,
    out: &mut dyn Write,
) -> io::Result<()> {
    let remedies = remedies(condition, inside);
    for remedy in &remedies {
        writeln!(out, "  {}", printable(remedy))?;
    }
    Ok(())
}

fn remedies(condition: &Condition, inside: &InCluster) -> Vec<String> {
    let mut found = Vec::new();
    let speaks_of = |text: &str| !text.is_empty() && condition.message.contains(text);
    for (gate, text) in inside.admin_gates.iter().filter(|(_, text)| speaks_of(text)) {
        found.push(format!(
            "After reading that (it begins with \"{}\"), acknowledge it: oc -n openshift-config \
             patch configmap admin-acks --type=merge --patch '{{\"data\":{{\"{gate}\":\"true\"}}}}'",
            text.chars().take(40).collect::<String>()
        ));
    }
    let names = inside.blocking_operators();
    if !names.is_empty() {
        found.push(format!("Make Upgradeable of {} true.", listed(&names, "and")));
    }
    let is_about = |text: &str| condition.reason.contains(text) || condition.message.contains(text);
    if is_about("Kubelet") {
        found.push(match inside.paused_pools.as_slice() {
            [] => "Update the nodes first: their pools must not be paused.".to_owned(),
            pools => format!("Update the nodes first: unpause {}.", listed(&quoted(pools), "and")),
        });
    }
    if is_about("ClusterVersionOverrides") || is_about("cluster version overrides") {
        found.push("Remove spec.overrides of the ClusterVersion first.".to_owned());
    }
    if is_about("already in progress") {
        found.push("Wait until the update that is in progress is complete.".to_owned());
    }
    if found.is_empty() {
        found.push(
            "Patch updates are taken all the same. `oc get clusteroperators` says what holds \
             minor updates."
                .to_owned(),
        );
    }
    found
}
