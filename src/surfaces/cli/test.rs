//! `exitpath test`: runs the tests of risks, or writes a first one.

use std::io::Write;

use crate::promql::Dialect;
use crate::report::{Style, TestReport};
use crate::risks::{Risks, TESTS_FOLDER, Tested, new_test_file};
use crate::session::{LoadedRepository, ReadRequest, Session};
use crate::text::{Failure, printable};

use super::common_args::CommonArgs;
use super::test_args::TestArgs;
use super::{Status, Stop, output, print};

pub(super) fn run(
    args: &TestArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let session = Session::open(args.repo.as_deref(), &args.files, args.rev.as_deref())?;
    let read =
        session.read(&ReadRequest { revision: args.rev.as_deref(), ..ReadRequest::default() })?;
    print::notes(&read.notes, common, err)?;
    let dialect = args.prometheus.dialect();
    match &args.new {
        Some(risk) => write_first(risk, &session, &read, dialect, err),
        None => run_all(args, &session, &read, style, out),
    }
}

fn run_all(
    args: &TestArgs,
    session: &Session,
    read: &LoadedRepository,
    style: Style,
    out: &mut dyn Write,
) -> Result<Status, Stop> {
    let data = &read.data;
    let is_asked_about = |id| session.repository.is_asked_about(data.path(id));
    let width = Some(style.columns() - 2);
    let tested = Tested::about(data, &is_asked_about, args.prometheus.dialect(), width);
    if tested.files.is_empty() {
        let root = session.repository.root.display();
        let failure = Failure::new(format!("there are no tests in {root}/{TESTS_FOLDER}"));
        return Err(failure.hint("`exitpath test --new RISK` writes a first test file").into());
    }
    let prefix = session.repository.prefix.clone();
    let report = TestReport { sources: &data.sources, tested, prefix };
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(!report.passed()))
}

/// Writes a file of tests that expect what the risk does today.
fn write_first(
    risk: &str,
    session: &Session,
    read: &LoadedRepository,
    dialect: Dialect,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let risks = Risks::of(&read.data);
    let definitions =
        risks.get(risk).ok_or_else(|| Failure::unknown("risk", risk, risks.names()))?;
    let test = new_test_file(definitions, dialect, read.data.queries.dictionary())?;
    let folder = session.repository.root.join(TESTS_FOLDER);
    let file = folder.join(&test.file_name);
    if file.symlink_metadata().is_ok() {
        let failure = Failure::new(format!("{} exists already", file.display()));
        return Err(failure.hint("`exitpath test` runs it").into());
    }
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::new(format!("cannot create {}: {error}", folder.display())))?;
    output::write_file(&file, &test.text)?;
    let shown = file.display().to_string();
    writeln!(
        err,
        "exitpath: wrote {}: read it, and correct what should be different",
        printable(&shown)
    )?;
    Ok(Status::Clean)
}
