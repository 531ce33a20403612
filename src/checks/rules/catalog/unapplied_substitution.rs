//! Installs that are stranded because no entry names a rebuild.

use crate::catalog::substitution::{Loss, Requests, SubstitutedPackage};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::{counted, listed, quoted};

pub(super) static RULE: Rule = Rule {
    code: "OC133",
    name: "unapplied-substitution",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "installs that never reach the head, because entries do not name a rebuild",
    explanation: "\
The annotation `olm.substitutesFor` says that a bundle is a rebuild of another one: entries that
update the one should update the other, too. opm does not apply this to a catalog. So installs of the
rebuild may have no update.

If the entries already update everybody, because their author wrote the skips or ranges by hand, there
is nothing to do. A channel that lacks a rebuild is reported if it names the bundle that is rebuilt:
clusters that have the rebuild from another channel can switch to this one, and are stuck then.

`exitpath catalog substitute DIR` shows what the substitutions mean, and `--write` writes it into the
files.",
    bad: "\
# channel fast, where example.v1.0.1 substitutes for example.v1.0.0
entries:
- name: example.v1.0.0
- name: example.v1.0.1
  skips: [example.v1.0.0]
# channel stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0",
    good: "\
# channel stable
entries:
- name: example.v1.0.0
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
        let found = package.losses.iter().filter_map(|loss| finding(subject, &package, loss));
        findings.extend(found);
    }
}

/// The finding, at the first entry that has to change.
fn finding(
    subject: &CatalogSubject<'_>,
    package: &SubstitutedPackage,
    loss: &Loss,
) -> Option<Finding> {
    let name = &package.before.name;
    let (before, after) = package.channels().find(|(before, _)| before.name == loss.channel)?;
    let mut entries = before.entries.iter().zip(&after.entries);
    let (entry, _) =
        entries.find(|(old, new)| old.replaces != new.replaces || old.skips != new.skips)?;
    let place = subject.places.entry(name, &loss.channel, &entry.name)?.name.span;
    // Another rule reports a base that does not exist.
    let is_known = |name: &&String| package.before.bundle(name).is_some();
    let stranded: Vec<&String> = loss.lost.iter().filter(is_known).collect();
    let names: Vec<String> = stranded.iter().map(|name| whole(name)).collect();
    let who = match names.as_slice() {
        [] => return None,
        [one] => format!("installs of `{one}`"),
        several => {
            let count = counted(several.len(), "entry");
            format!("installs of {count}, such as {},", listed(&quoted(&several[..1]), "and"))
        }
    };
    let message = format!(
        "{who} never reach the head of channel `{}`: opm does not apply `olm.substitutesFor`, and the \
         entries do not update both the bundle and its rebuild",
        whole(&loss.channel)
    );
    let help = "`exitpath catalog substitute` shows the edit that unblocks them, and writes it with \
                `--write`";
    Some(Finding::at(&RULE, place, message).help(help).installs(&stranded))
}
