//! A risk that ends silently.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::shared::fixed_in_version;
use crate::graph_data::{BlockedEdge, Channel, GraphData, Minor, ReleaseId, tombstones};
use crate::rules::shared::words::{few_of, ranges};
use crate::rules::{Check, Family, Finding, Place, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP220",
    name: "risk-not-extended",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a risk that is not declared for the next release and has no `fixedIn` for it",
    explanation: "\
A bug stays until it is fixed. A risk on 4.14.3 must also be on 4.14.4, or its file for
4.14.3 must say `fixedIn: 4.14.4`. Otherwise, clusters are offered 4.14.4 without a
warning, and the bot that promotes releases stops at it. The rule checks each public
channel and ignores tombstones. Risks that are only on pre-releases end with general
availability.

The severity is info if several releases of the minor have followed, and error if a
change introduces the problem.",
    bad: "\
blocked-edges/4.14.3-ExampleRisk.yaml     to: 4.14.3
channels/candidate-4.14.yaml              4.14.3, 4.14.4",
    good: "\
blocked-edges/4.14.3-ExampleRisk.yaml     to: 4.14.3   fixedIn: 4.14.4
channels/candidate-4.14.yaml              4.14.3, 4.14.4",
    check: Check::Repository(check),
};

/// So many missing files are told one by one.
const FEW: usize = 12;
/// So many generally available releases later, nobody will come back to it.
const LONG_PAST: usize = 4;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let risks = Risks::of(data);
    let withdrawn = tombstones(data);
    let mut ends: BTreeMap<(&str, ReleaseId), End<'_>> = BTreeMap::new();
    for channel in data.channels.iter().filter(|channel| channel.public) {
        for (release, next) in successions(data, channel, &withdrawn) {
            for edge in risks.on.get(&release).into_iter().flatten() {
                let Some(name) = &edge.name else { continue };
                if risks.ends_well(data, edge, next) {
                    continue;
                }
                let end = ends.entry((&name.value, release));
                let end = end.or_insert_with(|| End { edge, next, channels: Vec::new() });
                end.next = end.next.min(next);
                end.channels.push(channel.name());
            }
        }
    }
    findings.extend(ends.into_values().filter_map(|end| finding(data, &risks, &withdrawn, &end)));
}

/// The declarations by target, and what is known of each risk.
struct Risks<'a> {
    on: HashMap<ReleaseId, Vec<&'a BlockedEdge>>,
    /// The risks that have a generally available target.
    general: BTreeSet<&'a str>,
}

/// Where a risk ends.
struct End<'a> {
    edge: &'a BlockedEdge,
    next: ReleaseId,
    channels: Vec<&'a str>,
}

impl<'a> Risks<'a> {
    fn of(data: &'a GraphData) -> Self {
        let mut risks = Self { on: HashMap::new(), general: BTreeSet::new() };
        for edge in &data.blocked_edges {
            let (Some(name), Some(target)) = (&edge.name, &edge.target) else { continue };
            if target.pre.is_empty() {
                risks.general.insert(&name.value);
            }
            if let Some(release) = data.releases.find(target) {
                risks.on.entry(release).or_default().push(edge);
            }
        }
        risks
    }

    fn is_on(&self, name: &str, release: ReleaseId) -> bool {
        let on = self.on.get(&release).into_iter().flatten();
        on.filter_map(|edge| edge.name.as_ref()).any(|other| other.value == name)
    }

    /// Whether a declaration goes on with the next release, or says why it does not.
    fn ends_well(&self, data: &GraphData, edge: &BlockedEdge, next: ReleaseId) -> bool {
        let Some(name) = &edge.name else { return true };
        let next_version = &data.releases.get(next).version;
        let is_fixed = fixed_in_version(edge).is_some_and(|fixed| {
            Minor::of(&fixed) == Minor::of(next_version) && fixed <= *next_version
        });
        let is_about_prereleases =
            !self.general.contains(name.value.as_str()) && next_version.pre.is_empty();
        is_fixed || is_about_prereleases || self.is_on(&name.value, next)
    }
}

