//! ! A risk that later releases of its minor lack, although no file says that it is fixed.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{HashMap, Minor, is_general};
use crate::graph_data::{BlockedEdge, Channel, GraphData, Member, ReleaseId, tombstones};
use crate::rules::shared::words::ranges;
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, shortened};
use crate::text::words::{listed, quoted};

use super::shared::RiskIndex;

pub(super) static RULE: Rule = Rule {
    code: "EP220",
    name: "risk-not-extended",
    properties: Properties::USUAL,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a risk that is not declared for the next release and has no `fixedIn` for it",
    explanation: "\
A bug stays until it is fixed. A risk on 4.14.3 must also be on 4.14.4, or its file for
4.14.3 must say `fixedIn: 4.14.4`. Otherwise, clusters are offered 4.14.4 without a
warning, and the bot that promotes releases stops at it. The rule checks each public
channel. A tombstone in a public channel needs the risks, too: clusters there get it. If a channel skips the last release with the risk, the
file of that release can have the `fixedIn`. A risk that is only on pre-releases does not
need to be extended to GA releases.

The severity is info if the minor already has several newer releases, and error if a
change introduces the problem. For a tombstone it is info, and a warning if it is new.",
    bad: "\
blocked-edges/4.14.3-ExampleRisk.yaml     to: 4.14.3
channels/candidate-4.14.yaml              4.14.3, 4.14.4",
    good: "\
blocked-edges/4.14.3-ExampleRisk.yaml     to: 4.14.3   fixedIn: 4.14.4
channels/candidate-4.14.yaml              4.14.3, 4.14.4",
    check: Check::Repository(check),
};

/// The most missing files that a message lists.
const FEW: usize = 12;
/// If the minor has this many more generally available releases, nobody will extend the risk.
const LONG_PAST: usize = 4;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let risks = RiskIndex::of(data);
    let withdrawn = tombstones(data);
    let mut missing: BTreeMap<(&str, ReleaseId), MissingExtension<'_>> = BTreeMap::new();
    // For each release, the oldest successor comes first.
    for ((release, next), channels) in successions(data, &risks, &withdrawn) {
        for edge in risks.on.get(&release).into_iter().flatten() {
            let Some(name) = &edge.name else { continue };
            if is_extended_or_done(data, &risks, edge, next) {
                continue;
            }
            let gap = missing.entry((&name.value, release));
            let gap = gap.or_insert_with(|| MissingExtension { edge, next, channels: Vec::new() });
            gap.channels.extend(&channels);
        }
    }
    findings
        .extend(missing.into_values().filter_map(|gap| finding(data, &risks, &withdrawn, &gap)));
    findings.extend(served_tombstones(data, &risks, &withdrawn));
}

/// The tombstones that public channels serve without the risks of the release before. Clusters in
/// these channels can update to them.
fn served_tombstones(
    data: &GraphData,
    risks: &RiskIndex<'_>,
    withdrawn: &BTreeSet<ReleaseId>,
) -> Vec<Finding> {
    let mut missing: BTreeMap<ReleaseId, (&Member, BTreeSet<&str>)> = BTreeMap::new();
    for channel in data.channels.iter().filter(|channel| channel.public) {
        for pair in channel
            .releases
            .windows(2)
            .filter(|pair| risks.on.contains_key(&pair[0]) && withdrawn.contains(&pair[1]))
        {
            if !data.releases.are_of_one_minor(pair[0], pair[1]) {
                continue;
            }
            let edges = risks.on.get(&pair[0]).into_iter().flatten();
            let open = edges.filter(|edge| !is_extended_or_done(data, risks, edge, pair[1]));
            let names = open.filter_map(|edge| edge.name.as_ref()).map(|name| name.value.as_str());
            let mut names = names.peekable();
            let mut members = channel.versions.iter();
            let member = members.find(|member| member.release == Some(pair[1]));
            if let Some(member) = member.filter(|_| names.peek().is_some()) {
                missing.entry(pair[1]).or_insert((member, BTreeSet::new())).1.extend(names);
            }
        }
    }
    let finding = |(member, names): (&Member, BTreeSet<&str>)| {
        let names: Vec<String> =
            names.into_iter().map(|name| format!("`{}`", shortened(name))).collect();
        let version = shortened(&member.text.value);
        let (risks, are) = if names.len() == 1 { ("the risk", "is") } else { ("the risks", "are") };
        let message = format!(
            "{version} is a tombstone that this channel serves, and {risks} {} of the release before {are} not declared for it",
            listed(&names, "and"),
        );
        Finding::at(&RULE, member.text.span, message)
            .about(format!("{version} {}", names.join(" ")))
            .severity(Severity::Info)
            .when_new(Severity::Warning)
            .help(format!("also declare them for {version}, or remove it from the channel if no cluster can be on it yet"))
    };
    missing.into_values().map(finding).collect()
}

