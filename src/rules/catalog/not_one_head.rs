//! A channel with several heads, or with none.

use crate::catalog::declared::ChannelBlob;
use crate::catalog::{Kind, Objection};
use crate::rules::{CatalogSubject, Check, Family, Finding, Rule, Severity, whole};
use crate::text::Span;
use crate::text::words::{listed, quoted};

use super::shared::{REFUSED, meant_entry, with_related};

pub(super) static RULE: Rule = Rule {
    code: "OC015",
    name: "not-one-head",
    aliases: &[],
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
        Kind::Heads { channel, heads } => {
            let names: Vec<String> = heads.iter().map(|name| whole(name)).collect();
            let message = format!(
                "nothing replaces or skips {}: channel `{}` has {} heads, {REFUSED}",
                listed(&quoted(&names), "or"),
                whole(channel),
                heads.len(),
            );
            let package =
                subject.declared.channel_around(span).map(|channel| &channel.package.value);
            let help = misspelled(subject, span, heads)
                .unwrap_or_else(|| help(subject, package.map_or("", String::as_str), heads));
            let finding = Finding::at(&RULE, span, message).help(help);
            Some(with_related(finding, objection.related.iter().copied(), "another head"))
        }
        Kind::NoHead(channel) => {
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
            Some(Finding::at(&RULE, span, message).help(help))
        }
        _ => None,
    }
}

/// A head that replaces a misspelled name.
fn misspelled(subject: &CatalogSubject<'_>, span: Span, heads: &[String]) -> Option<String> {
    let channel = subject.declared.channel_around(span)?;
    let (package, name) = (&channel.package.value, &channel.name.value);
    let mut all = subject.moves();
    let moves = all.find(|moves| moves.package.name == *package && moves.channel.name == *name)?;
    let mut entries = moves.channel.entries.iter();
    let (entry, meant) = entries.find_map(|entry| {
        Some((entry, meant_entry(moves, entry).filter(|_| heads.contains(&entry.name))?))
    })?;
    let (entry, unknown) = (whole(&entry.name), whole(&entry.replaces));
    Some(format!("`{entry}` replaces `{unknown}`: did you mean `{}`?", whole(meant)))
}

fn help(subject: &CatalogSubject<'_>, package: &str, heads: &[String]) -> String {
    let version = |name: &str| {
        let bundle = subject.package(package).and_then(|package| package.bundle(name));
        bundle.and_then(|bundle| bundle.version.as_ref())
    };
    let mut ordered: Vec<(&str, _)> =
        heads.iter().filter_map(|name| Some((name.as_str(), version(name)?))).collect();
    ordered.sort_by(|a, b| a.1.compare(b.1));
    match ordered.as_slice() {
        [(older, _), (newer, _)] if heads.len() == 2 => format!(
            "add `replaces: {}` to `{}`, or list it under its `skips`",
            whole(older),
            whole(newer)
        ),
        [.., (newest, _)] => format!(
            "each of them but the newest, `{}`, must be in the `replaces` or `skips` of a newer \
             entry",
            whole(newest)
        ),
        [] => "each of them but the newest must be in the `replaces` or `skips` of a newer entry"
            .to_owned(),
    }
}

fn replaces_itself(channel: &ChannelBlob) -> Vec<String> {
    let entries = channel.entries.iter().filter(|entry| {
        let name = &entry.name.value;
        entry.replaces.value == *name || entry.skips.iter().any(|skip| skip.value == *name)
    });
    entries.map(|entry| whole(&entry.name.value)).collect()
}
