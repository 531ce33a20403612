//! An entry that installs can never leave, although it is not the head.

use std::collections::BTreeMap;

use crate::catalog::simulation::{ChannelEdit, ChannelMoves, Stuck, Trial, Why};
use crate::rules::{CatalogSubject, Check, Family, Finding, Rule, Severity, shortened};
use crate::text::words::{counted, listed, quoted};

use super::shared::names_to_copy;

pub(super) static RULE: Rule = Rule {
    code: "OC101",
    name: "dead-end",
    aliases: &[],
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

To free the installs, list all of them under `skips` of the head, or do not skip what
is replaced, or give the head a `skipRange` that contains them.",
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
        // Installs with the same cause are one finding: a template makes one mistake many times.
        let mut by_cause: BTreeMap<(&str, Vec<&str>), Vec<Stuck<'_>>> = BTreeMap::new();
        for stuck in moves.stuck() {
            if let Why::Skipped { target, by } = &stuck.why {
                by_cause.entry((target, by.clone())).or_default().push(stuck);
            }
        }
        for ((target, by), stuck) in by_cause {
            findings.extend(finding(subject, moves, (target, &by), &stuck));
        }
    }
}

fn finding(
    subject: &CatalogSubject<'_>,
    moves: &ChannelMoves<'_>,
    (target, by): (&str, &[&str]),
    stuck: &[Stuck<'_>],
) -> Option<Finding> {
    let names: Vec<&str> = stuck.iter().map(|stuck| moves.name(stuck.install)).collect();
    let first = subject.entry(moves, names.first()?)?;
    let who = match names.as_slice() {
        [one] => format!("installs of `{}`", shortened(one)),
        several => format!("installs of {}", counted(several.len(), "entry")),
    };
    let message = format!(
        "{who} can never be updated in channel `{}`: they could only go to `{}`, and {} it, so OLM \
         never installs it",
        shortened(&moves.channel.name),
        shortened(target),
        skips(by),
    );
    let mut finding =
        Finding::at(&RULE, first.name.span, message).help(help(moves, &names, (target, by)));
    let skipper = by.first().and_then(|name| subject.entry(moves, name));
    let skip = skipper.and_then(|entry| entry.skips.iter().find(|skip| skip.value == target));
    if let Some(skip) = skip {
        finding = finding.related(skip.span, format!("`{}` is skipped here", shortened(target)));
    }
    let others = names.iter().skip(1).filter_map(|name| subject.entry(moves, name));
    for other in others.take(4) {
        finding = finding.related(other.name.span, "installs of this entry are stuck too");
    }
    Some(finding)
}

/// The edits of one place that free all of the installs. Each was tried.
fn help(moves: &ChannelMoves<'_>, names: &[&str], (target, by): (&str, &[&str])) -> String {
    let mut edits = Vec::new();
    let trial = Trial::new(moves);
    let head = moves.heads.first().map(|head| moves.name(*head)).unwrap_or_default();
    match ChannelEdit::skips(&trial, names, head) {
        Some(ChannelEdit::AddSkips { names, .. }) => {
            let all = names_to_copy(&names);
            edits.push(format!("add {all} to the `skips` of the head `{}`", shortened(head)));
        }
        Some(ChannelEdit::SetSkipRange { range, .. }) => {
            let head = shortened(head);
            edits.push(format!("give the head `{head}` the `skipRange: '{}'`", shortened(&range)));
        }
        _ => {}
    }
    let without_skip = trial.frees(names, |channel| {
        for entry in &mut channel.entries {
            entry.skips.retain(|skip| skip != target);
        }
    });
    if without_skip {
        let from = listed(&quoted(by), "and");
        edits.push(format!("remove `{}` from the `skips` of {from}", shortened(target)));
    }
    if edits.is_empty() {
        return "list all of these entries under `skips` of the head, or skip none".to_owned();
    }
    edits.join("; or ")
}

fn skips(by: &[&str]) -> String {
    match by {
        [one] => format!("`{}` skips", shortened(one)),
        several => format!("{} skip", listed(&quoted(several), "and")),
    }
}
