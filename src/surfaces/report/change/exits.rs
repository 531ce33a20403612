//! Releases that a change strands or unblocks, grouped by what strands them.

use crate::analysis::Simulation;
use crate::change::{BrokenStatement, ExitEntry, RiskStatus};
use crate::domain::{HashSet, Severity};
use crate::rules::Stranding;

use super::ChangeReport;

/// Releases that one cause strands, or that are unblocked.
pub(super) struct ExitItem {
    /// None for an improvement.
    pub(super) severity: Option<Severity>,
    pub(super) summary: String,
    /// Which releases cannot reach which goal, and where. Empty if the summary contains it.
    pub(super) details: Vec<String>,
    pub(super) help: Option<String>,
}

/// The sections about exit paths with their headings, the worst first.
pub(super) fn sections(report: &ChangeReport<'_>) -> Vec<(&'static str, Vec<ExitItem>)> {
    let exits = &report.change.exits;
    let declared = report.comparison().risks.iter().filter(|risk| risk.status != RiskStatus::Gone);
    let declared: HashSet<&str> = declared.filter_map(|risk| risk.name.as_deref()).collect();
    let items =
        |simulation: &Simulation<'_>, entries: &[ExitEntry], is_good: bool| -> Vec<ExitItem> {
            let strandings =
                Stranding::of_change(simulation, entries, &|name| declared.contains(name));
            let item = |stranding: &Stranding<'_>| {
                let lines = stranding.lines();
                // A single line fits into the sentence.
                let is_short = lines.len() <= 1;
                ExitItem {
                    severity: (!is_good).then_some(stranding.severity),
                    summary: if is_short { stranding.sentence() } else { stranding.heading() },
                    details: if is_short { Vec::new() } else { lines },
                    help: stranding.help().filter(|_| !is_good),
                }
            };
            strandings.iter().map(item).collect()
        };
    vec![
        (
            "Newly stranded, with every conditional update removed",
            items(&exits.after, &exits.stranded, false),
        ),
        (
            "Added with conditional updates only",
            items(&exits.after, &exits.conditional_only, false),
        ),
        ("Unblocked", items(&exits.before, &exits.unblocked, true)),
    ]
}

/// A sentence, and which releases cannot reach which goal, and where.
pub(in crate::surfaces::report) type SentenceWithDetails = (String, Vec<String>);

/// The sections about exit paths that have items. Each item is a sentence with details.
pub(in crate::surfaces::report) fn exit_sentences(
    report: &ChangeReport<'_>,
) -> Vec<(&'static str, Vec<SentenceWithDetails>)> {
    let sentence = |item: ExitItem| (item.summary, item.details);
    let sections = sections(report).into_iter().filter(|(_, items)| !items.is_empty());
    sections.map(|(heading, items)| (heading, items.into_iter().map(sentence).collect())).collect()
}

/// A sentence for each expectation that is not fulfilled.
pub(super) fn broken_expectations(report: &ChangeReport<'_>) -> Vec<String> {
    let sentence = |one: &BrokenStatement<'_>| {
        let stated = one.stated;
        let by = match &stated.commit {
            Some(commit) => format!(" of commit {}", commit.get(..10).unwrap_or(commit)),
            None => String::new(),
        };
        let fails = if stated.statement.is_ok() { "does not hold" } else { "cannot be read" };
        format!("`{}`{by} {fails}: {}", stated.text, one.why)
    };
    report.broken.iter().map(sentence).collect()
}
