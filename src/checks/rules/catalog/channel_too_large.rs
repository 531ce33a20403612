//! A channel that cannot be checked.

use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

pub(super) static RULE: Rule = Rule {
    code: "OC125",
    name: "channel-too-large",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a channel that is too large to check where its installs move",
    explanation: "\
The channel has more updates, or longer ranges, than any channel that is known. To look at
all of them would take too long, so exitpath does not know whether installs are stuck.

Write ranges with bounds (`>=1.0.0 <2.0.0`) instead of lists of versions.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  skipRange: '1.0.0 || 1.0.1 || 1.0.2' # and thousands more, in hundreds of entries",
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
    for channel in subject.channels.iter().filter(|channel| channel.moves.is_none()) {
        let Some(blob) = subject.places.channel(channel.package, channel.name) else { continue };
        let message = format!(
            "channel `{}` is too large to simulate: exitpath did not check where its installs move",
            whole(channel.name)
        );
        let help = "replace lists of versions in `skipRange` by bounds: `>=1.0.0 <2.0.0`";
        findings.push(Finding::at(&RULE, blob.name.span, message).help(help));
    }
}
