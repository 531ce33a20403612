//! A risk on the last pre-release of a minor, without `fixedIn`.

use std::collections::BTreeMap;

use crate::authoring::RiskIndex;
use crate::domain::Minor;
use crate::graph_data::{BlockedEdge, Channel, GraphData, ReleaseId, tombstones};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Updates, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP227",
    name: "prerelease-risk-without-fix",
    properties: Properties::OF_ONE_RISK_IN_CHANNELS,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a risk on the last pre-release of a minor, without `fixedIn` for the release",
    explanation: "\
A risk that is only on pre-releases does not affect updates to the first generally
available release.
Without `fixedIn`, nobody can tell whether that is on purpose: tools that extend risks
must ask, and whoever reads the files believes that the bug may still be there.

The rule looks at releases in candidate channels. The severity is info if the generally
available release has been there for more than 90 days.",
    bad: "\
blocked-edges/4.14.0-rc.3-ExampleRisk.yaml     to: 4.14.0-rc.3
channels/candidate-4.14.yaml                   4.14.0-rc.3, 4.14.0",
    good: "\
blocked-edges/4.14.0-rc.3-ExampleRisk.yaml     to: 4.14.0-rc.3   fixedIn: 4.14.0
channels/candidate-4.14.yaml                   4.14.0-rc.3, 4.14.0",
    check: Check::Promotions(check),
};

/// The first generally available release of a minor in a candidate channel, and the pre-release
/// before it.
struct CandidateEnd<'a> {
    channel: &'a Channel,
    last: ReleaseId,
    general: ReleaseId,
}

fn check(updates: &Updates<'_>, findings: &mut Vec<Finding>) {
    let data = updates.data;
    let risks = RiskIndex::of(data);
    for end in ends(data) {
        for edge in risks.on.get(&end.last).into_iter().flatten() {
            findings.extend(finding(updates, &risks, &end, edge));
        }
    }
}

fn ends(data: &GraphData) -> Vec<CandidateEnd<'_>> {
    let withdrawn = tombstones(data);
    let mut ends: BTreeMap<Minor, CandidateEnd<'_>> = BTreeMap::new();
    let is_candidate = |channel: &&Channel| {
        channel.public && channel.parts().is_some_and(|parts| parts.phase == "candidate")
    };
    for channel in data.channels.iter().filter(is_candidate) {
        let members = channel.releases.iter().copied().filter(|id| !withdrawn.contains(id));
        let members: Vec<ReleaseId> = members.collect();
        for pair in members.windows(2) {
            let (last, general) = (pair[0], pair[1]);
            let (before, after) = (data.releases.get(last), data.releases.get(general));
            if after.is_general()
                && !before.is_general()
                && data.releases.are_of_one_minor(last, general)
            {
                let minor = Minor::of(&after.version);
                ends.entry(minor).or_insert(CandidateEnd { channel, last, general });
            }
        }
    }
    ends.into_values().collect()
}

fn finding(
    updates: &Updates<'_>,
    risks: &RiskIndex<'_>,
    end: &CandidateEnd<'_>,
    edge: &BlockedEdge,
) -> Option<Finding> {
    let data = updates.data;
    let (name, to) = (edge.name.as_ref()?, edge.to.as_ref()?);
    let general = data.releases.get(end.general);
    // `risk-not-extended` reports risks of generally available releases.
    let is_only_on_prereleases = !risks.general.contains(name.value.as_str());
    let is_ended = risks.fix(edge, Minor::of(&general.version)).is_some();
    if !is_only_on_prereleases || is_ended {
        return None;
    }
    let message = format!(
        "the risk `{}` is on {}, the last pre-release before {}, but no file says whether that fixes it",
        shortened(&name.value),
        shortened(&to.value),
        general.text,
    );
    let finding = Finding::at(&RULE, name.span, message)
        .help(format!("write `fixedIn: {0}`, or also declare the risk for {0}", general.text));
    let is_long_ago = updates.is_long_ago(end.channel, &general.text);
    Some(if is_long_ago { finding.severity(Severity::Info) } else { finding })
}
