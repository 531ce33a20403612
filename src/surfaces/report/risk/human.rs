//! Writes the report for people.

use std::io::{self, Write};

use crate::cluster::{Exposure, MatchingRule};
use crate::domain::{Named, Severity};
use crate::graph_data::BlockedEdge;
use crate::metrics::QueryError;
use crate::promql::{self, Dialect, Value, in_json};
use crate::report::query::answer_in_words;
use crate::report::workflow_commands::without_command;
use crate::report::{Style, write_line};
use crate::risks::{Definition, SampleVerdict, applies_to_no_sample};
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::RiskReport;

pub(super) fn write(report: &RiskReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Some((first, _)) = report.definitions.first() else { return Ok(()) };
    writeln!(out, "{}", style.bold(&printable(first.name)))?;
    let several = report.definitions.len();
    if several > 1 {
        let files = format!(
            "  Its files have {several} different definitions. Clusters since 4.22 use that of the newest target for all targets, and older clusters use each target's own."
        );
        write_line(style, &files, 2, out)?;
    }
    for (nth, (definition, verdicts)) in report.definitions.iter().enumerate() {
        writeln!(out)?;
        if several > 1 {
            let title = format!("definition {} of {several}", nth + 1);
            writeln!(out, "{}", style.bold(&title))?;
        }
        write_definition(report, definition, verdicts, style, out)?;
    }
    Ok(())
}

fn write_definition(
    report: &RiskReport<'_>,
    definition: &Definition<'_>,
    verdicts: &[SampleVerdict],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for line in definition.message.trim_end().lines() {
        write_line(style, &format!("  {}", printable(line)), 2, out)?;
    }
    writeln!(out, "  {}", printable(definition.url))?;
    writeln!(out, "\n{}", style.bold("updates"))?;
    for alike in definition.edges.chunk_by(|a, b| pattern(a) == pattern(b)) {
        write_line(style, &format!("  {}", printable(&updates(report, alike))), 4, out)?;
    }
    if definition.rules.is_empty() {
        let dropped =
            "  It has no rule that clusters understand, so all clusters drop these updates.";
        writeln!(out, "\n{}", style.bold("rule"))?;
        write_line(style, dropped, 2, out)?;
    }
    for (nth, rule) in definition.rules.iter().enumerate() {
        let nth = if definition.rules.len() > 1 { format!(" {}", nth + 1) } else { String::new() };
        match rule {
            MatchingRule::Always => {
                writeln!(
                    out,
                    "\n{}\n  It applies to all clusters.",
                    style.bold(&format!("rule{nth}"))
                )?;
            }
            MatchingRule::PromQl(query) => {
                writeln!(out, "\n{}", style.bold(&format!("query{nth}")))?;
                for line in laid_out(query, style.columns() - 2).lines() {
                    writeln!(out, "{}", without_command(&format!("  {}", printable(line))))?;
                }
                if let Some(checked) = report.checked(query) {
                    writeln!(out)?;
                    checked.write(style, out)?;
                }
            }
        }
    }
    if definition.queries().next().is_none() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold("sample clusters"))?;
    write_verdicts(verdicts, style, out)?;
    if applies_to_no_sample(definition, verdicts) {
        let warning =
            "⚠ It applies to no sample cluster, so nothing here shows that it catches a cluster.";
        let help =
            "  `exitpath test --new RISK` writes a test with a small cluster to which it applies.";
        let help = help.replace("RISK", &printable(definition.name));
        writeln!(out)?;
        write_line(style, &style.mark(warning, Some(Severity::Warning)), 2, out)?;
        write_line(style, &help, 2, out)?;
    }
    Ok(())
}

/// The query as written, or laid out again if a line is too long.
fn laid_out(query: &str, width: usize) -> String {
    if query.lines().all(|line| line.chars().count() <= width) {
        return query.to_owned();
    }
    // The query may use a function that only Prometheus 2 has.
    promql::parse(query)
        .or_else(|_| promql::parse_as(query, Dialect::Two))
        .map_or_else(|_| query.to_owned(), |parsed| promql::laid_out(query, &parsed, width))
}

fn pattern(edge: &BlockedEdge) -> &str {
    edge.from.as_ref().map_or("", |from| &from.value)
}

/// The updates to targets with the same origins, in words.
fn updates(report: &RiskReport<'_>, edges: &[&BlockedEdge]) -> String {
    let targets: Vec<&str> =
        edges.iter().filter_map(|edge| edge.to.as_ref()).map(|to| to.value.as_str()).collect();
    let to = match targets.as_slice() {
        [first, _, .., last] => {
            format!("{} from {first} to {last}", counted(targets.len(), "release"))
        }
        few => listed(few, "and"),
    };
    let Some(first) = edges.first() else { return to };
    let reached = report.reached(edges);
    let from = match reached.as_slice() {
        [] => "matches no release".to_owned(),
        [only] => format!("matches {only}"),
        [first, last] => format!("matches {first} and {last}"),
        [first, .., last] => {
            format!("matches {} from {first} to {last}", counted(reached.len(), "release"))
        }
    };
    let pattern = pattern(first);
    let mut fixed: Vec<&str> = edges
        .iter()
        .filter_map(|edge| edge.fixed_in.as_ref())
        .map(|fix| fix.value.as_str())
        .collect();
    fixed.dedup();
    let fixed = match fixed.as_slice() {
        [] => String::new(),
        some => format!("; fixed in {}", listed(some, "and")),
    };
    format!("to {to}; `from: {pattern}` {from}{fixed}")
}

/// The answer for a table. If there is a single sample, only its value matters.
fn in_table(answer: &Result<Value, QueryError>) -> String {
    match answer {
        Ok(Value::Vector(samples)) if samples.len() == 1 => in_json(samples[0].1),
        answer => answer_in_words(answer),
    }
}

fn write_verdicts(verdicts: &[SampleVerdict], style: Style, out: &mut dyn Write) -> io::Result<()> {
    let widest = verdicts.iter().map(|verdict| verdict.cluster.name().len()).max().unwrap_or(0);
    for verdict in verdicts {
        let (word, severity) = match &verdict.exposure {
            Ok(Exposure::NotExposed) => ("does not apply", None),
            Ok(Exposure::Exposed) => ("applies       ", Some(Severity::Warning)),
            Ok(Exposure::Unknown(_)) => ("cannot tell   ", Some(Severity::Error)),
            Err(_) => ("not evaluated ", Some(Severity::Error)),
        };
        let word = match severity {
            Some(severity) => style.paint(word, severity),
            None => word.to_owned(),
        };
        let answers: Vec<String> = verdict.answers.iter().map(in_table).collect();
        let name = verdict.cluster.name();
        let line = format!("  {name:<widest$}  {word}  {}", answers.join("; "));
        write_line(style, line.trim_end(), widest + 20, out)?;
    }
    Ok(())
}
