//! A risk with a name that clusters use for something else.

use crate::graph_data::GraphData;

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP228",
    name: "reserved-risk-name",
    properties: Properties::OF_TEXTS,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a risk with the name of an alert, or of a reason, that clusters report themselves",
    explanation: "\
Newer clusters add risks of their own: for alerts that fire, and for conditions such as an
update in progress. They merge risks by name, so two different risks with one name become
one, and an administrator who accepts one accepts both. Clusters also have reasons of
their own for a target that is not recommended, such as `EvaluationFailed`. A risk with
such a name looks like a failure of the cluster.",
    bad: "name: KubeNodeNotReady",
    good: "name: KubeNodeNotReadyAfterReboot",
    check: Check::Declarations(check),
};

/// Alerts and conditions that clusters report as risks.
const RISKS: [&str; 13] = [
    "ClusterOperatorDown",
    "ClusterVersionOperatorDown",
    "ClusterVersionOverrides",
    "ClusterVersionUpdating",
    "KubeContainerWaiting",
    "KubeNodeNotReady",
    "KubeNodeReadinessFlapping",
    "KubeNodeUnreachable",
    "KubeletHealthState",
    "PodDisruptionBudgetAtLimit",
    "ResourceDeletionInProgress",
    "VMCannotBeEvicted",
    "VirtHandlerDaemonSetRolloutFailing",
];

/// The reasons that clusters themselves write into the condition `Recommended`.
const REASONS: [&str; 6] = [
    "AllExposedRisksAccepted",
    "AsExpected",
    "EvaluationFailed",
    "ExposedToRisks",
    "MultipleReasons",
    "NotExposedToRisks",
];

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for (name, files) in data.declarations_by_risk() {
        let what = if RISKS.contains(&name) {
            "clusters report a risk with this name themselves, and merge the two"
        } else if REASONS.contains(&name) {
            "clusters use this name as a reason of their own, so the risk looks like a failure of the cluster"
        } else {
            continue;
        };
        let mut places = files.iter().filter_map(|edge| edge.name.as_ref());
        let Some(first) = places.next() else { continue };
        let message = format!("the risk name `{}` is taken: {what}", shortened(name));
        let finding = Finding::at(&RULE, first.span, message)
            .grouped(name)
            .help("name the bug in more detail, the same in all files of this risk");
        findings
            .push(places.fold(finding, |finding, name| finding.copy(name.span, "the same name")));
    }
}
