//! A key or a schema that opm drops.

use std::collections::BTreeMap;

use crate::catalog::declared::OddityKind;
use crate::edit;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::{list_all, quoted};
use crate::text::{Span, closest, is_typo_of};

use super::shared::{of_several, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC117",
    name: "unknown-field",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a key or a schema that opm does not know, so it drops what is there",
    explanation: "\
opm ignores unknown keys and reports nothing. `skip-range:`, `skipRanges:`, `skip:`, and
`replace:` are the usual mistakes: the entry then updates nothing, and `opm validate`
passes. Upper and lower case do not matter in keys. The
same key in one package is one finding.

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

/// A key that opm does not know.
struct Unknown<'d> {
    span: Span,
    /// The keys that opm knows at this place.
    known: &'static [&'static str],
    /// The known keys that are absent here and accept a value of this kind.
    fitting: &'d [&'static str],
}

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    // A template or script repeats one mistake, so equal unknown keys are one finding.
    let mut unknown: BTreeMap<(&str, &str, &str), Vec<Unknown>> = BTreeMap::new();
    for oddity in &subject.declared.oddities {
        match &oddity.kind {
            OddityKind::UnknownKey { key, owner, known, fitting } => {
                let package = package_at(subject, oddity.span);
                let one = Unknown { span: oddity.span, known, fitting };
                unknown.entry((package, owner, key)).or_default().push(one);
            }
            OddityKind::UnknownSchema { schema } => {
                findings.push(unknown_schema(schema, oddity.span));
            }
            OddityKind::RepeatedKey => {}
        }
    }
    for ((_, owner, key), found) in unknown {
        findings.extend(unknown_key(subject, key, owner, &found));
    }
}

fn unknown_key(
    subject: &CatalogSubject<'_>,
    key: &str,
    owner: &str,
    found: &[Unknown<'_>],
) -> Option<Finding> {
    let places: Vec<Span> = found.iter().map(|one| one.span).collect();
    let known = found.first().map_or(&[][..], |one| one.known);
    let meant = meant_key(key, owner, known);
    let lost = meant.and_then(|meant| lost(owner, meant)).unwrap_or("and ignores it");
    let more = of_several(places.len(), "places in the package have it");
    let message = format!(
        "opm does not know the key `{}` of {} {owner}, {lost}{more}",
        whole(key),
        article(owner),
    );
    let help = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("remove it; the keys are {}", list_all(&quoted(known), "and")),
    };
    // In other documents, an unknown key may be a remark for people.
    let is_error = meant.is_some() || matches!(owner, "entry" | "channel");
    let severity = if is_error { Severity::Error } else { Severity::Warning };
    let finding = one_finding(&RULE, &places, message, "the same key")?;
    let finding = finding.help(help).severity(severity);
    let meant = meant.filter(|meant| is_sure(key, meant, found));
    Some(match meant.zip(subject.sources) {
        Some((meant, sources)) => {
            let renamed = |span: &Span| edit::renamed(sources.get(span.source), *span, meant);
            finding.fix_all(format!("write `{meant}`"), places.iter().map(renamed).collect())
        }
        None => finding,
    })
}

/// Whether a key is a typo of another one, which is absent at all of its places.
fn is_sure(key: &str, meant: &str, found: &[Unknown<'_>]) -> bool {
    is_typo_of(key, meant) && found.iter().all(|one| one.fitting.contains(&meant))
}

/// What a catalog loses with a misspelled key.
fn lost(owner: &str, meant: &str) -> Option<&'static str> {
    match (owner, meant) {
        ("entry", "replaces") => Some("so the entry replaces nothing"),
        ("entry", "skips") => Some("so the entry skips nothing"),
        ("entry", "skipRange") => Some("so the entry has no range, and updates fewer installs"),
        ("package", "defaultChannel") => Some("so the package has no default channel"),
        ("channel", "entries") => Some("so the channel has no entries"),
        ("bundle", "properties") => Some("so the bundle has no version"),
        _ => None,
    }
}

fn unknown_schema(schema: &str, span: Span) -> Finding {
    let message =
        format!("opm does not know the schema `{}`, and ignores this document", whole(schema));
    let lower = schema.to_lowercase();
    let same = SCHEMAS.iter().find(|known| **known == lower).copied();
    let finding = Finding::at(&RULE, span, message);
    match same.or_else(|| closest(&lower, SCHEMAS)) {
        Some(meant) => finding.help(format!("did you mean `{meant}`?")),
        None => finding,
    }
}

fn package_at<'a>(subject: &CatalogSubject<'a>, span: Span) -> &'a str {
    let declared = subject.declared;
    let channel = declared.channel_around(span).map(|blob| &blob.package);
    let bundle = || declared.bundle_around(span).map(|blob| &blob.package);
    let package = || declared.package_around(span).map(|blob| &blob.name);
    channel.or_else(bundle).or_else(package).map_or("", |name| &name.value)
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// The key that an unknown key means. OLM's documentation "creating an update graph" writes a
/// channel's name as `channel`, which is a frequent mistake.
fn meant_key<'k>(key: &str, owner: &str, known: &[&'k str]) -> Option<&'k str> {
    match (owner, key) {
        ("channel", "channel" | "channelName") => Some("name"),
        _ => closest(key, known.iter().copied()),
    }
}
