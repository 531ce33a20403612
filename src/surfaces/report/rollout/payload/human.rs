//! Writes the report for people: a table of the steps, what is wrong, and what differs.

use std::io::{self, Write};

use crate::domain::Named;
use crate::payload::{Cell, Manifest, ManifestId, Pair, Payload, Slot};
use crate::report::Style;
use crate::text::printable;
use crate::text::words::counted;

use super::PayloadReport;

/// The most lines of one kind. Further ones are only counted.
const MOST: usize = 12;

pub(super) fn write_steps(
    report: &PayloadReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let payload = report.payload;
    let cells = report.steps.cells(payload);
    let version = payload.version.as_deref().unwrap_or("of an unknown version");
    let title = format!(
        "payload {}: {} in {}",
        printable(version),
        counted(payload.manifests.len(), "manifest"),
        counted(report.steps.count(), "step")
    );
    writeln!(out, "{}", style.bold(&title))?;
    if payload.omitted > 0 {
        writeln!(out, "{} for other clusters", counted(payload.omitted, "more manifest"))?;
    }
    writeln!(out)?;
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(rows_of(payload, &cells));
    let widest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let [steps, levels, components, manifests] =
        [0, 1, 2, 3].map(|column| widest(column).unwrap_or(0));
    for [step, level, component, count, operators] in &rows {
        let line = format!(
            "{step:>steps$}  {level:>levels$}  {component:<components$}  {count:>manifests$}  \
             {operators}"
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)
}

const HEADINGS: [&str; 5] = ["step", "level", "component", "manifests", "waits for"];

/// A row for each component of a step. Only the first row has the number of the step.
fn rows_of(payload: &Payload, cells: &[Cell<'_>]) -> Vec<[String; 5]> {
    let mut rows = Vec::new();
    let mut last = 0;
    for cell in cells {
        let step = if cell.step == last { String::new() } else { cell.step.to_string() };
        last = cell.step;
        let (level, component) = match cell.slot {
            Some(slot) => (slot.level.to_owned(), slot.component.to_owned()),
            None => ("?".to_owned(), unplaced(payload, cell)),
        };
        let operators = cell.manifests.iter().map(|id| &payload.manifests[*id]);
        let operators = operators.filter(|manifest| manifest.is_waited_for());
        let operators: Vec<&str> = operators.map(|manifest| manifest.name.as_str()).collect();
        rows.push([
            step,
            level,
            printable(&component).into_owned(),
            cell.manifests.len().to_string(),
            printable(&operators.join(", ")).into_owned(),
        ]);
    }
    rows
}

fn unplaced(payload: &Payload, cell: &Cell<'_>) -> String {
    let first = cell.manifests.first().map(|id| payload.manifests[*id].file.as_str());
    first.unwrap_or_default().to_owned()
}

pub(super) fn write_rest(
    report: &PayloadReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for problem in &report.problems {
        let severity = format!("{}[{}]", problem.severity.name(), problem.name);
        let severity = style.paint(&severity, problem.severity);
        let place = match report.place(problem) {
            None => String::new(),
            Some((file, None)) => format!("{file}: "),
            Some((file, Some((line, column)))) => format!("{file}:{line}:{column}: "),
        };
        writeln!(out, "{}{severity}: {}", printable(&place), printable(&problem.message))?;
        writeln!(out, "  help: {}", printable(&problem.help))?;
    }
    if let Some((older, difference)) = &report.older {
        if !report.problems.is_empty() {
            writeln!(out)?;
        }
        let version = older.version.as_deref().unwrap_or("the other payload");
        let title = if difference.is_empty() {
            format!("nothing differs from {}", printable(version))
        } else {
            format!("compared with {}:", printable(version))
        };
        writeln!(out, "{}", style.bold(&title))?;
        let new = |id: &ManifestId| line(&report.payload.manifests[*id]);
        let old = |id: &ManifestId| line(&older.manifests[*id]);
        let moved = |pair: &Pair| {
            let place = |manifest: &Manifest| match Slot::of(&manifest.file) {
                Some(Slot { level, component }) => format!("{level} {component}"),
                None => manifest.file.clone(),
            };
            let (then, now) = (&older.manifests[pair.old], &report.payload.manifests[pair.new]);
            format!("{}, from {} to {}", now.title(), place(then), place(now))
        };
        write_list("added", difference.added.iter().map(new), out)?;
        write_list("removed", difference.removed.iter().map(old), out)?;
        write_list("moved", difference.moved.iter().map(moved), out)?;
        let changed = difference.changed.iter().map(|pair| new(&pair.new));
        write_list("changed", changed, out)?;
    }
    Ok(())
}

fn line(manifest: &Manifest) -> String {
    format!("{} in {}", manifest.title(), manifest.file)
}

fn write_list(
    what: &str,
    lines: impl ExactSizeIterator<Item = String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let count = lines.len();
    if count == 0 {
        return Ok(());
    }
    writeln!(out, "  {count} {what}:")?;
    for line in lines.take(MOST) {
        writeln!(out, "    {}", printable(&line))?;
    }
    if count > MOST {
        writeln!(out, "    and {} more", count - MOST)?;
    }
    Ok(())
}
