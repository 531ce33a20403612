//! A branch of a `from` that matches nothing.

use crate::graph_data::GraphData;

use super::origins::{copies, slip};
use super::{Check, Family, Finding, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP108",
    name: "from-idle-branch",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Warning,
    summary: "an alternative in a `from` that matches no release, by a slip",
    explanation: "\
One of the alternatives between `|` is found in no version, and would be if a slip
were mended: a dot too few or too many, a bracket left over, a `$` that leaves no
room for the architecture. The releases that it was to name keep their updates.",
    bad: "from: ^4[.](13[.].*|14[.]0-ec[0-2])[+].*$",
    good: "from: ^4[.](13[.].*|14[.]0-ec[.][0-2])[+].*$",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for copies in copies(data) {
        let (Some(walk), Some(reach)) = (&copies.pattern.walk, &copies.pattern.reach) else {
            continue;
        };
        if !reach.any {
            continue;
        }
        for (i, branch) in walk.branches().enumerate() {
            let is_used = |served: &str| walk.matches_through(i, served) != Some(false);
            let mut origins = reach.origins.iter().map(|r| data.releases.get(r.release));
            if origins.any(|release| is_used(&release.served))
                || data.releases.iter().any(|(_, release)| is_used(&release.served))
            {
                continue;
            }
            let text = &copies.from.value[branch.clone()];
            let Some(slip) = slip(data, &copies.from.value, branch.clone()) else {
                continue;
            };
            let message = format!(
                "the alternative `{}` matches no release of any channel, so it stops no update",
                shortened(text)
            );
            let finding = Finding::at(&RULE, copies.span(data, branch.clone()), message)
                .help(format!("{}: write `{}`", slip.why, slip.better));
            findings.push(copies.point_at_copies(finding));
        }
    }
}
