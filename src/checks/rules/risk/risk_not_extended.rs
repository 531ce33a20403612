//! A risk that later releases of its minor lack, although no file says that it is fixed.

use std::collections::{BTreeMap, BTreeSet};

use crate::authoring::{Continuations, LONG_PAST, MissingExtension};
use crate::domain::{Arena, Minor};
use crate::graph_data::{BlockedEdge, Channel, GraphData, ListedVersion, ReleaseId, tombstones};
use crate::rules::shared::words::ranges;
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, shortened};
use crate::text::words::{listed, quoted};

pub(super) static RULE: Rule = Rule {
    code: "EP220",
    name: "risk-not-extended",
    properties: Properties::OF_ONE_RISK_IN_CHANNELS,
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
    check: Check::Risks(check_risks, check_tombstones),
};

/// The most missing files that a message lists.
const FEW: usize = 12;

fn check_risks(data: &GraphData, findings: &mut Vec<Finding>) {
    let risks = Continuations::of(data);
    findings.extend(risks.missing().filter_map(|gap| finding(data, &risks, &gap)));
}

/// Finds the tombstones that public channels serve without the risks of the release before.
/// Clusters in these channels can update to them.
fn check_tombstones(data: &GraphData, findings: &mut Vec<Finding>) {
    let mut is_withdrawn: Arena<ReleaseId, bool> = Arena::filled(data.releases.len(), false);
    for tombstone in tombstones(data) {
        is_withdrawn[tombstone] = true;
    }
    let public = data.channels.iter().filter(|channel| channel.public);
    let in_each = public.flat_map(|channel| {
        let pairs = channel.releases.windows(2).map(|pair| (pair[0], pair[1]));
        let pairs = pairs.filter(|(before, tombstone)| {
            is_withdrawn[*tombstone] && data.releases.are_of_one_minor(*before, *tombstone)
        });
        pairs.map(move |(before, tombstone)| (channel, before, tombstone))
    });
    let in_each: Vec<(&Channel, ReleaseId, ReleaseId)> = in_each.collect();
    let mut is_before: Arena<ReleaseId, bool> = Arena::filled(data.releases.len(), false);
    for (_, before, _) in &in_each {
        is_before[*before] = true;
    }
    let declared = data.blocked_edges.iter();
    let declared = declared.filter(|edge| edge.release.is_some_and(|release| is_before[release]));
    let names: BTreeSet<&str> = declared.filter_map(name_of).collect();
    if names.is_empty() {
        return;
    }
    let declared =
        data.with_declarations(|edge| name_of(edge).is_some_and(|name| names.contains(name)));
    let continuations = Continuations::of(&declared);
    let mut missing: BTreeMap<ReleaseId, (&ListedVersion, BTreeSet<&str>)> = BTreeMap::new();
    for (channel, before, tombstone) in in_each {
        let edges = continuations.risks.on.get(&before).into_iter().flatten();
        let open = edges.filter(|edge| !continuations.is_extended_or_done(edge, tombstone));
        let mut names = open.filter_map(|edge| name_of(edge)).peekable();
        let mut members = channel.versions.iter();
        let member = members.find(|member| member.release == Some(tombstone));
        if let Some(member) = member.filter(|_| names.peek().is_some()) {
            missing.entry(tombstone).or_insert((member, BTreeSet::new())).1.extend(names);
        }
    }
    let finding = |(member, names): (&ListedVersion, BTreeSet<&str>)| {
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
    findings.extend(missing.into_values().map(finding));
}

fn name_of(edge: &BlockedEdge) -> Option<&str> {
    edge.name.as_ref().map(|name| name.value.as_str())
}

fn finding(
    data: &GraphData,
    continuations: &Continuations<'_>,
    gap: &MissingExtension<'_>,
) -> Option<Finding> {
    let (name, to) = (gap.edge.name.as_ref()?, gap.edge.to.as_ref()?);
    let (without, again) = continuations.releases_without(gap.edge, gap.next);
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
    } else if let Some((tombstone, fixed)) =
        fix_of_tombstone(data, &continuations.withdrawn, gap.edge)
    {
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