/// A risk that is not declared for the next release.
struct MissingExtension<'a> {
    edge: &'a BlockedEdge,
    /// The oldest release that needs the risk.
    next: ReleaseId,
    channels: Vec<&'a Channel>,
}

/// Whether a risk does not have to be extended to the next release, or already is.
fn is_extended_or_done(
    data: &GraphData,
    risks: &RiskIndex<'_>,
    edge: &BlockedEdge,
    next: ReleaseId,
) -> bool {
    let Some(name) = &edge.name else { return true };
    let next_version = &data.releases.get(next).version;
    let fix = risks.fix(edge, Minor::of(next_version));
    let is_fixed = fix.is_some_and(|fixed| fixed <= *next_version);
    let is_about_prereleases =
        !risks.general.contains(name.value.as_str()) && is_general(next_version);
    is_fixed || is_about_prereleases || risks.is_on(&name.value, next)
}

/// The public channels in which two releases of a minor follow each other, for each release with
/// risks and each of its successors. Sorted by the two releases.
fn successions<'d>(
    data: &'d GraphData,
    risks: &RiskIndex<'_>,
    withdrawn: &BTreeSet<ReleaseId>,
) -> Vec<((ReleaseId, ReleaseId), Vec<&'d Channel>)> {
    let mut successions: HashMap<(ReleaseId, ReleaseId), Vec<&Channel>> = HashMap::default();
    for channel in data.channels.iter().filter(|channel| channel.public) {
        let members = channel.releases.iter().copied();
        let members: Vec<ReleaseId> = members.filter(|id| !withdrawn.contains(id)).collect();
        for pair in members.windows(2) {
            let has_risk = risks.on.contains_key(&pair[0]);
            if has_risk && data.releases.are_of_one_minor(pair[0], pair[1]) {
                successions.entry((pair[0], pair[1])).or_default().push(channel);
            }
        }
    }
    let mut successions: Vec<_> = successions.into_iter().collect();
    successions.sort_unstable_by_key(|(pair, _)| *pair);
    successions
}

