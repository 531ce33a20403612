//! An entry that installs can never leave, although it is not the head.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::catalog::simulation::{ChannelEdit, ChannelMoves, Edits, Why};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::{counted, listed, quoted};

use super::shared::fixes::help_with;

pub(super) static RULE: Rule = Rule {
    code: "OC101",
    name: "dead-end",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "an entry that can never be updated, because all of its targets are skipped",
    explanation: "\
OLM v0 never installs an entry that another entry of the channel skips. An install
whose only targets are skipped entries is stuck: there is no update and no error, and
its Subscription says `AtLatestKnown`. `opm validate` does not report it, because it
takes every skipped entry for fine.

The usual cause is a release that replaces *and* skips the one before it. Old versions
of opm's semver template write such channels.

To unblock the installs, list all of them under `skips` of the head, or do not skip what
is replaced, or give the head a `skipRange` that contains them. The help of the finding has the
smallest of these edits that works; `exitpath catalog simulate` suggests the same.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  skips: [example.v1.0.0]
- name: example.v1.2.0
  skips: [example.v1.1.0]
- name: example.v1.3.0
  replaces: example.v1.2.0",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  skips: [example.v1.0.0]
- name: example.v1.2.0
  skips: [example.v1.0.0, example.v1.1.0]
- name: example.v1.3.0
  replaces: example.v1.2.0",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for moves in subject.moves() {
        let stuck = moves.stuck();
        if !stuck.iter().any(|stuck| matches!(stuck.why, Why::Skipped { .. })) {
            continue;
        }
        let edits = Edits::of(moves, &stuck);
        // Installs with the same cause are one finding, because a template repeats one mistake many
        // times.
        let mut by_cause: BTreeMap<(&str, Vec<&str>), Vec<usize>> = BTreeMap::new();
        for (at, stuck) in stuck.iter().enumerate() {
            if let Why::Skipped { target, by } = &stuck.why {
                by_cause.entry((target, by.clone())).or_default().push(at);
            }
        }
        for (cause, installs) in by_cause {
            let names: Vec<&str> =
                installs.iter().map(|at| moves.name(stuck[*at].install)).collect();
            let found = finding(subject, moves, cause.0, &cause.1, &names);
            findings.extend(found.map(|found| helped(found, subject, moves, &edits, &installs)));
        }
    }
}

fn finding(
    subject: &CatalogSubject<'_>,
    moves: &ChannelMoves<'_>,
    target: &str,
    by: &[&str],
    names: &[&str],
) -> Option<Finding> {
    let first = subject.entry(moves, names.first()?)?;
    let who = match names {
        [one] => format!("installs of `{}`", whole(one)),
        several => format!("installs of {}", counted(several.len(), "entry")),
    };
    let message = format!(
        "{who} can never be updated in channel `{}`: they could only go to `{}`, and {} it, so OLM \
         never installs it",
        whole(&moves.channel.name),
        whole(target),
        skips(by),
    );
    let mut finding = Finding::at(&RULE, first.name.span, message).installs(names);
    let skipper = by.first().and_then(|name| subject.entry(moves, name));
    let skip = skipper.and_then(|entry| entry.skips.iter().find(|skip| skip.value == target));
    if let Some(skip) = skip {
        finding = finding.related(skip.span, format!("`{}` is skipped here", whole(target)));
    }
    let others = names.iter().skip(1).filter_map(|name| subject.entry(moves, name));
    for other in others.take(4) {
        finding = finding.related(other.name.span, "installs of this entry are stuck too");
    }
    Some(finding)
}

/// Adds the edit that `catalog simulate` suggests.
fn helped(
    finding: Finding,
    subject: &CatalogSubject<'_>,
    moves: &ChannelMoves<'_>,
    edits: &Edits,
    installs: &[usize],
) -> Finding {
    let all = edits.single.len();
    if let Some(edit) = &edits.whole {
        let mut finding = help_with(finding, subject, moves, [edit]);
        if let Some(help) = finding.help.as_mut().filter(|_| installs.len() < all) {
            let all = counted(all, "stuck install");
            let _ = write!(help, "; this unblocks all {all} of the channel");
        }
        return finding;
    }
    let singles: BTreeSet<&ChannelEdit> =
        installs.iter().filter_map(|at| edits.single[*at].as_ref()).collect();
    if singles.is_empty() {
        return finding.help("no edit of one entry unblocks them");
    }
    let finding = help_with(finding, subject, moves, singles);
    let unblocks_all = installs.iter().all(|at| edits.single[*at].is_some());
    Finding { fix: finding.fix.filter(|_| unblocks_all), ..finding }
}

fn skips(by: &[&str]) -> String {
    match by {
        [one] => format!("`{}` skips", whole(one)),
        several => format!("{} skip", listed(&quoted(several), "and")),
    }
}
