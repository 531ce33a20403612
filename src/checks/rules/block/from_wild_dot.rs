//! A `.` in a `from` that matches more than a dot.

use crate::graph_data::{GraphData, Match, ReleaseId};
use crate::rules::shared::patterns::pattern_groups;
use crate::rules::shared::words::ranges;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP107",
    name: "from-wild-dot",
    properties: Properties::OF_ONE_RISK,
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a `.` in a `from` that matches releases through a character other than a dot",
    explanation: "\
In a regular expression, `.` matches any character: `4[.]14[.].[3-8]` matches 4.14.13,
but not 4.14.3. This rule ignores a `.` that only ever matches a dot.",
    bad: "from: ^4[.]13[.].[3-8][+].*$",
    good: "from: ^4[.]13[.][3-8][+].*$",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for group in pattern_groups(data) {
        let dots = group.pattern.walk.as_ref().map_or(&[][..], |walk| walk.dots());
        let wild: Vec<ReleaseId> = group.matched_by(Match::Dot).collect();
        let Some(first) = dots.first().filter(|_| !wild.is_empty()) else { continue };
        let plain: Vec<ReleaseId> = group.matched_by(Match::Plain).collect();
        let span = group.span(first.clone());
        let wild = ranges(data, &wild);
        if plain.is_empty() {
            let message = format!(
                "`.` matches any character here: the pattern matches {wild} only because of that"
            );
            let finding = Finding::at(&RULE, span, message)
                .help("write a dot as `[.]`, or remove the `.` if it is extra");
            findings.push(group.with_other_declarations(finding));
            continue;
        }
        // No fix: it would change which releases the pattern matches, and only its author knows
        // which of them are meant.
        let message = format!("`.` matches any character here, so the pattern also matches {wild}");
        let finding = Finding::at(&RULE, span, message).help(format!(
            "write a dot as `[.]`; the pattern then matches {}{}",
            ranges(data, &plain),
            group.meant()
        ));
        findings.push(group.with_other_declarations(finding));
    }
}
