//! A supported release without an exit path.

use crate::analysis::{Simulation, SimulationRequest, StrandedBy};
use crate::domain::version::strip_build;
use crate::domain::{Arch, ArchSet, Named};
use crate::graph::{ChannelId, UpdateGraph};
use crate::rules::{
    Check, Family, Finding, GraphSubject, Place, Properties, Rule, Severity, Stranding, Updates,
};

pub(super) static RULE: Rule = Rule {
    code: "EP720",
    name: "stranded-release",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Warning,
    summary: "a supported release that is left without an exit path when conditional updates are removed",
    explanation: "\
A conditional update is recommended only to clusters that none of its risks affects. The
other clusters have only unconditional updates. If these lead nowhere, the clusters stay
on their release without fixes. The rule checks generally available releases in stable,
fast, and eus channels, of minors that still get releases.

There is one finding for each cause: a risk, or the smallest set of risks that together
strand the releases. The severity is warning, because people declare risks on purpose. It
is error if a release has no updates to other releases even with all risks removed. An
uncertain update, predicted from the history, never causes an error.",
    bad: "\
fast-4.14:  4.14.1, 4.14.2
4.14.1 -(risks: ExampleRisk)-> 4.14.2",
    good: "\
fast-4.14:  4.14.1, 4.14.2, 4.14.3
4.14.1 -(risks: ExampleRisk)-> 4.14.2
4.14.1 -> 4.14.3",
    check: Check::Exits(check, check_graph),
};

fn check(updates: &Updates<'_>, findings: &mut Vec<Finding>) {
    let Some(outlook) = updates.outlook else { return };
    let Some(simulation) = outlook.stranding() else { return };
    for stranding in Stranding::all_of(&simulation) {
        // If the updates of a release are uncertain, a dead end proves nothing.
        if !matches!(stranding.by, StrandedBy::Graph(_)) || stranding.is_certain() {
            findings.push(finding(&stranding, stranding.place(updates.data, |_| false)));
        }
    }
}

/// Checks a graph as the answer to clusters of its channel. A graph does not say how old its
/// releases are, so all of them count as supported.
fn check_graph(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    if subject.graph.faults.iter().any(|fault| !fault.clusters_accept) {
        return;
    }
    let mut graph = UpdateGraph::adopt(subject.graph, Arch::default());
    let is_nameless = graph.channels.is_empty();
    let channel = graph.take_as_answer(subject.stem());
    let channels: Vec<ChannelId> = match channel {
        Some(own) if is_nameless || graph.is_advised(own) => vec![own],
        Some(_) => return,
        None => graph.advised_channels().collect(),
    };
    let architectures: ArchSet = graph
        .graph
        .node_weights()
        .flat_map(|release| Arch::ALL.iter().copied().filter(|arch| release.is_for(*arch)))
        .collect();
    let request = SimulationRequest::of(channels, architectures.iter().collect());
    let simulation = Simulation::of(&graph, &request, &|_, _| true);
    for stranding in Stranding::all_of(&simulation) {
        let newest = stranding.versions().last().copied().unwrap_or_default();
        let mut nodes = subject.graph.nodes.iter().flatten();
        let core = |text: &str| strip_build(text) == strip_build(newest);
        let node = nodes.find(|node| core(&node.version.value));
        let place = node.map_or(Place::File(subject.file.id), |node| node.version.span.into());
        findings.push(finding(&stranding, place));
    }
}

fn finding(stranding: &Stranding<'_>, place: Place) -> Finding {
    const MORE: &str = "see `exitpath simulate`";
    let help = match stranding.help() {
        Some(help) => format!("{help}; {MORE}"),
        None => MORE.to_owned(),
    };
    Finding::on(&RULE, place, stranding.sentence())
        .severity(stranding.severity)
        .about(stranding.about())
        .help(help)
}
