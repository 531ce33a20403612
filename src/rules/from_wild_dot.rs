//! A `.` in a `from` that stands for more than a dot.

use crate::graph_data::{GraphData, Match, ReleaseId};

use super::origins::{copies, ranges};
use super::{Check, Edit, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP107",
    name: "from-wild-dot",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a `.` in a `from` that reaches releases by standing for another character",
    explanation: "\
In a regular expression `.` is any character. `4.1[.]` is found in 4.11.3 as well
as in 4.1.3, and `4[.]14[.].[3-8]` in 4.14.13, but not in 4.14.3. Where a `.` only
ever stands for a dot, this rule is silent.",
    bad: "from: ^4[.]13[.].[3-8][+].*$",
    good: "from: ^4[.]13[.][3-8][+].*$",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for copies in copies(data) {
        let reached = copies.pattern.reach.iter().flat_map(|reach| &reach.origins);
        let by = |why: Match| -> Vec<ReleaseId> {
            reached.clone().filter(|r| r.why == why).map(|r| r.release).collect()
        };
        let (wild, plain) = (by(Match::Dot), by(Match::Plain));
        let dots = copies.pattern.walk.as_ref().map_or(&[][..], |walk| walk.dots());
        let Some(first) = dots.first().filter(|_| !wild.is_empty()) else { continue };
        let span = copies.span(data, first.clone());
        let wild = ranges(data, &wild);
        if plain.is_empty() {
            let message = format!("`.` stands for any character here: the pattern matches {wild} by that alone");
            let finding = Finding::at(&RULE, span, message)
                .help("a dot is written `[.]`; drop the `.` if there is one too many");
            findings.push(copies.point_at_copies(finding));
            continue;
        }
        let message = format!("`.` stands for any character here, so that {wild} are matched too");
        let edits = copies.edges.iter().enumerate().flat_map(|(i, _)| {
            dots.iter().map(move |dot| (i, dot.clone()))
        });
        let edits = edits.map(|(i, dot)| Edit { span: copies.span_in(data, i, dot), text: "[.]".to_owned() });
        let finding = Finding::at(&RULE, span, message)
            .help(format!("a dot is written `[.]`; then the pattern means {}", ranges(data, &plain)))
            .fix_all("escape the dots", edits.collect());
        findings.push(copies.point_at_copies(finding));
    }
}
