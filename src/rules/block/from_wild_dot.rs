//! A `.` in a `from` that matches more than a dot.

use std::ops::Range;

use crate::graph_data::{GraphData, Match, Reached, Walk};
use crate::rules::shared::patterns::{PatternGroup, pattern_groups};
use crate::rules::shared::words::ranges;
use crate::rules::{Check, Edit, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP107",
    name: "from-wild-dot",
    aliases: &[],
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
        let (wild, plain) = (group.matched_by(Match::Dot), group.matched_by(Match::Plain));
        let dots = group.pattern.walk.as_ref().map_or(&[][..], |walk| walk.dots());
        let Some(first) = dots.first().filter(|_| !wild.is_empty()) else { continue };
        let span = group.span(data, first.clone());
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
        let message = format!("`.` matches any character here, so the pattern also matches {wild}");
        let finding = Finding::at(&RULE, span, message).help(format!(
            "write a dot as `[.]`; the pattern then matches {}",
            ranges(data, &plain)
        ));
        let finding = match escape_dots(data, &group, dots) {
            Some(edits) => finding.fix_all("escape the dots", edits),
            None => finding,
        };
        findings.push(group.with_other_declarations(finding));
    }
}

/// Edits that escape the dots, if each alternative of the pattern still matches something then.
fn escape_dots(
    data: &GraphData,
    group: &PatternGroup<'_>,
    dots: &[Range<usize>],
) -> Option<Vec<Edit>> {
    let mut text = group.from.value.clone();
    for dot in dots.iter().rev() {
        text.replace_range(dot.clone(), "[.]");
    }
    let walk = Walk::of(&text)?;
    let origins = || group.pattern.reach.iter().flat_map(|reach| &reach.origins);
    let is_used = |branch: usize| {
        let served = |reached: &Reached| &data.releases.get(reached.release).served;
        origins().any(|reached| walk.matches_through(branch, served(reached)) == Some(true))
    };
    let edit = |index: usize, dot: &Range<usize>| Edit {
        span: group.span_in(data, index, dot.clone()),
        text: "[.]".to_owned(),
    };
    let all = (0..group.edges.len()).flat_map(|index| dots.iter().map(move |dot| edit(index, dot)));
    (0..walk.branches().count()).all(is_used).then(|| all.collect())
}
