//! The report of `promql metrics`: what the dictionary knows, and what a cluster says against it.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::coverage::{Dictionary, Discrepancy};
use crate::report::json::write_json_line;
use crate::report::workflow_commands::without_command;
use crate::report::{Style, write_line};
use crate::text::printable;
use crate::text::words::counted;

use super::QueryFormat;

/// Writes all that is known of some metrics. More than one become a list.
pub(crate) fn write_metrics(
    dictionary: &Dictionary,
    name: Option<&str>,
    format: QueryFormat,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    match (format, name) {
        (QueryFormat::Human, Some(name)) => write_metric(dictionary, name, style, out),
        (QueryFormat::Human, None) => write_list(dictionary, style, out),
        (QueryFormat::Json, name) => {
            let names = dictionary.names().filter(|known| name.is_none_or(|name| name == *known));
            let metrics: Vec<Json> = names.filter_map(|name| dictionary.in_json(name)).collect();
            write_json_line(&json!({"version": 1, "metrics": metrics}), out)
        }
    }
}

fn write_list(dictionary: &Dictionary, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let mut count = 0;
    for (name, metric) in dictionary.metrics() {
        count += 1;
        writeln!(out, "{}", without_command(&style.bold(&printable(name))))?;
        write_line(style, &format!("  {}", printable(metric.about())), 2, out)?;
        if let Some(condition) = metric.condition() {
            write_line(style, &format!("  Only if {}.", printable(condition)), 2, out)?;
        }
    }
    writeln!(out, "\n{}", counted(count, "metric"))?;
    write_line(style, "`exitpath promql metrics NAME` shows what is known of one.", 0, out)
}

fn write_metric(
    dictionary: &Dictionary,
    name: &str,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(metric) = dictionary.metric(name) else { return Ok(()) };
    writeln!(out, "{}", without_command(&style.bold(&printable(name))))?;
    write_line(style, &format!("  {}", printable(metric.about())), 2, out)?;
    writeln!(out)?;
    for (what, words) in metric.facts() {
        write_line(style, &format!("  {what:<8}  {}", printable(&words)), 12, out)?;
    }
    if let Some(example) = dictionary.example(name) {
        writeln!(out, "\n{}", style.bold("example"))?;
        for line in example.lines() {
            writeln!(out, "{}", without_command(&format!("  {}", printable(line))))?;
        }
    }
    Ok(())
}

/// What a cluster says against the dictionary.
#[derive(Debug)]
pub(crate) struct AgainstReport<'a> {
    /// How many metrics the cluster has of those that were looked at.
    pub present: usize,
    pub looked_at: usize,
    pub discrepancies: &'a [Discrepancy],
}

impl AgainstReport<'_> {
    pub(crate) fn write(
        &self,
        format: QueryFormat,
        style: Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            QueryFormat::Human => self.human(style, out),
            QueryFormat::Json => write_json_line(&self.json(), out),
        }
    }

    fn human(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let mut metric = None;
        for one in self.discrepancies {
            if metric != Some(&one.metric) {
                let name = style.bold(&printable(&one.metric));
                writeln!(out, "{}", without_command(&name))?;
                metric = Some(&one.metric);
            }
            write_line(style, &format!("  {}", printable(&one.words)), 4, out)?;
            if let Some(series) = &one.series {
                writeln!(out, "{}", without_command(&format!("    {}", printable(series))))?;
            }
        }
        if !self.discrepancies.is_empty() {
            writeln!(out)?;
        }
        let found = match self.discrepancies.len() {
            0 => "nothing differs from the dictionary".to_owned(),
            count => counted(count, "difference"),
        };
        let (present, of) = (self.present, counted(self.looked_at, "metric"));
        writeln!(out, "{found}; the cluster has {present} of {of}")
    }

    fn json(&self) -> Json {
        let differences = self.discrepancies.iter().map(|one| {
            json!({
                "metric": one.metric,
                "kind": one.kind,
                "label": one.label,
                "words": one.words,
                "series": one.series,
            })
        });
        json!({
            "version": 1,
            "metrics": {"present": self.present, "all": self.looked_at},
            "differences": differences.collect::<Vec<_>>(),
        })
    }
}
