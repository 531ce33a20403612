//! A key or a schema that opm drops.

use crate::catalog::declared::OddityKind;
use crate::rules::{CatalogSubject, Check, Family, Finding, Rule, Severity, whole};
use crate::text::closest;
use crate::text::words::{list_all, quoted};

pub(super) static RULE: Rule = Rule {
    code: "OC117",
    name: "unknown-field",
    aliases: &[],
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a key or a schema that opm does not know, so it drops what is there",
    explanation: "\
opm ignores unknown keys and reports nothing. `skip-range:`, `skipRanges:`, `skip:`, and
`replace:` are the usual mistakes: the entry then updates nothing, and `opm validate`
passes. Upper and lower case do not matter in keys.

Documents with an unknown schema are ignored too. Only those with a schema that is almost
a known one are reported.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  skip-range: '>=1.0.0 <1.1.0'",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  skipRange: '>=1.0.0 <1.1.0'",
    check: Check::Catalog(check),
};

const SCHEMAS: [&str; 4] = ["olm.package", "olm.channel", "olm.bundle", "olm.deprecations"];

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for oddity in &subject.declared.oddities {
        match &oddity.kind {
            OddityKind::UnknownKey { key, owner, known } => {
                let message = format!(
                    "opm does not know the key `{}` of {} {owner}, and ignores it",
                    whole(key),
                    article(owner),
                );
                let meant = meant_key(key, owner, known);
                let help = match meant {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("remove it; the keys are {}", list_all(&quoted(known), "and")),
                };
                let finding = Finding::at(&RULE, oddity.span, message).help(help);
                // Elsewhere, it may be a remark for people.
                let is_error = meant.is_some() || matches!(*owner, "entry" | "channel");
                let severity = if is_error { Severity::Error } else { Severity::Warning };
                findings.push(finding.severity(severity));
            }
            OddityKind::UnknownSchema { schema } => {
                let message = format!(
                    "opm does not know the schema `{}`, and ignores this document",
                    whole(schema)
                );
                let lower = schema.to_lowercase();
                let same = SCHEMAS.iter().find(|known| **known == lower).copied();
                let finding = Finding::at(&RULE, oddity.span, message);
                findings.push(match same.or_else(|| closest(&lower, SCHEMAS)) {
                    Some(meant) => finding.help(format!("did you mean `{meant}`?")),
                    None => finding,
                });
            }
            OddityKind::RepeatedKey => {}
        }
    }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// The page "creating an update graph" of OLM's documentation has `channel` for the name of a
/// channel.
fn meant_key(key: &str, owner: &str, known: &'static [&'static str]) -> Option<&'static str> {
    match (owner, key) {
        ("channel", "channel" | "channelName") => Some("name"),
        _ => closest(key, known.iter().copied()),
    }
}
