//! `exitpath catalog check`.

use std::io::Write;

use crate::catalog::verdict;
use crate::cli::catalog_args::CatalogCheckArgs;
use crate::cli::common_args::CommonArgs;
use crate::cli::lint_flags::Output;
use crate::cli::{fixes, lint_flags, print};
use crate::domain::Format;
use crate::lint::{Baseline, CatalogState, Outcome, Request, lint_catalogs};
use crate::report::{CheckReport, Listing, NamedCatalog, Style};
use crate::rules::CatalogSubject;
use crate::session::{
    self, Beside, Catalogs, CheckedCatalogs, MinorFolder, Note, ReadCatalogs, Settings,
};
use crate::text::{Failure, printable_lines};

use super::{Status, Stop};

pub(super) fn run(
    args: &CatalogCheckArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let needs_repository = args.rev.is_some() || args.base.is_some();
    let mut catalogs = Catalogs::open(&args.catalogs, needs_repository)?;
    if args.lint.fixes.fix && catalogs.has_stream() {
        let failure = Failure::new("standard input cannot be fixed");
        return Err(failure.hint("write it to a file, and name that").into());
    }
    let outputs = args.lint.outputs()?;
    let listing = listing(args, &outputs)?;
    let selection = args.lint.selection()?;
    let (base_revision, revision) = (args.base.as_deref(), args.rev.as_deref());
    let settings = args.lint.settings(&catalogs.root, base_revision, revision)?;
    let mut remarks: Vec<Note> = settings.note(args.lint.config_from).into_iter().collect();
    remarks.extend(catalogs.note_on_config(&args.catalogs)?);
    print::notes(&remarks, common, err)?;
    let Settings { config, baseline, baseline_file, .. } = settings;
    let request = Request { config, selection, baseline, asked: None };
    let next: Vec<MinorFolder> =
        args.next_catalog.iter().map(|text| MinorFolder::parse(text)).collect();
    let beside = Beside { with: &args.with, rendered: &args.rendered, next: &next };
    let mut after = read(args, &mut catalogs, beside, common, err)?;
    if args.opm_verdict {
        return Ok(opm_verdict(&after.subjects(), out)?);
    }
    if let Some(folder) = catalogs.without_files(&after) {
        return Err(no_files(folder).into());
    }
    let fail_on = args.lint.fail_on(&request.config);
    if args.lint.fixes.fix {
        let checked = CheckedCatalogs::new(&catalogs, beside, &request, after)?;
        let status = lint_flags::status(fail_on, &checked.outcome);
        let fixed = session::fix(checked)?;
        if args.lint.fixes.diff {
            fixes::preview(&fixed, style, out, err)?;
            return Ok(status);
        }
        fixed.write()?;
        fixes::summary(&fixed, err)?;
        after = fixed.checked.read;
    }
    let before = base(args, &catalogs, beside)?;
    let mut outcome = outcome(args, &after, before.as_ref(), &request);
    let sources = &after.loaded.sources;
    if args.lint.write_baseline {
        let text = Baseline::of(sources, &outcome.findings).to_json();
        let is_configured = request.config.baseline.is_some();
        let findings = outcome.findings.len();
        return lint_flags::write_baseline(&baseline_file, &text, findings, is_configured, err);
    }
    let remarks = lint_flags::remarks(&mut remarks, &outcome, common, err)?;
    let status = lint_flags::status(fail_on, &outcome);
    outcome.omit_excess(sources);
    let report = CheckReport {
        sources,
        outcome: &outcome,
        remarks: &remarks,
        change: None,
        files: named_files(&after),
        prefix: catalogs.prefix.clone(),
        fail_on,
        listing,
        catalogs: catalogs.named().map(|(path, name)| NamedCatalog { path, name }).collect(),
    };
    lint_flags::write(&report, &outputs, style, out)?;
    Ok(status)
}

/// Mistakes are grouped for people only: programs get each finding with its place.
fn listing(args: &CatalogCheckArgs, outputs: &[Output]) -> Result<Listing, Failure> {
    if !args.grouped {
        return Ok(args.lint.listing());
    }
    let can_group = |(format, _): &Output| matches!(format, Format::Human | Format::Markdown);
    if outputs.iter().any(can_group) {
        return Ok(Listing::Grouped { infos: args.lint.info });
    }
    Err(Failure::new("--grouped is for the formats human and markdown"))
}

/// The catalogs to check. A folder that holds several catalogs is split into those.
fn read(
    args: &CatalogCheckArgs,
    catalogs: &mut Catalogs,
    beside: Beside<'_>,
    common: &CommonArgs,
    err: &mut dyn Write,
) -> Result<ReadCatalogs, Stop> {
    let mut after = catalogs.read_with(args.rev.as_deref(), beside)?;
    if let Some((split, mut note)) = catalogs.split(&after) {
        note.text.push_str(": each is checked");
        print::notes(&[note], common, err)?;
        after = split.read_with(args.rev.as_deref(), beside)?;
        *catalogs = split;
    }
    print::notes(&after.notes, common, err)?;
    Ok(after)
}

/// The catalogs before the change.
fn base(
    args: &CatalogCheckArgs,
    catalogs: &Catalogs,
    beside: Beside<'_>,
) -> Result<Option<ReadCatalogs>, Failure> {
    let Some(revision) = &args.base else { return Ok(None) };
    catalogs.read_base(revision, args.rev.as_deref(), beside).map(Some)
}

/// The findings, with what the flags want to see of them.
fn outcome(
    args: &CatalogCheckArgs,
    after: &ReadCatalogs,
    before: Option<&ReadCatalogs>,
    request: &Request,
) -> Outcome {
    let subjects = after.subjects();
    let subjects_before = before.map(ReadCatalogs::subjects);
    let state = CatalogState { loaded: &after.loaded, subjects: &subjects };
    let before = before.zip(subjects_before.as_deref());
    let before = before.map(|(before, subjects)| CatalogState { loaded: &before.loaded, subjects });
    let mut outcome = lint_catalogs(state, before, request);
    if args.lint.fixes.fix {
        fixes::without_fixes(&mut outcome);
    }
    if !args.opm_words {
        outcome.findings.iter_mut().for_each(|finding| finding.opm_words = None);
    }
    outcome
}

/// The files of the catalogs that the flags name.
fn named_files(read: &ReadCatalogs) -> Vec<&str> {
    let named = read.loaded.catalogs.iter().take(read.named);
    named.flat_map(|catalog| &catalog.files).map(|id| read.loaded.sources.path(*id)).collect()
}

fn no_files(catalog: &str) -> Failure {
    Failure::new(format!("there are no files of a catalog in {catalog}"))
        .hint("name the folder that `opm validate` gets")
}

/// What opm says of each catalog.
fn opm_verdict(subjects: &[CatalogSubject<'_>], out: &mut dyn Write) -> std::io::Result<Status> {
    let mut is_valid = true;
    for words in subjects.iter().filter_map(|subject| verdict(&subject.objections)) {
        is_valid = false;
        writeln!(out, "{}", printable_lines(&words))?;
    }
    Ok(Status::failed_if(!is_valid))
}
