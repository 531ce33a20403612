//! An `olm.maxOpenShiftVersion` that OLM reads differently than its author means it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::catalog::openshift_limit::OpenShiftLimit;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::{Span, Spanned};

use super::shared::{of_several, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC119",
    name: "max-openshift-version",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "an `olm.maxOpenShiftVersion` that is a number or not `major.minor`",
    explanation: "\
A cluster with an installed bundle cannot be updated past the minor version in this property.
If OLM cannot read the value, it blocks all minor updates of the cluster.

The value is a text with two numbers, such as `\"4.20\"`. Without quotes, it is
a number, and 4.20 becomes 4.2: this blocks every minor update of an OpenShift that is in
use. A patch (`4.20.3`) or a pre-release is invalid, and so is an empty text. A bundle may
have the property only once.",
    bad: "\
properties:
- type: olm.maxOpenShiftVersion
  value: 4.20",
    good: "\
properties:
- type: olm.maxOpenShiftVersion
  value: \"4.20\"",
    check: Check::Catalog(check),
};

/// What is wrong with a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LimitFault {
    /// A number that loses a final zero when it is parsed, such as 4.20.
    Shortened,
    Number,
    NotMinor,
    Twice,
}

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    // Bundles of one package usually share a value, so equal faults are one finding.
    let mut faults: BTreeMap<(&str, LimitFault, String), Vec<Span>> = BTreeMap::new();
    for bundle in &subject.declared.bundles {
        let package = bundle.package.value.as_str();
        let values: Vec<&Spanned<Value>> = bundle.openshift_limits().collect();
        if let [_, second, ..] = values.as_slice() {
            let key = (package, LimitFault::Twice, String::new());
            faults.entry(key).or_default().push(second.span);
            continue;
        }
        for value in values {
            if let Some(fault) = fault(value) {
                let shown = shown(&value.value);
                faults.entry((package, fault, shown)).or_default().push(value.span);
            }
        }
    }
    for ((_, fault, shown), places) in faults {
        let shown = whole(&shown);
        let more = of_several(places.len(), "bundles have it");
        let (message, help) = match fault {
            LimitFault::Shortened => (
                format!(
                    "without quotes, this is the number {shown}, so OLM blocks updates of clusters \
                     past OpenShift {shown}{more}"
                ),
                format!("put the value in quotes, as in `\"{shown}0\"`"),
            ),
            LimitFault::Number => (
                format!(
                    "the value {shown} is a number and should be text: a minor version that ends \
                     in 0 would become another one{more}"
                ),
                format!("put the value in quotes: `\"{shown}\"`"),
            ),
            LimitFault::NotMinor => (
                format!(
                    "`{shown}` is not `major.minor`, so OLM blocks all minor updates of clusters \
                     with this operator{more}"
                ),
                "enter the last OpenShift minor version that the operator supports, such as `\"4.20\"`".to_owned(),
            ),
            LimitFault::Twice => (
                format!(
                    "the bundle has `olm.maxOpenShiftVersion` twice, so OLM blocks all minor \
                     updates of clusters with this operator{more}"
                ),
                "keep one of the properties".to_owned(),
            ),
        };
        let severity =
            if fault == LimitFault::Number { Severity::Warning } else { Severity::Error };
        let finding = one_finding(&RULE, &places, message, "this bundle has it too");
        findings.extend(finding.map(|finding| finding.help(help).severity(severity)));
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn fault(value: &Spanned<Value>) -> Option<LimitFault> {
    let json = value.value.to_string();
    if value.value.is_number() {
        let written = value.span.end - value.span.start;
        return Some(if written > json.len() { LimitFault::Shortened } else { LimitFault::Number });
    }
    let is_invalid =
        matches!(OpenShiftLimit::of_values([json.as_str()]), OpenShiftLimit::Invalid(_));
    is_invalid.then_some(LimitFault::NotMinor)
}
