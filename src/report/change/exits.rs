//! Who is stranded by a change and who is unblocked, by what strands them.

use std::collections::HashSet;

use crate::analysis::Simulation;
use crate::change::{ExitEntry, RiskStatus};
use crate::domain::Severity;
use crate::rules::Stranding;

use super::ChangeReport;

/// Releases that one cause strands, or that are free of it.
pub(super) struct Told {
    /// How bad it is; nothing of what is good.
    pub(super) severity: Option<Severity>,
    /// The whole in one sentence.
    pub(super) what: String,
    /// Who cannot reach what, and where.
    pub(super) who: Vec<String>,
    /// What would help.
    pub(super) help: Option<String>,
}

/// The sections about exit paths: each with its heading, the worst first.
pub(super) fn sections(report: &ChangeReport<'_>) -> Vec<(&'static str, Vec<Told>)> {
    let exits = &report.change.exits;
    let declared = report.comparison().risks.iter().filter(|risk| risk.status != RiskStatus::Gone);
    let declared: HashSet<&str> = declared.filter_map(|risk| risk.name.as_deref()).collect();
    let told = |simulation: &Simulation<'_>, entries: &[ExitEntry], is_good: bool| -> Vec<Told> {
        let strandings = Stranding::of_change(simulation, entries, &|name| declared.contains(name));
        let told = |stranding: &Stranding<'_>| {
            let lines = stranding.lines();
            // One line fits into the sentence.
            let is_short = lines.len() <= 1;
            Told {
                severity: (!is_good).then_some(stranding.severity),
                what: if is_short { stranding.sentence() } else { stranding.heading() },
                who: if is_short { Vec::new() } else { lines },
                help: stranding.help().filter(|_| !is_good),
            }
        };
        strandings.iter().map(told).collect()
    };
    vec![
        (
            "Newly stranded, with every conditional update removed",
            told(&exits.after, &exits.stranded, false),
        ),
        ("Added with conditional updates only", told(&exits.after, &exits.conditional_only, false)),
        ("Freed", told(&exits.before, &exits.unblocked, true)),
    ]
}

/// The statements that the change does not keep, in words.
pub(super) fn expectations(report: &ChangeReport<'_>) -> Vec<String> {
    let told = |one: &crate::change::BrokenStatement| {
        let stated = &report.expectations[one.stated];
        let by = match &stated.commit {
            Some(commit) => format!(" of commit {}", commit.get(..10).unwrap_or(commit)),
            None => String::new(),
        };
        let fails = if stated.statement.is_ok() { "does not hold" } else { "cannot be read" };
        format!("`{}`{by} {fails}: {}", stated.text, one.why)
    };
    report.broken().iter().map(told).collect()
}
