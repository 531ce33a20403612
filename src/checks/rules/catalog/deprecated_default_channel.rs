//! A default channel that is deprecated.

use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::{listed, quoted};

pub(super) static RULE: Rule = Rule {
    code: "OC116",
    name: "deprecated-default-channel",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a default channel that is deprecated, although another channel is not",
    explanation: "\
A Subscription without a channel uses the default channel, and so does the console for new
ones. If that channel is deprecated, new users begin with a warning and have to switch.

Make a channel the default that is not deprecated.",
    bad: "\
schema: olm.package
name: example
defaultChannel: v1
---
schema: olm.deprecations
package: example
entries:
- reference:
    schema: olm.channel
    name: v1
  message: Channel v1 gets no updates. Switch to v2.",
    good: "\
schema: olm.package
name: example
defaultChannel: v2
---
schema: olm.deprecations
package: example
entries:
- reference:
    schema: olm.channel
    name: v1
  message: Channel v1 gets no updates. Switch to v2.",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for package in subject.packages.iter().filter(|package| package.deprecation.is_none()) {
        let default = package.channel(&package.default_channel);
        let is_deprecated = default.is_some_and(|channel| channel.deprecation.is_some());
        let others = package.channels.iter().filter(|channel| channel.deprecation.is_none());
        let others: Vec<String> = others.map(|channel| whole(&channel.name)).collect();
        let Some(blob) = subject.places.package(&package.name) else { continue };
        if !is_deprecated || others.is_empty() {
            continue;
        }
        let message = format!(
            "the default channel `{}` is deprecated: new Subscriptions use it and begin with a \
             warning",
            whole(&package.default_channel)
        );
        let help = match others.as_slice() {
            [one] => format!("make `{one}` the default channel"),
            several => format!("make one of these the default: {}", listed(&quoted(several), "or")),
        };
        findings.push(Finding::at(&RULE, blob.default_channel.span, message).help(help));
    }
}
