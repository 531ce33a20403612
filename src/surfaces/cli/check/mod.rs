//! `exitpath check`: checks a repository, or update graphs.

mod graphs;
mod repository;
mod request;
#[cfg(feature = "lsp")]
mod watching;

use std::io::{self, Write};

use crate::lint::{Config, Selection};
use crate::report::{CheckReport, Style};
#[cfg(feature = "lsp")]
use crate::text::Failure;
use crate::text::printable;

use super::check_args::CheckArgs;
use super::common_args::CommonArgs;
use super::lint_flags::{self, Output};
use super::{Status, Stop};
use request::removed_rules;

pub(super) fn run(
    args: &CheckArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let graphs = graphs::named(args)?;
    let outputs = args.lint.outputs()?;
    let run = Run { args, common, outputs, style };
    #[cfg(feature = "lsp")]
    if args.watch {
        if graphs.is_some() {
            return Err(Failure::new("`--watch` is for repositories").into());
        }
        return watching::run(&run, out, err);
    }
    match graphs {
        Some(graphs) => graphs::run(&graphs, &run, out, err),
        None => repository::run(&run, out, err),
    }
}

/// A run of `exitpath check`.
struct Run<'a> {
    args: &'a CheckArgs,
    common: &'a CommonArgs,
    outputs: Vec<Output>,
    style: Style,
}

impl Run<'_> {
    /// Says what is read, and which named rules no longer exist.
    fn introduce(
        &self,
        reads: &[&str],
        selection: &Selection,
        config: &Config,
        err: &mut dyn Write,
    ) -> io::Result<()> {
        if self.common.verbose {
            for path in reads {
                writeln!(err, "exitpath: reading {}", printable(path))?;
            }
        }
        if !self.common.quiet {
            removed_rules(selection, config, err)?;
        }
        Ok(())
    }

    fn write(&self, report: &CheckReport<'_>, out: &mut dyn Write) -> Result<(), Stop> {
        lint_flags::write(report, &self.outputs, self.style, out)
    }
}