fn finding(
    data: &GraphData,
    risks: &RiskIndex<'_>,
    withdrawn: &BTreeSet<ReleaseId>,
    gap: &MissingExtension<'_>,
) -> Option<Finding> {
    let (name, to) = (gap.edge.name.as_ref()?, gap.edge.to.as_ref()?);
    let (without, again) = releases_without(data, risks, withdrawn, gap);
    // Other rules report a file that exists but cannot be read.
    let path_for = |id: ReleaseId| {
        data.path(gap.edge.file).replacen(to.value.as_str(), &data.releases.get(id).text, 1)
    };
    let expected = path_for(gap.next);
    if data.at_path(&expected).is_some() {
        return None;
    }
    let next = &data.releases.get(gap.next).text;
    let releases = ranges(data, &without);
    let risk = format!("the risk `{}` is on {}", shortened(&name.value), shortened(&to.value));
    let message = match again {
        Some(again) => {
            let again = &data.releases.get(again).text;
            format!("{risk} and {again}, but not on {releases}")
        }
        None => format!("{risk}, but not on {next}, {}", why_expected(gap)),
    };
    let general = without.iter().filter(|id| data.releases.get(**id).is_general()).count();
    let severity = if general > LONG_PAST { Severity::Info } else { RULE.severity };
    let reason = match &gap.edge.auto_extend {
        Some(why) => format!(" (`autoExtend` says: {})", shortened(&why.value)),
        None => String::new(),
    };
    let help = if again.is_some() {
        format!("also declare it for {releases}{reason}")
    } else if let Some((tombstone, fixed)) = fix_of_tombstone(data, withdrawn, gap.edge) {
        format!(
            "{tombstone} is a tombstone, so the `fixedIn: {fixed}` of its file does not count: also write it here"
        )
    } else {
        format!(
            "if the bug is still in {next}, also declare it for {releases}{reason}; otherwise write `fixedIn: {next}` here"
        )
    };
    let mut finding = Finding::at(&RULE, name.span, message)
        .about(format!("{} {next}", name.value))
        .severity(severity)
        .when_new(Severity::Error)
        .help(help);
    for id in without.iter().filter(|_| without.len() <= FEW) {
        let place = Place::Absent(path_for(*id));
        let release = &data.releases.get(*id).text;
        finding = finding.related(place, format!("missing if {release} has the risk"));
    }
    Some(finding)
}

/// A tombstone whose file says in which release the risk is fixed, and that release.
fn fix_of_tombstone<'d>(
    data: &'d GraphData,
    withdrawn: &BTreeSet<ReleaseId>,
    edge: &BlockedEdge,
) -> Option<(&'d str, String)> {
    let name = edge.name.as_ref().map(|name| &name.value);
    let own = edge.target.as_ref()?;
    let has_name = |other: &&BlockedEdge| other.name.as_ref().map(|name| &name.value) == name;
    data.blocked_edges.iter().filter(has_name).find_map(|other| {
        let target = other.target.as_ref().filter(|target| *target > own)?;
        let release = other.release.filter(|id| withdrawn.contains(id))?;
        let is_of_minor = Minor::of(target) == Minor::of(own);
        let fixed = other.fixed_in.as_ref().filter(|_| is_of_minor)?;
        Some((data.releases.get(release).text.as_str(), shortened(&fixed.value)))
    })
}

fn why_expected(gap: &MissingExtension<'_>) -> String {
    let mut channels = gap.channels.clone();
    channels.sort_unstable_by_key(|channel| channel.file);
    let channels: Vec<&str> = channels.into_iter().map(Channel::name).collect();
    let channels = listed(&quoted(&channels), "and");
    let end = match &gap.edge.fixed_in {
        Some(fixed) => format!("its `fixedIn` is {}", shortened(&fixed.value)),
        None => "it has no `fixedIn`".to_owned(),
    };
    format!("the next release in {channels}, and {end}")
}

/// The releases that lack the risk, from the next one until it is fixed or declared again, and the
/// release that declares it again.
fn releases_without(
    data: &GraphData,
    risks: &RiskIndex<'_>,
    withdrawn: &BTreeSet<ReleaseId>,
    gap: &MissingExtension<'_>,
) -> (Vec<ReleaseId>, Option<ReleaseId>) {
    let name = gap.edge.name.as_ref().map_or("", |name| &name.value);
    let minor = Minor::of(&data.releases.get(gap.next).version);
    let fixed = risks.fix(gap.edge, minor);
    let later = data.releases.of_minor(minor).filter(|id| *id >= gap.next);
    let mut without = Vec::new();
    for id in later.filter(|id| !withdrawn.contains(id)) {
        let version = &data.releases.get(id).version;
        if risks.is_on(name, id) {
            return (without, Some(id));
        }
        if fixed.as_ref().is_some_and(|fixed| version >= fixed) {
            break;
        }
        without.push(id);
    }
    (without, None)
}
