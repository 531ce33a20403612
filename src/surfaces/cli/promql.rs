//! `exitpath promql`: tries queries.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use crate::cluster::{Explanation, Exposure};
use crate::domain::Named;
use crate::graph_data::GraphData;
use crate::lint::{Request, Selection, lint};
use crate::metrics::{QueryError, SampleCluster, Source};
use crate::promql;
use crate::report::{CheckReport, CheckedQuery, Listing, QueryCheckReport, QueryReport, Style};
use crate::session::described_metrics;
use crate::text::{Failure, printable};

use super::common_args::CommonArgs;
use super::file_text::{INPUT, file_text};
use super::promql_args::{EvalArgs, PromqlCommand, QueryCheckArgs, QueryFormatArgs};
use super::{Status, Stop, known_metrics, print};

/// More than the parser takes, so that it says what is wrong.
const LARGEST: u64 = 1 << 20;

pub(super) fn run(
    command: &PromqlCommand,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    match command {
        PromqlCommand::Check(check) => run_check(check, style, out),
        PromqlCommand::Eval(eval) => run_eval(eval, common, style, out, err),
        PromqlCommand::Format(format) => {
            format.output.print(style, out, |_, out| run_format(format, out))
        }
        PromqlCommand::Metrics(metrics) => known_metrics::run(metrics, common, style, out, err),
    }
}

fn run_check(args: &QueryCheckArgs, style: Style, out: &mut dyn Write) -> Result<Status, Stop> {
    const NAME: &str = "query";
    let text = query(&args.query)?;
    let data = GraphData::of_query(NAME, &text).describing(&described_metrics()?);
    let selection = Selection::of(&["promql".to_owned()])?;
    let outcome = lint(&data, None, &Request { selection, ..Request::default() });
    let report = CheckReport {
        sources: &data.sources,
        outcome: &outcome,
        remarks: &[],
        change: None,
        files: Vec::new(),
        prefix: String::new(),
        fail_on: args.fail_on,
        listing: Listing::Everything,
        catalogs: Vec::new(),
    };
    let checked =
        data.queries.all().next().and_then(|reading| CheckedQuery::of(reading, &data.queries));
    let found = QueryCheckReport { report: &report, checked: checked.as_ref() };
    args.report.print(&found, style, out)?;
    let fails = outcome.findings.iter().any(|found| args.fail_on.is_reached(found.severity));
    Ok(Status::failed_if(fails))
}

fn run_format(args: &QueryFormatArgs, out: &mut dyn Write) -> Result<Status, Stop> {
    let text = query(&args.query)?;
    let parsed = promql::parse(&text).map_err(|error| {
        let failure = Failure::new(format!("the query is invalid: {}", error.message));
        failure.hint("`exitpath promql check` shows where")
    })?;
    if promql::has_comment(&text) {
        let failure = Failure::new("the query has a comment, which would be lost");
        return Err(failure.hint("remove it, or lay out the query by hand").into());
    }
    writeln!(out, "{}", promql::laid_out(&text, &parsed, args.width))?;
    Ok(Status::Clean)
}

fn run_eval(
    args: &EvalArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let text = query(&args.query)?;
    let (source, notes) = args.metrics.source()?;
    print::notes(&notes, common, err)?;
    if args.metrics.is_of_sample() {
        note_unknown_metrics(&text, &source, err)?;
    }
    let answer = source.ask(&text);
    if let Err(QueryError::NoAnswer(why)) = &answer {
        return Err(Failure::new(why).into());
    }
    let exposure = Exposure::of_answer(answer.clone(), source.time());
    let explanation = Explanation::of(&text, &source, style.columns() - 2);
    let report = QueryReport {
        text: &text,
        time: source.time(),
        answer: &answer,
        exposure: &exposure,
        explanation: explanation.as_ref(),
    };
    args.report.print(&report, style, out)?;
    Ok(if answer.is_ok() { Status::Clean } else { Status::CouldNotRun })
}

/// A metric that no sample cluster has says nothing about clusters.
fn note_unknown_metrics(text: &str, source: &Source, err: &mut dyn Write) -> Result<(), Stop> {
    let Ok(query) = source.parse(text) else { return Ok(()) };
    let metrics: BTreeSet<&str> = query.metrics().collect();
    for metric in metrics {
        if !SampleCluster::ALL.iter().any(|cluster| cluster.has_metric(metric)) {
            let metric = printable(metric);
            writeln!(
                err,
                "exitpath: no sample cluster has series of `{metric}`, so their answers say nothing about it"
            )?;
        }
    }
    Ok(())
}

/// The query of the command line, or of standard input.
fn query(argument: &str) -> Result<String, Failure> {
    let text =
        if argument == INPUT { file_text(Path::new(INPUT), LARGEST)? } else { argument.to_owned() };
    if text.trim().is_empty() { Err(Failure::new("the query is empty")) } else { Ok(text) }
}
