//! An API that a bundle requires, and that no bundle of the catalog provides.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::declared::PropertyValue;
use crate::catalog::default_provider;
use crate::catalog::package::Gvk;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::{listed, quoted};
use crate::text::{Span, closest};

use super::shared::requirer::{Requirer, by_role};
use super::shared::{of_several, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC127",
    name: "unprovided-api",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "an `olm.gvk.required` that no bundle of the catalog provides",
    explanation: "\
Together with a bundle, OLM installs bundles that provide the APIs in its `olm.gvk.required`. The
group, the version, and the kind must be those of an `olm.gvk`. If no bundle provides the API, OLM
cannot install the bundle, unless another catalog of the cluster has a provider.

`--with CATALOG` names the other catalogs of the cluster. Without it, exitpath knows some APIs of
OpenShift's default catalogs, such as those of cert-manager. What OLM never installs, such as a skipped
entry, is only an info.

A catalog with one package is usually a part of a larger one. There, only an API whose group is
known is reported: then the kind or the version is wrong.",
    bad: "\
# another bundle provides Lamp in version v1
properties:
- type: olm.gvk.required
  value: {group: example.com, kind: Lamp, version: v1beta1}",
    good: "\
properties:
- type: olm.gvk.required
  value: {group: example.com, kind: Lamp, version: v1}",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let bundles = subject.all_packages().flat_map(|package| &package.bundles);
    let provided: BTreeSet<&Gvk> = bundles.flat_map(|bundle| &bundle.provides).collect();
    let is_elsewhere = |api: &Gvk| subject.others.is_empty() && default_provider(api).is_some();
    // Bundles of one package usually require the same APIs, so equal requirements are one finding.
    let mut missing: BTreeMap<(&str, &Gvk), Vec<Requirer<'_>>> = BTreeMap::new();
    for bundle in &subject.declared.bundles {
        for property in bundle.properties.iter().filter(|property| property.fault.is_none()) {
            let PropertyValue::RequiresGvk(api) = &property.value else { continue };
            if !provided.contains(api) && !is_elsewhere(api) {
                let requirer = Requirer::of(subject, bundle, property.span);
                missing.entry((&bundle.package.value, api)).or_default().push(requirer);
            }
        }
    }
    for ((_, api), mut requirers) in missing {
        let first = Gvk { group: api.group.clone(), ..Gvk::default() };
        let of_group = provided.range::<&Gvk, _>(&first..).copied();
        let of_group = of_group.take_while(|known| known.group == api.group);
        let of_group: Vec<&Gvk> = of_group.take(MOST_COMPARED).collect();
        if of_group.is_empty() && subject.packages.len() < 2 && subject.others.is_empty() {
            continue;
        }
        by_role(&mut requirers);
        let from = if subject.others.is_empty() { "this catalog alone" } else { "these catalogs" };
        findings.extend(finding(api, from, &of_group, &requirers));
    }
}

fn finding(
    api: &Gvk,
    from: &str,
    of_group: &[&Gvk],
    requirers: &[Requirer<'_>],
) -> Option<Finding> {
    let first = requirers.first()?;
    let more = of_several(requirers.len(), "bundles require it");
    let message = format!(
        "{} requires the API `{}`, but no bundle provides it, so OLM cannot install this bundle from \
         {from}{more}",
        first.in_words(),
        shown(api)
    );
    let severity = if first.is_installed() { Severity::Warning } else { Severity::Info };
    let places: Vec<Span> = requirers.iter().map(|one| one.span).collect();
    let names: Vec<&str> = requirers.iter().map(|one| one.bundle).collect();
    let finding = one_finding(&RULE, &places, message, "this bundle requires it too")?;
    Some(finding.help(help(api, of_group)).severity(severity).installs(&names))
}

/// The most APIs of one group that are compared. Real groups have some tens.
const MOST_COMPARED: usize = 100;

/// Names the APIs of the group that the author may mean.
fn help(gvk: &Gvk, of_group: &[&Gvk]) -> String {
    let same_kind = of_group.iter().filter(|known| known.kind == gvk.kind);
    let versions: Vec<String> = same_kind.map(|known| whole(&known.version)).collect();
    if !versions.is_empty() {
        return format!("the catalog provides {} of it", listed(&quoted(&versions), "and"));
    }
    match closest(&gvk.kind, of_group.iter().map(|known| known.kind.as_str())) {
        Some(kind) => format!("did you mean the kind `{}`?", whole(kind)),
        None => "correct the API, or name the other catalogs of the cluster with `--with CATALOG`"
            .to_owned(),
    }
}

fn shown(gvk: &Gvk) -> String {
    whole(&format!("{}/{} {}", gvk.group, gvk.version, gvk.kind))
}
