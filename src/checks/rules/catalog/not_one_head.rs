//! A channel with several heads, or with none.

use crate::catalog::declared::ChannelBlob;
use crate::catalog::package::{CatalogChannel, Entry};
use crate::catalog::simulation::{ChannelEdit, ChannelMoves, Trial};
use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::Span;
use crate::text::words::{listed, quoted};

use super::shared::fixes::{help_with, replacing};
use super::shared::{REFUSED, meant_entry, with_related};

pub(super) static RULE: Rule = Rule {
    code: "OC015",
    name: "not-one-head",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a channel that has several heads, or none",
    explanation: "\
The head of a channel is the entry that no entry replaces or skips: the newest one, which
new installs get. A `skipRange` does not count. opm refuses a catalog with a channel that
has several heads, or none: none of its operators can be installed or updated.

Several heads: a new entry usually lacks `replaces`. Each entry but the newest one must be in the
`replaces` or the `skips` of another entry.

No head: entries replace or skip each other in a circle, or the newest one replaces or
skips itself.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0",
    check: Check::Objection(check),
};

fn check(subject: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let span = objection.span;
    match &objection.kind {
        ObjectionKind::Heads { channel, heads } => {
            let names: Vec<String> = heads.iter().map(|name| whole(name)).collect();
            let message = format!(
                "nothing replaces or skips {}: channel `{}` has {} heads, {REFUSED}",
                listed(&quoted(&names), "or"),
                whole(channel),
                heads.len(),
            );
            let finding = Finding::at(&RULE, span, message);
            let finding = helped(finding, subject, moves_around(subject, span), heads);
            Some(with_related(finding, objection.related.iter().copied(), "another head"))
        }
        ObjectionKind::NoHead(channel) => {
            let channel = whole(channel);
            let itself = replaces_itself(subject.declared.channel_around(span)?);
            let message = format!(
                "each entry of channel `{channel}` is replaced or skipped: the channel has no head, \
                 {REFUSED}"
            );
            let help = match itself.as_slice() {
                [] => "remove the `replaces` or `skips` that names the newest entry".to_owned(),
                names => format!(
                    "remove the name of {} from its own `replaces` and `skips`",
                    listed(&quoted(names), "and")
                ),
            };
            let finding = Finding::at(&RULE, span, message);
            let moves = moves_around(subject, span);
            Some(match moves.and_then(|moves| Some((moves, own_skip(moves)?))) {
                Some((moves, edit)) => help_with(finding, subject, moves, [&edit]),
                None => finding.help(help),
            })
        }
        _ => None,
    }
}

fn moves_around<'s, 'a>(
    subject: &'s CatalogSubject<'a>,
    span: Span,
) -> Option<&'s ChannelMoves<'a>> {
    let channel = subject.declared.channel_around(span)?;
    let (package, name) = (&channel.package.value, &channel.name.value);
    let mut all = subject.moves();
    all.find(|moves| moves.package.name == *package && moves.channel.name == *name)
}

/// Adds a suggestion that leaves one head, and a fix if the suggestion is a single edit.
fn helped(
    finding: Finding,
    subject: &CatalogSubject<'_>,
    moves: Option<&ChannelMoves<'_>>,
    heads: &[String],
) -> Finding {
    let Some(moves) = moves else { return finding.help(in_general(None)) };
    if let Some((entry, meant)) = misspelled(moves, heads) {
        let (name, unknown) = (whole(&entry.name), whole(&entry.replaces));
        let help = format!("`{name}` replaces `{unknown}`: did you mean `{}`?", whole(meant));
        return replacing(finding.help(help), subject, moves, &entry.name, meant);
    }
    let version = |name: &str| moves.installs[moves.named(name)?].version;
    let mut ordered: Vec<(&str, _)> =
        heads.iter().filter_map(|name| Some((name.as_str(), version(name)?))).collect();
    ordered.sort_by(|a, b| a.1.compare(b.1));
    let [(older, _), (newer, _)] = *ordered.as_slice() else {
        return finding.help(in_general(ordered.last().map(|(newest, _)| *newest)));
    };
    if heads.len() > 2 {
        return finding.help(in_general(Some(newer)));
    }
    let replaces_nothing = |entry: &Entry| entry.name == newer && entry.replaces.is_empty();
    if moves.channel.entries.iter().any(replaces_nothing) {
        let help = format!(
            "add `replaces: {}` to `{}`, or list it under its `skips`",
            whole(older),
            whole(newer)
        );
        let replaces = |channel: &mut CatalogChannel| {
            for edited in channel.entries.iter_mut().filter(|edited| edited.name == newer) {
                older.clone_into(&mut edited.replaces);
            }
        };
        let finding = finding.help(help);
        let works = Trial::new(moves).unblocks(&[older], replaces);
        return if works { replacing(finding, subject, moves, newer, older) } else { finding };
    }
    let edit = ChannelEdit::AddSkips { entry: newer.to_owned(), names: vec![older.to_owned()] };
    if Trial::new(moves).unblocks(&[older], |channel| edit.apply(channel)) {
        return help_with(finding, subject, moves, [&edit]);
    }
    finding.help(edit.in_words())
}

/// A head whose `replaces` is a misspelled name, and the name that it means.
fn misspelled<'m>(moves: &'m ChannelMoves<'_>, heads: &[String]) -> Option<(&'m Entry, &'m str)> {
    let mut entries = moves.channel.entries.iter();
    entries.find_map(|entry| {
        Some((entry, meant_entry(moves, entry).filter(|_| heads.contains(&entry.name))?))
    })
}

fn in_general(newest: Option<&str>) -> String {
    let newest = newest.map_or_else(String::new, |newest| format!(", `{}`,", whole(newest)));
    format!(
        "each of them but the newest{newest} must be in the `replaces` or `skips` of a newer entry"
    )
}

/// The edit that removes an entry's skip of itself, if some entry skips itself and a trial shows
/// that the edit harms no install.
fn own_skip(moves: &ChannelMoves<'_>) -> Option<ChannelEdit> {
    let skips_itself = |entry: &&Entry| entry.skips.contains(&entry.name);
    let entry = moves.channel.entries.iter().find(skips_itself)?;
    let (name, entry) = (entry.name.clone(), entry.name.clone());
    let edit = ChannelEdit::RemoveSkip { entry, name };
    Trial::new(moves).harms_nobody(|channel| edit.apply(channel)).then_some(edit)
}

fn replaces_itself(channel: &ChannelBlob) -> Vec<String> {
    let entries = channel.entries.iter().filter(|entry| {
        let name = &entry.name.value;
        entry.replaces.value == *name || entry.skips.iter().any(|skip| skip.value == *name)
    });
    entries.map(|entry| whole(&entry.name.value)).collect()
}
