//! Entries that name a bundle and not its rebuild.

use crate::catalog::package::{Channel, Entry, Package};
use crate::catalog::substitution::{Requests, SubstitutedPackage};
use crate::domain::{HashMap, HashSet};
use crate::rules::{CatalogSubject, Check, Family, Finding, Rule, Severity, shortened};
use crate::text::Span;
use crate::text::words::counted;

use super::shared::one_finding;

pub(super) static RULE: Rule = Rule {
    code: "OC133",
    name: "unapplied-substitution",
    aliases: &[],
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "entries that name a bundle, and not the rebuild that substitutes for it",
    explanation: "\
The annotation `olm.substitutesFor` says that a bundle is a rebuild of another one: entries that
update the one should update the other, too. opm does not apply this to a catalog. So installs of the
rebuild may have no update, and others may have to go through the bundle with the fault.

`exitpath catalog substitute DIR` shows what the substitutions mean, and `--write` writes it into the
files.",
    bad: "\
entries:
- name: example.v1.0.0
- name: example.v1.0.1    # substitutes for example.v1.0.0
  skips: [example.v1.0.0]
- name: example.v1.1.0
  replaces: example.v1.0.0",
    good: "\
entries:
- name: example.v1.0.0
- name: example.v1.0.1    # substitutes for example.v1.0.0
  skips: [example.v1.0.0]
- name: example.v1.1.0
  replaces: example.v1.0.1
  skips: [example.v1.0.0]",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let requests = Requests::of(subject.declared);
    // opm applies the substitutions of templates.
    if requests.is_empty() || !subject.declared.substitutions.is_empty() {
        return;
    }
    for package in SubstitutedPackage::of(subject.declared, &requests) {
        let mut places: Vec<Span> = Vec::new();
        let mut first = None;
        for (before, after) in package.channels() {
            for (old, new) in changed(&package.before, before, after) {
                let entry = subject.places.entry(&package.before.name, &before.name, &old.name);
                places.extend(entry.map(|entry| entry.name.span));
                first = first.or_else(|| Some(in_words(old, new)));
            }
        }
        let Some(first) = first else { continue };
        let more = match places.len() {
            0 | 1 => String::new(),
            n => format!(", and so do {}", counted(n - 1, "other entry")),
        };
        let message = format!("{first}{more}: opm does not apply `olm.substitutesFor`");
        let other = "this entry lacks a rebuild, too";
        let help =
            "`exitpath catalog substitute` shows what is meant, and writes it with `--write`";
        findings.extend(one_finding(&RULE, &places, message, other).map(|one| one.help(help)));
    }
}

/// The entries that lack a bundle of the package. Another rule reports a base that does not exist.
fn changed<'c>(
    package: &Package,
    before: &'c Channel,
    after: &'c Channel,
) -> Vec<(&'c Entry, &'c Entry)> {
    let known: HashMap<&str, &Entry> =
        after.entries.iter().map(|entry| (entry.name.as_str(), entry)).collect();
    let pairs = before.entries.iter().filter_map(|old| {
        let new = known.get(old.name.as_str())?;
        let is_lacking =
            || missing(old, new).into_iter().any(|name| package.bundle(name).is_some());
        (old.replaces != new.replaces || is_lacking()).then_some((old, *new))
    });
    pairs.collect()
}

fn missing<'c>(old: &Entry, new: &'c Entry) -> Vec<&'c String> {
    let known: HashSet<&String> = old.skips.iter().collect();
    new.skips.iter().filter(|skip| !known.contains(skip)).collect()
}

fn in_words(old: &Entry, new: &Entry) -> String {
    let name = shortened(&old.name);
    if old.replaces != new.replaces {
        let (old, new) = (shortened(&old.replaces), shortened(&new.replaces));
        return format!("`{name}` replaces `{old}`, and not its rebuild `{new}`");
    }
    let first = missing(old, new).into_iter().next();
    format!("`{name}` does not skip `{}`", shortened(first.map_or("", String::as_str)))
}
