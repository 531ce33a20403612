//! `exitpath catalog check`.

use std::io::Write;
use std::path::PathBuf;

use crate::catalog::verdict;
use crate::cli::args::CommonArgs;
use crate::cli::catalog_args::CatalogCheckArgs;
use crate::cli::lint_flags::{self, LintFlags};
use crate::cli::print;
use crate::lint::{Baseline, CatalogState, Request, lint_catalogs};
use crate::report::{CheckReport, Style};
use crate::rules::CatalogSubject;
use crate::session::{Catalogs, Failure, ReadCatalogs};
use crate::text::printable_lines;

use super::{Status, Stop};

pub(super) fn run(
    args: &CatalogCheckArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let catalogs = Catalogs::open(&args.catalogs, args.rev.is_some())?;
    let outputs = lint_flags::outputs(args.format, &args.output)?;
    let flags = LintFlags { select: &args.select, ignore: &args.ignore };
    let selection = flags.selection()?;
    let files = lint_flags::baseline(
        args.baseline.as_deref(),
        args.write_baseline,
        &catalogs.config,
        &catalogs.root,
    )?;
    let request = Request { config: catalogs.config.clone(), selection, baseline: files.baseline };
    let after = catalogs.read(args.rev.as_deref())?;
    print::notes(&after.notes, common, err)?;
    let files_read: usize = after.loaded.catalogs.iter().map(|catalog| catalog.files.len()).sum();
    if files_read == 0 {
        return Err(no_files(&args.catalogs).into());
    }
    let subjects = after.subjects();
    if args.opm_words {
        return Ok(opm_words(&subjects, out)?);
    }
    let before = base(args, &catalogs)?;
    let subjects_before = before.as_ref().map(ReadCatalogs::subjects);
    let state = CatalogState { loaded: &after.loaded, subjects: &subjects };
    let before = before.as_ref().zip(subjects_before.as_deref());
    let before = before.map(|(before, subjects)| CatalogState { loaded: &before.loaded, subjects });
    let mut outcome = lint_catalogs(state, before, &request);
    let sources = &after.loaded.sources;
    if args.write_baseline {
        let text = Baseline::of(sources, &outcome.findings).to_json();
        let is_configured = request.config.baseline.is_some();
        return lint_flags::write_baseline(
            &files.file,
            &text,
            (outcome.findings.len(), is_configured),
            err,
        );
    }
    let fail_on = lint_flags::fail_on(args.fail_on, &request.config);
    let status = lint_flags::status(fail_on, &outcome);
    outcome.omit_excess(sources);
    let read = after.loaded.catalogs.iter().flat_map(|catalog| &catalog.files);
    let report = CheckReport {
        sources,
        outcome: &outcome,
        change: None,
        files: read.map(|id| sources.path(*id)).collect(),
        prefix: catalogs.prefix.clone(),
        fail_on,
        listing: lint_flags::listing(args.info, args.statistics),
    };
    lint_flags::write(&report, &outputs, style, out)?;
    Ok(status)
}

/// The catalogs before the change.
fn base(args: &CatalogCheckArgs, catalogs: &Catalogs) -> Result<Option<ReadCatalogs>, Failure> {
    let Some(revision) = &args.base else { return Ok(None) };
    catalogs.read_base(revision, args.rev.as_deref()).map(Some)
}

fn no_files(catalogs: &[PathBuf]) -> Failure {
    let names: Vec<String> = catalogs.iter().map(|path| path.display().to_string()).collect();
    Failure::new(format!("there are no files of a catalog in {}", names.join(", ")))
        .hint("name the folder that `opm validate` gets")
}

/// What opm says of each catalog.
fn opm_words(subjects: &[CatalogSubject<'_>], out: &mut dyn Write) -> std::io::Result<Status> {
    let mut is_valid = true;
    for words in subjects.iter().filter_map(|subject| verdict(&subject.objections)) {
        is_valid = false;
        writeln!(out, "{}", printable_lines(&words))?;
    }
    Ok(Status::failed_if(!is_valid))
}
