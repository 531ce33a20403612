//! A `.` in a `from` that stands for more than a dot.

use std::ops::Range;

use crate::graph_data::{GraphData, Match, Reached, Walk};
use crate::rules::origins::{Copies, copies, ranges};
use crate::rules::{Check, Edit, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP107",
    name: "from-wild-dot",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a `.` in a `from` that reaches releases by standing for another character",
    explanation: "\
In a regular expression `.` is any character: `4[.]14[.].[3-8]` is found in 4.14.13,
but not in 4.14.3. Where a `.` only ever stands for a dot, this rule is silent.",
    bad: "from: ^4[.]13[.].[3-8][+].*$",
    good: "from: ^4[.]13[.][3-8][+].*$",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for copies in copies(data) {
        let (wild, plain) = (copies.matched_by(Match::Dot), copies.matched_by(Match::Plain));
        let dots = copies.pattern.walk.as_ref().map_or(&[][..], |walk| walk.dots());
        let Some(first) = dots.first().filter(|_| !wild.is_empty()) else { continue };
        let span = copies.span(data, first.clone());
        let wild = ranges(data, &wild);
        if plain.is_empty() {
            let message = format!(
                "`.` stands for any character here: the pattern matches {wild} by that alone"
            );
            let finding = Finding::at(&RULE, span, message)
                .help("a dot is written `[.]`; drop the `.` if there is one too many");
            findings.push(copies.point_at_copies(finding));
            continue;
        }
        let message =
            format!("`.` stands for any character here, and the pattern also matches {wild}");
        let finding = Finding::at(&RULE, span, message).help(format!(
            "a dot is written `[.]`; then the pattern means {}",
            ranges(data, &plain)
        ));
        let finding = match escaped(data, &copies, dots) {
            Some(edits) => finding.fix_all("escape the dots", edits),
            None => finding,
        };
        findings.push(copies.point_at_copies(finding));
    }
}

/// Escapes the dots, if each part of the pattern still matches something then.
fn escaped(data: &GraphData, copies: &Copies<'_>, dots: &[Range<usize>]) -> Option<Vec<Edit>> {
    let mut text = copies.from.value.clone();
    for dot in dots.iter().rev() {
        text.replace_range(dot.clone(), "[.]");
    }
    let walk = Walk::of(&text)?;
    let origins = || copies.pattern.reach.iter().flat_map(|reach| &reach.origins);
    let is_used = |branch: usize| {
        let served = |reached: &Reached| &data.releases.get(reached.release).served;
        origins().any(|reached| walk.matches_through(branch, served(reached)) == Some(true))
    };
    let edit = |copy: usize, dot: &Range<usize>| Edit {
        span: copies.span_in(data, copy, dot.clone()),
        text: "[.]".to_owned(),
    };
    let all = (0..copies.edges.len()).flat_map(|copy| dots.iter().map(move |dot| edit(copy, dot)));
    (0..walk.branches().count()).all(is_used).then(|| all.collect())
}
