//! A `skipRange` in the metadata of a bundle that its entries lack.

use std::collections::BTreeMap;

use crate::catalog::declared::{BundleBlob, EntryBlob, PropertyValue, Text};
use crate::catalog::simulation::ChannelMoves;
use crate::domain::HashMap;
use crate::go::semver::Range;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::Span;

use super::shared::tried::can_have_ranges;
use super::shared::{of_several, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC130",
    name: "ignored-skip-range",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Info,
    summary: "an annotation `olm.skipRange` that differs from the `skipRange` of the entry",
    explanation: "\
In a file-based catalog, only the entries of channels say what a bundle updates. OLM ignores
`spec.replaces`, `spec.skips`, and the annotation `olm.skipRange` of the ClusterServiceVersion. If
the annotation has a range that no entry of the bundle has, its author may rely on updates that
do not exist.

Enter the range in the channel, or remove the annotation. `olm.csv.metadata` has the annotations
only, so `spec.replaces` and `spec.skips` are not compared.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0 # its annotation olm.skipRange is '>=1.0.0 <1.1.0'",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  skipRange: '>=1.0.0 <1.1.0'",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let mut entries: BTreeMap<(&str, &str), Vec<&EntryBlob>> = BTreeMap::new();
    for channel in &subject.declared.channels {
        for entry in &channel.entries {
            let key = (channel.package.value.as_str(), entry.name.value.as_str());
            entries.entry(key).or_default().push(entry);
        }
    }
    // One finding per package, because all of its bundles usually have this mistake.
    let mut ignored: BTreeMap<&str, Vec<(&BundleBlob, &Text)>> = BTreeMap::new();
    for bundle in &subject.declared.bundles {
        let Some(range) = annotated(bundle) else { continue };
        let key = (bundle.package.value.as_str(), bundle.name.value.as_str());
        let Some(entries) = entries.get(&key) else { continue };
        if !entries.iter().any(|entry| is_same(&entry.skip_range.value, &range.value)) {
            ignored.entry(&bundle.package.value).or_default().push((bundle, range));
        }
    }
    for bundles in ignored.into_values() {
        let Some((first, range)) = bundles.first() else { continue };
        let more = of_several(bundles.len(), "bundles of the package have such an annotation");
        let message = format!(
            "the annotation `olm.skipRange` of `{}` is `{}`, but no entry of the bundle has this \
             `skipRange`, and only entries count{more}",
            whole(&first.name.value),
            whole(&range.value)
        );
        let places: Vec<Span> = bundles.iter().map(|(_, range)| range.span).collect();
        let finding = one_finding(&RULE, &places, message, "no entry has this range either");
        findings.extend(finding.map(|finding| finding.help(help(subject, &bundles))));
    }
}

/// Suggests adding the ranges to the entries only if that does not move installs wrongly.
fn help(subject: &CatalogSubject<'_>, bundles: &[(&BundleBlob, &Text)]) -> &'static str {
    let package = bundles.first().map_or("", |(bundle, _)| bundle.package.value.as_str());
    let ranges = bundles.iter().map(|(bundle, range)| {
        Some((bundle.name.value.as_str(), Range::parse(&range.value).ok()?))
    });
    let Some(ranges) = ranges.collect::<Option<HashMap<&str, Range>>>() else {
        return "remove the annotation: OLM cannot read such a range";
    };
    let can_have_them = |moves: &ChannelMoves<'_>| {
        let of_channel = ranges.iter().filter(|(name, _)| moves.named(name).is_some());
        let of_channel = of_channel.map(|(name, range)| (*name, range.clone())).collect();
        can_have_ranges(moves, &of_channel)
    };
    let mut channels = subject.moves().filter(|moves| moves.package.name == package);
    if channels.all(can_have_them) {
        "add the range to the entry, or remove the annotation"
    } else {
        "remove the annotation: as a `skipRange`, it would move installs wrongly"
    }
}

fn annotated(bundle: &BundleBlob) -> Option<&Text> {
    let mut ranges = bundle.properties.iter().filter_map(|property| match &property.value {
        PropertyValue::CsvMetadata(metadata) => metadata.skip_range.as_ref(),
        _ => None,
    });
    ranges.find(|range| !range.value.trim().is_empty())
}

/// Whether two ranges have the same words.
fn is_same(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}
