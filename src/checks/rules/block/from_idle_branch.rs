//! An alternative in a `from` that matches nothing.

use std::ops::Range;

use crate::domain::HashMap;
use crate::graph_data::{GraphData, Reached, ReleaseId};
use crate::rules::shared::patterns::{PatternGroup, Typo, find_typo, pattern_groups};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP108",
    name: "from-idle-branch",
    properties: Properties::OF_ONE_RISK,
    family: Family::Block,
    severity: Severity::Warning,
    summary: "an alternative in a `from` that matches no release because of a typo",
    explanation: "\
One of the alternatives between `|` matches no version, but would match if a typo were
fixed: a missing or extra dot, an extra bracket, or a `$` where the architecture
follows. The releases that it was meant to match keep their updates.",
    bad: "from: ^4[.](13[.].*|14[.]0-ec[0-2])[+].*$",
    good: "from: ^4[.](13[.].*|14[.]0-ec[.][0-2])[+].*$",
    check: Check::Declarations(check),
};

/// People do not write patterns with more alternatives.
const MOST: usize = 64;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    // Many risks share a pattern and origins, so these typos are looked for once.
    let mut known: HashMap<(&str, &[Range<ReleaseId>]), Vec<IdleBranch>> = HashMap::default();
    for group in pattern_groups(data) {
        let text = group.from.value.as_str();
        let idle = known.entry((text, group.origins()));
        for IdleBranch { branch, typo } in idle.or_insert_with(|| idle_branches(data, &group)) {
            let message = format!(
                "the alternative `{}` matches no release in any channel, so it affects no updates",
                shortened(&text[branch.clone()])
            );
            let finding = Finding::at(&RULE, group.span(branch.clone()), message)
                .help(format!("{}: write `{}`", typo.what, typo.corrected));
            findings.push(group.with_other_declarations(finding));
        }
    }
}

/// An alternative that matches nothing because of a typo.
struct IdleBranch {
    /// Its bytes in the pattern.
    branch: Range<usize>,
    typo: Typo,
}

fn idle_branches(data: &GraphData, group: &PatternGroup<'_>) -> Vec<IdleBranch> {
    let Some(walk) = &group.pattern.walk else { return Vec::new() };
    if !group.pattern.reach.any || walk.branches().count() > MOST {
        return Vec::new();
    }
    let reached: Vec<&Reached> = group.reached().collect();
    // Alternatives usually have the order of versions: begin where the one before matched.
    let mut last = 0;
    let mut is_idle = |branch: usize| {
        let path = walk.path_to(branch);
        let is_used = |served: &str| walk.matches_through(&path, served) != Some(false);
        let (before, after) = reached.split_at(last);
        let mut origins = after.iter().chain(before).map(|r| data.releases.get(r.release));
        if let Some(further) = origins.position(|release| is_used(&release.served)) {
            last = (last + further) % reached.len();
            return false;
        }
        !data.releases.iter().any(|(_, release)| is_used(&release.served))
    };
    let idle = walk.branches().enumerate().filter(|(i, _)| is_idle(*i));
    let with_typo = idle.filter_map(|(_, branch)| {
        Some(IdleBranch { branch: branch.clone(), typo: find_typo(group, branch.clone())? })
    });
    with_typo.collect()
}
