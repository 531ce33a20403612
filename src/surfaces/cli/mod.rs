//! The command line. Each subcommand has one file, which parses flags, calls other rooms, and
//! prints.

mod access_args;
mod args;
mod catalog;
mod catalog_args;
mod changes;
mod channels;
mod channels_args;
mod check;
mod check_args;
mod choice;
mod cluster;
mod cluster_args;
mod cluster_objects;
mod color;
mod common_args;
mod compare;
mod compare_args;
mod completions;
mod completions_args;
mod deferred;
mod diff;
mod diff_args;
mod digest;
mod digest_args;
mod edit_args;
mod editing;
mod ending;
mod examples;
mod explain;
mod explain_args;
mod file_text;
mod fixes;
mod fleet;
mod fleet_args;
mod from;
mod from_args;
mod graph;
mod graph_args;
mod graph_subject_args;
mod guide;
mod guide_args;
mod init;
mod init_args;
mod known_metrics;
mod lint_args;
mod lint_flags;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "lsp")]
mod lsp_args;
mod man;
mod man_args;
mod metrics_args;
mod node_args;
mod output;
mod overview;
mod path;
mod path_args;
mod path_rollout_args;
mod print;
mod progress;
mod promote;
mod promote_args;
mod promql;
mod promql_args;
mod release;
mod release_args;
mod report_args;
mod repository_data;
mod risk;
mod risk_args;
mod rollout;
mod rollout_args;
mod rules;
mod rules_args;
mod schema;
mod schema_args;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod serve_args;
mod simulate;
mod simulate_args;
mod source_args;
mod test;
mod test_args;
mod values;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::report::Style;
use args::{Args, Command};
use color::Color;
use common_args::CommonArgs;
use ending::{Status, Stop};

const COULD_NOT_RUN: u8 = 2;

/// The reader of the output closed it, as `head` does. A shell reports the same of programs that
/// the signal SIGPIPE ends.
const READER_LEFT: u8 = 128 + 13;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let stdout = io::stdout();
    let terminal = Terminal {
        stdout: stdout.is_terminal(),
        stderr: io::stderr().is_terminal(),
        width: width(stdout.is_terminal()),
    };
    let mut out = io::BufWriter::new(stdout.lock());
    let status = run(std::env::args_os(), terminal, &mut out, &mut io::stderr());
    ExitCode::from(status)
}

/// The width that the user sets, or that of the terminal.
fn width(is_terminal: bool) -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(|| is_terminal.then(measured).flatten())
}

/// Which output streams are terminals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terminal {
    /// Whether standard output is a terminal.
    pub stdout: bool,
    /// Whether standard error is a terminal.
    pub stderr: bool,
    /// The width in columns, if it is known.
    pub width: Option<usize>,
}

/// Runs one command line and returns the exit status: 0 clean, 1 findings, 2 could not run, 141 if
/// the reader of the output closed it.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    terminal: Terminal,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let args = match parsed(arguments) {
        Ok(args) => args,
        Err(error) => return usage(&error, terminal, out, err),
    };
    let style = style(&args.common, terminal);
    let ended = match &args.command {
        Command::Check(check) => check::run(check, &args.common, style, out, err),
        Command::Diff(diff) => diff::run(diff, &args.common, style, out, err),
        Command::Graph(graph) => graph::run(graph, &args.common, style, out, err),
        Command::Simulate(simulate) => simulate::run(simulate, &args.common, style, out, err),
        Command::Path(path) => path::run(path, &args.common, style, out, err),
        Command::Cluster(cluster) => cluster
            .output
            .print(style, out, |style, out| cluster::run(cluster, &args.common, style, out, err)),
        Command::Fleet(fleet) => fleet::run(fleet, &args.common, style, out, err),
        Command::Channels(channels) => channels
            .output
            .print(style, out, |style, out| channels::run(channels, &args.common, style, out, err)),
        Command::Release(release) => release::run(release, &args.common, style, out, err),
        Command::Promote(promote) => promote::run(promote, &args.common, style, out, err),
        Command::Digest(digest) => digest::run(digest, &args.common, style, out, err),
        Command::From(from) => from::run(from, &args.common, style, out, err),
        Command::Compare(compare) => compare::run(compare, &args.common, style, out, err),
        Command::Catalog(catalog) => catalog::run(catalog, &args.common, style, out, err),
        #[cfg(feature = "serve")]
        Command::Serve(serve) => serve::run(serve, &args.common, err),
        #[cfg(feature = "lsp")]
        Command::Lsp(lsp) => lsp::run(lsp, out),
        Command::Promql(promql) => promql::run(promql, &args.common, style, out, err),
        Command::Risk(risk) => risk::run(risk, &args.common, style, out, err),
        Command::Test(test) => test::run(test, &args.common, style, out, err),
        Command::Rollout(rollout) => rollout::run(rollout, style, out),
        Command::Rules(rules) => {
            rules.output.print(style, out, |style, out| rules::run(rules, style, out))
        }
        Command::Explain(explain) => {
            explain.output.print(style, out, |style, out| explain::run(explain, style, out))
        }
        Command::Guide(guide) => guide.output.print(style, out, |_, out| guide::run(guide, out)),
        Command::Init(init) => init::run(init, &args.common, out, err),
        Command::Schema(schema) => {
            schema.output.print(style, out, |_, out| schema::run(schema, out))
        }
        Command::Completions(completions) => {
            completions.output.print(style, out, |_, out| completions::run(completions, out))
        }
        Command::Man(man) => man.output.print(style, out, |_, out| man::run(out)),
    };
    match ended.and_then(|status| Ok(out.flush().map(|()| status)?)) {
        Ok(Status::Clean) => 0,
        Ok(Status::Findings) => 1,
        Ok(Status::CouldNotRun) => COULD_NOT_RUN,
        Err(Stop::ReaderLeft) => READER_LEFT,
        Err(Stop::Failed(failure)) => {
            let (what, hint) = failure.words();
            let _ = writeln!(err, "exitpath: {what}");
            if let Some(hint) = hint {
                let _ = writeln!(err, "          {hint}");
            }
            COULD_NOT_RUN
        }
    }
}

fn parsed(arguments: impl IntoIterator<Item = OsString>) -> Result<Args, clap::Error> {
    let command = overview::grouped(Args::command());
    let mut matches = command.try_get_matches_from(arguments)?;
    Args::from_arg_matches_mut(&mut matches)
}

fn usage(error: &clap::Error, terminal: Terminal, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let for_people = if error.use_stderr() { terminal.stderr } else { terminal.stdout };
    let text = error.render();
    let has_color = Color::Auto.is_used(for_people);
    let text = if has_color { text.ansi().to_string() } else { text.to_string() };
    if error.use_stderr() {
        let _ = err.write_all(text.as_bytes());
        return COULD_NOT_RUN;
    }
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => READER_LEFT,
        _ => 0,
    }
}

fn style(common: &CommonArgs, terminal: Terminal) -> Style {
    let color = common.color.is_used(terminal.stdout);
    Style { color, width: terminal.width, quiet: common.quiet, terminal: terminal.stdout }
}
