//! An entry that replaces or skips an entry with a higher version.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::simulation::{
    ChannelEdit, ChannelMoves, EdgeKind, Edits, Resolver, Stuck, Trial,
};
use crate::moves::NodeId;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::{counted, list_all, quoted};

use super::shared::{add_joined, version_of, version_text};

pub(super) static RULE: Rule = Rule {
    code: "OC105",
    name: "downgrade-edge",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "an entry that replaces or skips an entry with a higher version",
    explanation: "\
OLM v0 follows `replaces` and `skips` and does not compare versions, so such an update
makes the version lower. OLM v1 never installs a lower version: there, installs of the
higher version are stuck. A `skipRange` of a later entry that ends at the new version does
not contain the higher one.

The usual cause is a rebuild with a number after a hyphen. `1.0.1-1` is a pre-release of
1.0.1, so it is lower than 1.0.1. Give a rebuild the next patch version. If a later entry is higher
than both, add the one with the higher version to its `skips`.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.1
- name: example.v1.0.1-1
  replaces: example.v1.0.1",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.1
- name: example.v1.0.2
  replaces: example.v1.0.1",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for moves in subject.moves() {
        let mut by_target: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for edge in &moves.edges {
            let is_down = version_of(moves, edge.from)
                .zip(version_of(moves, edge.to))
                .is_some_and(|(from, to)| from.compare(to) == Ordering::Greater);
            if is_down && edge.kind != EdgeKind::SkipRange {
                by_target.entry(edge.to).or_default().push(edge.from);
            }
        }
        if by_target.is_empty() {
            continue;
        }
        let Ok(v1) = ChannelMoves::of(moves.package, moves.channel, &[], Resolver::V1) else {
            continue;
        };
        for (target, origins) in by_target {
            found.extend(finding(subject, moves, &v1, target, &origins));
        }
    }
    add_joined(findings, found);
}

/// The finding, or None if no install of OLM v0 or OLM v1 is affected.
fn finding(
    subject: &CatalogSubject<'_>,
    v0: &ChannelMoves<'_>,
    v1: &ChannelMoves<'_>,
    target: NodeId,
    origins: &[NodeId],
) -> Option<Finding> {
    let is_downgraded = |origin: &&NodeId| v0.moves.next(**origin).contains(&target);
    let is_stuck = |origin: &&NodeId| v1.moves.next(**origin).is_empty();
    let downgraded = origins.iter().filter(is_downgraded).count();
    let stuck = origins.iter().filter(is_stuck).count();
    let origins: Vec<NodeId> =
        origins.iter().filter(|one| is_downgraded(one) || is_stuck(one)).copied().collect();
    let first = *origins.first()?;
    let (verb, what) = match origins.as_slice() {
        [one] => {
            let entry = v0.channel.entries.get(target.index())?;
            let verb = if entry.replaces == v0.name(*one) { "replaces" } else { "skips" };
            (
                verb,
                format!(
                    "`{}`, which has the higher version {}",
                    whole(v0.name(*one)),
                    version_text(v0, *one)
                ),
            )
        }
        several => {
            let named = format!("such as `{}`", whole(v0.name(first)));
            (
                "updates",
                format!("{} with higher versions, {named}", counted(several.len(), "entry")),
            )
        }
    };
    let installs = if origins.len() == 1 { "its installs" } else { "their installs" };
    let effect = match (downgraded > 0, stuck > 0) {
        (true, true) => format!("OLM v0 downgrades {installs}, and OLM v1 never updates them"),
        (true, false) => format!("OLM v0 downgrades {installs}"),
        _ => format!("OLM v1 never updates {installs}"),
    };
    let message = format!(
        "`{}` with version {} {verb} {what}: {effect}",
        whole(v0.name(target)),
        version_text(v0, target),
    );
    let help = help(v0, v1, &origins);
    let entry = subject.entry(v0, v0.name(target))?;
    let names: Vec<&str> = origins.iter().map(|origin| v0.name(*origin)).collect();
    let finding = Finding::at(&RULE, entry.name.span, message).help(help).installs(&names);
    Some(origins.iter().take(5).fold(finding, |finding, origin| {
        match subject.entry(v0, v0.name(*origin)) {
            Some(entry) => {
                let version = version_text(v0, *origin);
                finding.related(entry.name.span, format!("version {version} is higher"))
            }
            None => finding,
        }
    }))
}

/// Suggests an edit that lets the installs reach the head without a move to a lower version. If no
/// edit does, it suggests a new release.
fn help(v0: &ChannelMoves<'_>, v1: &ChannelMoves<'_>, origins: &[NodeId]) -> String {
    let names: Vec<&str> = origins.iter().map(|origin| v0.name(*origin)).collect();
    let stuck = v1.stuck();
    let is_origin = |stuck: &Stuck<'_>| names.contains(&v1.name(stuck.install));
    let edits: BTreeSet<ChannelEdit> = if stuck.iter().any(is_origin) {
        let edits = Edits::of(v1, &stuck);
        let of_origins = stuck.iter().zip(edits.single).filter(|(stuck, _)| is_origin(stuck));
        of_origins.filter_map(|(_, edit)| edit).collect()
    } else {
        let head = v0.heads.first().map(|head| v0.name(*head)).unwrap_or_default();
        ChannelEdit::skips(&Trial::new(v0), &names, head).into_iter().collect()
    };
    if !edits.is_empty() {
        let edits: Vec<String> = edits.iter().map(ChannelEdit::in_words).collect();
        return edits.join("; and ");
    }
    let highest = origins.iter().filter_map(|origin| Some((version_of(v0, *origin)?, *origin)));
    let highest = highest.max_by(|one, other| one.0.compare(other.0));
    let version = highest.map_or_else(String::new, |(_, origin)| version_text(v0, origin));
    let names: Vec<String> = names.iter().map(|name| whole(name)).collect();
    format!(
        "publish a version higher than {version} that replaces the head and skips {}; a number after \
         a hyphen makes a version lower (`1.0.1-1` comes before `1.0.1`)",
        list_all(&quoted(&names), "and")
    )
}
