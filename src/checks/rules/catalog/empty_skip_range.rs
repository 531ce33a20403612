//! A `skipRange` that contains no version at all.

use crate::go::semver::Range;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::is_empty;

pub(super) static RULE: Rule = Rule {
    code: "OC108",
    name: "empty-skip-range",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a `skipRange` that no version can be in",
    explanation: "\
Bounds with a space between them must all hold. A range such as `>=2.0.0 <1.0.0` contains
no version, so the entry updates nothing by it, and OLM does not report it.

Check the order of the bounds, and put `||` with spaces around it between alternatives.
`!=1.2.x` also contains nothing: OLM reads it as `<1.2.0 >=1.3.0`.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  skipRange: '>=1.1.0 <1.0.0'",
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
    for channel in &subject.declared.channels {
        for entry in &channel.entries {
            let Ok(range) = Range::parse(&entry.skip_range.value) else { continue };
            if is_empty(&range) {
                let message = format!(
                    "no version is in the range `{}`, so `{}` updates nothing by it",
                    whole(range.text()),
                    whole(&entry.name.value)
                );
                let help = "check the order of the bounds; put ` || ` between alternatives";
                findings.push(Finding::at(&RULE, entry.skip_range.span, message).help(help));
            }
        }
    }
}
