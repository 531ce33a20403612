//! Entries that the head does not lead to, and that nothing skips.

use crate::catalog::simulation::{ChannelEdit, Trial};
use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::{listed, quoted};

use super::shared::fixes::help_with;
use super::shared::{REFUSED, with_related};

pub(super) static RULE: Rule = Rule {
    code: "OC017",
    name: "stranded-entry",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "an entry that the chain of `replaces` does not reach and that nothing skips",
    explanation: "\
The chain of a channel begins at its head and follows `replaces`. It ends at a skipped entry, or
at a name that is not an entry. Each entry must be in this chain or in the `skips` of some
entry. A `skipRange` does not count. opm refuses a catalog with any other entry: none of its
operators can be installed or updated.

Usually, the head lacks `replaces`, or it replaces and skips the same entry, which ends
the chain there.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0
- name: example.v1.2.0
  skips: [example.v1.1.0]",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0
- name: example.v1.2.0
  replaces: example.v1.0.0
  skips: [example.v1.1.0]",
    check: Check::Objection(check),
};

fn check(subject: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::Stranded { channel, entries } = &objection.kind else { return None };
    let blob = subject.declared.channel_around(objection.span)?;
    let names: Vec<String> = entries.iter().map(|name| whole(name)).collect();
    let it = if names.len() == 1 { "it" } else { "them" };
    let whole_names: Vec<&str> = entries.iter().map(String::as_str).collect();
    let message = format!(
        "the chain of `replaces` from the head of channel `{}` does not reach {}, and nothing skips \
         {it}, {REFUSED}",
        whole(channel),
        listed(&quoted(&names), "or"),
    );
    let leads_to = |name: &str| {
        blob.entries.iter().any(|entry| {
            entry.replaces.value == name || entry.skips.iter().any(|skip| skip.value == name)
        })
    };
    let head = blob.entries.iter().find(|entry| !leads_to(&entry.name.value));
    let finding = Finding::at(&RULE, objection.span, message);
    let finding = with_related(finding, objection.related.iter().copied(), "also stranded");
    let moves = subject.moves().find(|moves| {
        moves.package.name == blob.package.value && moves.channel.name == blob.name.value
    });
    let edit = head.zip(moves).and_then(|(head, moves)| {
        let edit = ChannelEdit::skips(&Trial::new(moves), &whole_names, &head.name.value)?;
        Some((moves, edit))
    });
    Some(match (edit, head) {
        (Some((moves, edit)), _) => {
            let finding = help_with(finding, subject, moves, [&edit]);
            let help = format!("complete the chain of `replaces`, or {}", edit.in_words());
            finding.help(help)
        }
        (None, Some(head)) => finding.help(format!(
            "complete the chain of `replaces`, or list {it} under the `skips` of the head `{}`",
            whole(&head.name.value)
        )),
        (None, None) => finding.help("complete the chain of `replaces`"),
    })
}
