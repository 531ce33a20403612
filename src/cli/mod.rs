//! The command line: one file per subcommand, which parses flags, calls down and prints.

mod args;
mod before;
mod check;
mod check_graph;
mod completions;
mod diff;
mod explain;
mod fix;
mod graph;
mod ground;
mod man;
mod path;
mod releases;
mod repository;
mod rules;
mod schema;
mod simulate;
mod what_if;

use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use crate::lint::ConfigError;
use crate::report::Style;
use crate::text::{printable, printable_lines};
use args::{Args, Color, Command, Common, Man};

/// How a command ended. "Could not run" is an error of the command, not a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Clean,
    Findings,
}

/// Why a command could not run, in words for a person.
#[derive(Debug)]
enum Failure {
    /// What went wrong, and what to do; nothing unprintable is in it.
    Words { what: String, hint: Option<String> },
    /// The reader of our output went away, which is its right.
    Closed,
}

impl Failure {
    fn new(what: impl Into<String>) -> Self {
        Self::Words { what: printable(&what.into()).into_owned(), hint: None }
    }

    /// In several lines; whatever foreign text is in them has none of its own.
    fn of_lines(lines: &str) -> Self {
        Self::Words { what: printable_lines(lines).into_owned(), hint: None }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        let hint = printable(&hint.into()).into_owned();
        match self {
            Self::Words { what, .. } => Self::Words { what, hint: Some(hint) },
            Self::Closed => Self::Closed,
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::of_lines(&error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::new(format!("cannot write: {error}")),
        }
    }
}

/// Writes a report to a file: colours are for the terminal, whatever else is written where.
fn to_file(
    path: &Path,
    style: Style,
    write: impl FnOnce(Style, &mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    write(Style { color: false, ..style }, &mut text)?;
    fs::write(path, text).map_err(|e| Failure::new(format!("cannot write {}: {e}", path.display())))
}

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let stdout = io::stdout();
    let terminal = Terminal { stdout: stdout.is_terminal(), stderr: io::stderr().is_terminal() };
    let mut out = io::BufWriter::new(stdout.lock());
    let status = run(std::env::args_os(), terminal, &mut out, &mut io::stderr().lock());
    ExitCode::from(status)
}

/// Which streams are seen by a person.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terminal {
    /// Whether standard output is a terminal.
    pub stdout: bool,
    /// Whether standard error is a terminal.
    pub stderr: bool,
}

/// Runs one command line and returns the process's status: 0 clean, 1 findings, 2 could not run.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    terminal: Terminal,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => return usage(&error, terminal, out, err),
    };
    let style = style(&args.common, terminal);
    let ended = match &args.command {
        Command::Check(check) => check::run(check, &args.common, style, out, err),
        Command::Diff(diff) => diff::run(diff, &args.common, style, out, err),
        Command::Graph(graph) => graph::run(graph, &args.common, out, err),
        Command::Simulate(simulate) => simulate::run(simulate, &args.common, style, out, err),
        Command::Path(path) => path::run(path, &args.common, style, out, err),
        Command::Rules(rules) => rules::run(rules, style, out),
        Command::Explain(explain) => explain::run(explain, style, out),
        Command::Schema(schema) => schema::run(schema, out),
        Command::Completions(completions) => completions::run(completions, out),
        Command::Man(Man {}) => man::run(out),
    };
    match ended.and_then(|status| Ok(out.flush().map(|()| status)?)) {
        Ok(Status::Clean) => 0,
        Ok(Status::Findings) => 1,
        Err(Failure::Closed) => 2,
        Err(Failure::Words { what, hint }) => {
            let _ = writeln!(err, "exitpath: {what}");
            if let Some(hint) = hint {
                let _ = writeln!(err, "          {hint}");
            }
            2
        }
    }
}

fn usage(error: &clap::Error, terminal: Terminal, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let for_people = if error.use_stderr() { terminal.stderr } else { terminal.stdout };
    let text = error.render();
    let text =
        if for_people && no_color().is_none() { text.ansi().to_string() } else { text.to_string() };
    if error.use_stderr() {
        let _ = err.write_all(text.as_bytes());
        2
    } else {
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        0
    }
}

fn style(common: &Common, terminal: Terminal) -> Style {
    let color = match common.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal.stdout && no_color().is_none(),
    };
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let width = columns.or_else(|| terminal.stdout.then(measured).flatten()).unwrap_or(100);
    Style { color, width, quiet: common.quiet, terminal: terminal.stdout }
}

fn no_color() -> Option<()> {
    std::env::var_os("NO_COLOR").filter(|value| !value.is_empty()).map(|_| ())
}
