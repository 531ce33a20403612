//! A `fixedIn` that cannot follow its target.

use crate::authoring::fixed_in_version;
use crate::domain::Minor;
use crate::graph_data::GraphData;

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP221",
    name: "fixed-in-misplaced",
    properties: Properties::OF_TEXTS,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a `fixedIn` that is not a later release of the target's minor",
    explanation: "\
`fixedIn` shows the promotion bot, and people, which later release of the same minor no
longer has the risk. If it is not later than `to`, it says that the target does not have
the risk that is declared for it. If it is in another minor, it is never reached.",
    bad: "\
to: 4.14.3
fixedIn: 4.13.9",
    good: "\
to: 4.14.3
fixedIn: 4.14.9",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for edge in &data.blocked_edges {
        let (Some(written), Some(fixed), Some(target)) =
            (&edge.fixed_in, fixed_in_version(edge), &edge.target)
        else {
            continue;
        };
        let (of, fixed_of) = (Minor::of(target), Minor::of(&fixed));
        let what = if fixed_of != of {
            format!(
                "is in {fixed_of}, but the target is {target}: the file does not say which {of} release has the fix"
            )
        } else if fixed.cmp_precedence(target).is_le() {
            format!("is not later than the target {target}")
        } else {
            continue;
        };
        let message = format!("`fixedIn: {}` {what}", shortened(&written.value));
        findings.push(
            Finding::at(&RULE, written.span, message)
                .help(format!("name the first {of} release without the risk")),
        );
    }
}
