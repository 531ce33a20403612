//! Writes the report for people: the answer, what a cluster makes of it, and what each part of the
//! query answers.

use std::io::{self, Write};
use std::ops::Range;

use crate::cluster::{ExplainedPart, Explanation, Exposure};
use crate::domain::Severity;
use crate::metrics::QueryError;
use crate::promql;
use crate::report::{Style, write_line};
use crate::text::printable;

use super::QueryReport;
use super::excerpt::{Mark, write_excerpt};
use super::words::answer_in_words;

pub(super) fn write(report: &QueryReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let answer = answer_in_words(report.answer);
    let answer = if report.answer.is_ok() { format!("answer: {answer}") } else { answer };
    write_line(style, &answer, 4, out)?;
    if let Err(QueryError::Syntax(error, ..)) = report.answer {
        writeln!(out)?;
        write_excerpt(report.text, &syntax_marks(error, report.text), style, out)?;
    }
    writeln!(out)?;
    match report.exposure {
        Ok(exposure) => write_exposure(exposure, style, out)?,
        Err(_) => writeln!(out, "It is not known what a cluster makes of it.")?,
    }
    if let Some(explanation) = report.explanation.filter(|_| !style.quiet) {
        writeln!(out, "\nWhat its parts answer:\n")?;
        write_explanation(explanation, style, out)?;
    }
    Ok(())
}

/// Marks for a syntax error.
fn syntax_marks(error: &promql::Error, text: &str) -> Vec<Mark> {
    let mark = |range: Range<usize>, label: &str| {
        let label = printable(label).into_owned();
        Mark { word: range.clone(), range, label, is_bold: true }
    };
    // If something is missing at the end, the last character is marked.
    let end = text.trim_end().len();
    let last = text.trim_end().chars().next_back().map_or(0, char::len_utf8);
    let range = if error.range.start >= end { end - last..end } else { error.range.clone() };
    let opened = error.opened.iter().map(|range| mark(range.clone(), "opened here"));
    opened.chain([mark(range, &error.message)]).collect()
}

/// Writes what a cluster concludes from the answer.
fn write_exposure(exposure: &Exposure, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let (verdict, severity, condition) = match exposure {
        Exposure::NotExposed => (
            "The risk does not apply to this cluster: its updates are recommended.",
            None,
            "Recommended=True, NotExposedToRisks".to_owned(),
        ),
        Exposure::Exposed => (
            "The risk applies to this cluster: its updates are not recommended.",
            Some(Severity::Warning),
            "Recommended=False, with the name of the risk as the reason".to_owned(),
        ),
        Exposure::Unknown(why) => (
            "The cluster cannot tell whether the risk applies: its updates are not recommended.",
            Some(Severity::Error),
            format!(
                "Recommended=Unknown, EvaluationFailed: Could not evaluate exposure to update risk … ({})",
                printable(why)
            ),
        ),
    };
    writeln!(out, "{}", style.mark(verdict, severity))?;
    write_line(style, &format!("  {condition}"), 4, out)
}

pub(crate) fn write_explanation(
    explanation: &Explanation,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let marks: Vec<Mark> = explanation.parts.iter().map(mark).collect();
    write_excerpt(&explanation.text, &marks, style, out)?;
    if explanation.is_cut {
        writeln!(out, "  The query has more parts; these are the outer ones.")?;
    }
    Ok(())
}

fn mark(part: &ExplainedPart) -> Mark {
    let decides = part.decides == Some(true);
    // The message is already at the top.
    let answer = match &part.answer {
        Err(QueryError::Refused { .. }) => "fails here".to_owned(),
        answer => answer_in_words(answer),
    };
    let label = if decides { format!("{answer} ← decides") } else { answer };
    let (range, word) = (part.range.clone(), part.word.clone());
    Mark { range, word, label, is_bold: decides }
}
