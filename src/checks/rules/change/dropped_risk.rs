//! A declaration that is removed while its release is still served.

use std::collections::BTreeMap;

use crate::domain::version::{self, without_build};
use crate::domain::{HashMap, HashSet, Minor, Version};
use crate::graph_data::{BlockedEdge, GraphData, LoadVerdict};

use crate::rules::{Change, Check, Family, Finding, Place, Properties, Rule, Severity, shortened};
use crate::text::words::listed;

pub(super) static RULE: Rule = Rule {
    code: "EP802",
    name: "dropped-risk",
    properties: Properties::USUAL,
    family: Family::Change,
    severity: Severity::Warning,
    summary: "a risk or block that the change drops or renames while its release is still served",
    explanation: "\
If the release still has the bug, clusters are now offered the update without a warning.
If a later release fixes the risk, its last file says `fixedIn`, and the other files stay.
People accept risks, or alert on them, by name: for them, a renamed risk is a different
risk. The rule is silent if all files of a risk go or get another name, or if the change adds a
`fixedIn` that explains it. The severity is info if a change drops three files or more, or turns a
block into a risk: that is on purpose.

This rule runs only with `--base`.",
    bad: "\
before:  blocked-edges/4.14.2-ExampleRisk.yaml
after:   (nothing; 4.14.2 is still in candidate-4.14)",
    good: "\
before:  blocked-edges/4.14.2-ExampleRisk.yaml
after:   blocked-edges/4.14.2-ExampleRisk.yaml, with fixedIn: 4.14.3",
    check: Check::Change(check),
};

/// More dropped files than this are not an accident.
const FEW: usize = 2;

/// The name of a risk (none for a block) and its target.
type NameAndTarget<'a> = (Option<&'a str>, Version);

fn check(change: &Change<'_>, findings: &mut Vec<Finding>) {
    let after: HashSet<NameAndTarget<'_>> = declared(change.after).map(|(key, _)| key).collect();
    let before: HashSet<NameAndTarget<'_>> = declared(change.before).map(|(key, _)| key).collect();
    let mut dropped: BTreeMap<Option<&str>, Vec<(Version, &BlockedEdge)>> = BTreeMap::new();
    for (key, edge) in declared(change.before) {
        let is_gone = !after.contains(&key) && !is_broken(change, edge);
        if is_gone && is_served(change.after, &key.1) {
            dropped.entry(key.0).or_default().push((key.1, edge));
        }
    }
    // A new declaration may replace a dropped one.
    let mut instead: HashMap<Version, &BlockedEdge> = HashMap::default();
    for (key, edge) in declared(change.after) {
        if !before.contains(&key) {
            instead.insert(key.1, edge);
        }
    }
    for (name, mut gone) in dropped {
        // Skip releases for which the change adds a `fixedIn`.
        gone.retain(|(target, _)| !is_newly_fixed(change, name, target));
        // If the whole risk is removed or renamed, that is no accident.
        let is_left =
            name.is_none_or(|name| declared(change.after).any(|(key, _)| key.0 == Some(name)));
        if is_left {
            findings.extend(finding(change, name, &gone, &instead));
        }
    }
}

/// Whether the change adds a `fixedIn` to the risk that covers a release.
fn is_newly_fixed(change: &Change<'_>, name: Option<&str>, target: &Version) -> bool {
    let says = |data: &GraphData| {
        let own = declared(data).filter(|(key, _)| key.0 == name && name.is_some());
        let mut fixes = own.filter_map(|(_, edge)| version::parse(&edge.fixed_in.as_ref()?.value));
        fixes.any(|fixed| {
            Minor::of(&fixed) == Minor::of(target) && fixed.cmp_precedence(target).is_le()
        })
    };
    says(change.after) && !says(change.before)
}

fn declared(data: &GraphData) -> impl Iterator<Item = (NameAndTarget<'_>, &BlockedEdge)> {
    data.blocked_edges.iter().filter_map(|edge| {
        let name = edge.name.as_ref().map(|name| name.value.as_str());
        Some(((name, without_build(edge.target.as_ref()?)), edge))
    })
}

/// Whether the file still exists but does not load. Other rules report that.
fn is_broken(change: &Change<'_>, edge: &BlockedEdge) -> bool {
    let path = change.path_after(edge.file);
    let file = change.after.at_path(path);
    file.is_some_and(|file| file.verdict != LoadVerdict::Loads)
}

fn is_served(data: &GraphData, target: &Version) -> bool {
    let mut public = data.channels.iter().filter(|channel| channel.public);
    let release = data.releases.find(target);
    release.is_some_and(|release| public.any(|channel| channel.holds(release)))
}

fn finding(
    change: &Change<'_>,
    name: Option<&str>,
    gone: &[(Version, &BlockedEdge)],
    instead: &HashMap<Version, &BlockedEdge>,
) -> Option<Finding> {
    let (first, edge) = gone.first()?;
    let targets =
        listed(&gone.iter().map(|(target, _)| target.to_string()).collect::<Vec<_>>(), "and");
    let what = match name {
        Some(name) => format!("the risk `{}`", shortened(name)),
        None => "the block".to_owned(),
    };
    let (served, (these_have, files)) = match gone.len() {
        1 => ("which is still served", (format!("{first} has"), "file")),
        _ => ("which are all still served", ("these releases have".to_owned(), "files")),
    };
    let new = instead.get(first);
    let path = change.path_after(edge.file).to_owned();
    let (message, place) = match new {
        Some(new) => {
            let now = match &new.name {
                Some(now) => format!("the risk `{}`", shortened(&now.value)),
                None => "a block".to_owned(),
            };
            let place = new
                .name
                .as_ref()
                .or(new.to.as_ref())
                .map_or(Place::File(new.file), |t| t.span.into());
            (format!("{what} on {targets} is now {now}"), place)
        }
        None => {
            (format!("{what} is no longer declared for {targets}, {served}"), Place::Absent(path))
        }
    };
    let help = match (new, name) {
        (Some(_), Some(_)) => {
            "use the same name in all files of the risk, or rename it in all of them".to_owned()
        }
        (Some(_), None) => {
            "clusters are offered the update again, some of them with a warning: is that intended?"
                .to_owned()
        }
        (None, _) => format!(
            "if {these_have} the bug, restore the {files}. If a later release fixes it, keep the {files} and add `fixedIn`"
        ),
    };
    let is_deliberate = gone.len() > FEW || name.is_none() && new.is_some();
    let severity = if is_deliberate { Severity::Info } else { RULE.severity };
    let too = if new.is_some() { "also renamed" } else { "also dropped" };
    let finding = Finding::on(&RULE, place, message)
        .about(gone.iter().map(|(target, _)| target.to_string()).collect::<Vec<_>>().join(" "))
        .severity(severity)
        .help(help);
    Some(gone[1..].iter().fold(finding, |finding, (_, edge)| {
        finding.related(Place::Absent(change.path_after(edge.file).to_owned()), too)
    }))
}
