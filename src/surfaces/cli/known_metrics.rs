//! `exitpath promql metrics`: the dictionary of metrics.

use std::collections::BTreeSet;
use std::io::Write;

use crate::coverage::{Dictionary, discrepancies};
use crate::metrics::{QueryError, Source};
use crate::promql::{Labels, Value};
use crate::report::{AgainstReport, MetricsReport, Style};
use crate::session::described_metrics;
use crate::text::Failure;

use super::common_args::CommonArgs;
use super::metrics_args::dump_or_server;
use super::promql_args::KnownMetricsArgs;
use super::{Status, Stop, print};

pub(super) fn run(
    args: &KnownMetricsArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let dictionary = Dictionary::built_in().with(&described_metrics()?);
    let name = args.name.as_deref();
    if let Some(name) = name.filter(|name| dictionary.metric(name).is_none()) {
        return Err(Failure::unknown("metric", name, dictionary.names())
            .or_hint("`exitpath promql metrics` lists the metrics")
            .into());
    }
    let Some(against) = &args.against else {
        let report = MetricsReport { dictionary: &dictionary, name };
        args.report.print(&report, style, out)?;
        return Ok(Status::Clean);
    };
    let (source, notes) = dump_or_server(against, &args.access)?;
    print::notes(&notes, common, err)?;
    let samples = samples(&dictionary, &source)?;
    let is_wanted = |metric: &str| name.is_none_or(|name| name == metric);
    let mut found = discrepancies(&dictionary, &samples);
    found.retain(|one| is_wanted(&one.metric));
    let present: BTreeSet<&str> =
        samples.iter().map(|(labels, _)| labels.get("__name__")).collect();
    let report = AgainstReport {
        present: present.into_iter().filter(|metric| is_wanted(metric)).count(),
        looked_at: dictionary.names().filter(|metric| is_wanted(metric)).count(),
        discrepancies: &found,
    };
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(!found.is_empty()))
}

/// The series of all metrics of the dictionary.
fn samples(dictionary: &Dictionary, source: &Source) -> Result<Vec<(Labels, f64)>, Failure> {
    let mut all = Vec::new();
    for name in dictionary.names() {
        match source.ask(name) {
            Ok(Value::Vector(samples)) => all.extend(samples),
            Ok(_) => {}
            Err(QueryError::NoAnswer(why)) => return Err(Failure::new(why)),
            Err(error) => return Err(Failure::new(format!("cannot ask for `{name}`: {error}"))),
        }
    }
    if all.is_empty() {
        return Err(Failure::new("there is no series of a metric that the dictionary knows"));
    }
    Ok(all)
}
