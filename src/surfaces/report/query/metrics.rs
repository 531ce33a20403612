//! The report of `promql metrics`: what the dictionary knows, and where a cluster contradicts it.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::coverage::{Dictionary, Discrepancy};
use crate::domain::Format;
use crate::report::json::write_json_line;
use crate::report::printed::{Printed, Writer};
use crate::report::workflow_commands::without_command;
use crate::report::{Style, write_line};
use crate::text::printable;
use crate::text::words::counted;

/// What is known about metrics.
#[derive(Clone, Copy)]
pub(crate) struct MetricsReport<'a> {
    pub dictionary: &'a Dictionary,
    /// The requested metric. None for all metrics.
    pub name: Option<&'a str>,
}

impl Printed for MetricsReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => |report, style, out| match report.name {
                Some(name) => write_metric(report.dictionary, name, style, out),
                None => write_list(report.dictionary, style, out),
            },
            Format::Json => |report, _, out| write_json_line(&report.json(), out),
            _ => return None,
        };
        Some(writer)
    }
}

impl MetricsReport<'_> {
    fn json(&self) -> Json {
        let Self { dictionary, name } = self;
        let names = dictionary.names().filter(|known| name.is_none_or(|name| name == *known));
        let metrics: Vec<Json> = names.filter_map(|name| dictionary.in_json(name)).collect();
        json!({"version": 1, "metrics": metrics})
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

/// Where a cluster contradicts the dictionary.
#[derive(Debug)]
pub(crate) struct AgainstReport<'a> {
    /// How many of the checked metrics the cluster has.
    pub present: usize,
    pub looked_at: usize,
    pub discrepancies: &'a [Discrepancy],
}

impl Printed for AgainstReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => Self::human,
            Format::Json => |report, _, out| write_json_line(&report.json(), out),
            _ => return None,
        };
        Some(writer)
    }
}

impl AgainstReport<'_> {
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
