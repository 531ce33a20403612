//! A `from` that matches no release.

use crate::graph_data::GraphData;

use super::origins::{Copies, copies, slip};
use super::{Check, Family, Finding, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP103",
    name: "from-matches-nothing",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Error,
    summary: "a `from` that matches no release of any channel",
    explanation: "\
The service looks for the pattern in each origin's version with its architecture,
`4.13.5+amd64`. A pattern that is found in none declares nothing: the updates that
it was to stop are offered to everyone. Often it ends in `$` and leaves no room for
the architecture, or a dot is missing or one too many.",
    bad: "from: ^4[.]13[.][0-9]$",
    good: "from: ^4[.]13[.][0-9][+].*$",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    // Without channels, nothing is known to be matched.
    if data.releases.is_empty() {
        return;
    }
    let nothing = |copies: &Copies<'_>| copies.pattern.reach.as_ref().is_some_and(|r| !r.any);
    for copies in copies(data).into_iter().filter(nothing) {
        let what = match &copies.edges[0].name {
            Some(name) => format!("`{}` is declared for no update", shortened(&name.value)),
            None => "no update is blocked".to_owned(),
        };
        let message =
            format!("`from` matches no release of any channel, so {what} to {}", copies.targets());
        let help = match slip(data, &copies.from.value, 0..copies.from.value.len()) {
            Some(slip) => format!("{}: write `{}`", slip.why, slip.better),
            None => "it is searched for in versions like `4.13.5+amd64`: compare with the channels' releases".to_owned(),
        };
        let finding = Finding::at(&RULE, copies.from.span, message).help(help);
        findings.push(copies.point_at_copies(finding));
    }
}