/// Each release of a channel with the next of its minor.
fn successions(
    data: &GraphData,
    channel: &Channel,
    withdrawn: &BTreeSet<ReleaseId>,
) -> Vec<(ReleaseId, ReleaseId)> {
    let members = channel.releases.iter().copied();
    let members: Vec<ReleaseId> = members.filter(|id| !withdrawn.contains(id)).collect();
    let minor = |id: ReleaseId| Minor::of(&data.releases.get(id).version);
    let pairs = members.windows(2).map(|pair| (pair[0], pair[1]));
    pairs.filter(|(release, next)| minor(*release) == minor(*next)).collect()
}

fn finding(
    data: &GraphData,
    risks: &Risks<'_>,
    withdrawn: &BTreeSet<ReleaseId>,
    end: &End<'_>,
) -> Option<Finding> {
    let (name, to) = (end.edge.name.as_ref()?, end.edge.to.as_ref()?);
    let (without, goes_on) = left_without(data, risks, withdrawn, end);
    // A file that is there and cannot be understood has a finding of its own.
    let path_for = |id: ReleaseId| {
        data.path(end.edge.file).replacen(&to.value, &data.releases.get(id).text, 1)
    };
    let expected = path_for(end.next);
    if data.at_path(&expected).is_some() {
        return None;
    }
    let next = &data.releases.get(end.next).text;
    let quoted = shortened(&name.value);
    let channels = few_of(end.channels.iter().map(|name| format!("`{name}`")).collect());
    let why = match &end.edge.fixed_in {
        Some(fixed) => format!("`fixedIn` says {}", shortened(&fixed.value)),
        None => "there is no `fixedIn`".to_owned(),
    };
    let message = format!(
        "the risk `{quoted}` is on {} but not on {next}, the next release in {channels}, and {why}",
        shortened(&to.value),
    );
    let general = without.iter().filter(|id| data.releases.get(**id).is_general()).count();
    let severity = if general > LONG_PAST { Severity::Info } else { RULE.severity };
    let reason = match &end.edge.auto_extend {
        Some(why) => format!(" (`autoExtend` says: {})", shortened(&why.value)),
        None => String::new(),
    };
    let missing = ranges(data, &without);
    let help = if goes_on {
        format!("also declare it for {missing}{reason}: it is declared again after that")
    } else {
        format!(
            "if the bug is still in {next}, also declare it for {missing}{reason}; otherwise write `fixedIn: {next}` here"
        )
    };
    let mut finding = Finding::at(&RULE, name.span, message)
        .about(format!("{} {next}", name.value))
        .severity(severity)
        .when_new(Severity::Error)
        .help(help);
    // The files that are missing, as long as they can be told one by one.
    for id in without.iter().filter(|_| without.len() <= FEW) {
        let place = Place::Absent(path_for(*id));
        let release = &data.releases.get(*id).text;
        finding = finding.related(place, format!("missing if {release} has the risk"));
    }
    Some(finding)
}

/// The releases from the next one on that are without the risk, up to where it is fixed, or
/// declared again; and whether it is.
fn left_without(
    data: &GraphData,
    risks: &Risks<'_>,
    withdrawn: &BTreeSet<ReleaseId>,
    end: &End<'_>,
) -> (Vec<ReleaseId>, bool) {
    let fixed = fixed_in_version(end.edge);
    let name = end.edge.name.as_ref().map_or("", |name| &name.value);
    let minor = Minor::of(&data.releases.get(end.next).version);
    let later = data.releases.of_minor(minor).filter(|id| *id >= end.next);
    let mut without = Vec::new();
    for id in later.filter(|id| !withdrawn.contains(id)) {
        let version = &data.releases.get(id).version;
        if risks.is_on(name, id) {
            return (without, true);
        }
        if fixed.as_ref().is_some_and(|fixed| version >= fixed) {
            break;
        }
        without.push(id);
    }
    (without, false)
}
