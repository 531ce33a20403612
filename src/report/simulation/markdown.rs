//! For a pull request: verdict and counts above the fold, the table below it.

use std::io::{self, Write};

use crate::analysis::Cause;
use crate::rules::Severity;

use super::{SimulationReport, goal_in_words};

/// So many rows are written.
const ROWS: usize = 100;

pub(super) fn write(report: &SimulationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let count = |severity: Severity| {
        let found = report.simulation.channels.iter().flat_map(|channel| &channel.stranded);
        found.filter(|stranded| report.severity(stranded) == severity).count()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    match (errors, warnings) {
        (0, 0) => writeln!(out, "### ✅ Every supported release has an exit path")?,
        (0, n) => writeln!(out, "### ⚠️ {n} exit paths depend on clusters escaping some risk")?,
        (n, _) => writeln!(out, "### ❌ {n} exit paths are closed for every cluster")?,
    }
    let answers = report.simulation.channels.len();
    writeln!(out, "\nSimulated: {answers} answers to clusters. Judged: {}.", safe(&report.judged))?;
    if errors + warnings > 0 {
        writeln!(out, "\n<details><summary>Who is stranded</summary>\n")?;
        writeln!(out, "| Channel | Release | | Stranded by |\n| --- | --- | --- | --- |")?;
        let rows: Vec<_> = report
            .affected()
            .flat_map(|channel| channel.stranded.iter().map(move |stranded| (channel, stranded)))
            .collect();
        for (channel, stranded) in rows.iter().take(ROWS) {
            let sets = stranded.sets.iter().take(3).map(|set| report.names(set).join(" + "));
            let by = match stranded.cause {
                Cause::Graph => "the graph itself".to_owned(),
                Cause::Risks => sets.collect::<Vec<_>>().join("; or "),
            };
            writeln!(
                out,
                "| {} | {} | {} | {} |",
                safe(report.simulation.name(channel.channel)),
                safe(&channel.ways.versions[stranded.release]),
                goal_in_words(stranded.goal, None, false),
                safe(&by),
            )?;
        }
        if rows.len() > ROWS {
            writeln!(out, "\nand {} more.", rows.len() - ROWS)?;
        }
        writeln!(out, "\n</details>")?;
    }
    let uncertain = match report.uncertain {
        0 => String::new(),
        n => format!("; {n} of them are uncertain"),
    };
    writeln!(out, "\n<sub>Updates are from {}{uncertain}.</sub>", safe(report.source))
}

/// Foreign text that no Markdown or HTML is made of.
fn safe(text: &str) -> String {
    let text = crate::text::printable(text);
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => safe.push(' '),
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '~' | '@' | '#' => {
                safe.push('\\');
                safe.push(c);
            }
            c => safe.push(c),
        }
    }
    safe
}
