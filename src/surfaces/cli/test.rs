//! `exitpath test`: runs the tests of risks, or writes a first one.

use std::io::Write;

use crate::graph_data::GraphData;
use crate::promql::Dialect;
use crate::report::{Style, TestReport, TestedFile};
use crate::risks::{Risks, TESTS_FOLDER, TestFile, Unshown, new_test_file, run_tests, unshown};
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
    let LoadedRepository { data, .. } = read;
    let risks = Risks::of(data);
    let dialect = args.prometheus.dialect();
    let width = style.columns() - 2;
    let is_asked_about = |file: &TestFile<'_>| is_asked_about(file, session, data, &risks);
    let asked: Vec<TestFile<'_>> = TestFile::all(data).filter(is_asked_about).collect();
    let unshown = unshown_of(&asked, data, &risks, dialect);
    let files = asked.into_iter().map(|file| TestedFile {
        path: data.path(file.file.id),
        results: file.tests.map(|tests| run_tests(&tests, data, &risks, dialect, width)),
    });
    let files: Vec<_> = files.collect();
    if files.is_empty() {
        let root = session.repository.root.display();
        let failure = Failure::new(format!("there are no tests in {root}/{TESTS_FOLDER}"));
        return Err(failure.hint("`exitpath test --new RISK` writes a first test file").into());
    }
    let report = TestReport {
        sources: &data.sources,
        files,
        unshown,
        prefix: session.repository.prefix.clone(),
    };
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(!report.passed()))
}

/// Whether the command line names a test, by its file or by a file of its risk.
fn is_asked_about(
    file: &TestFile<'_>,
    session: &Session,
    data: &GraphData,
    risks: &Risks<'_>,
) -> bool {
    let is_named = |id| session.repository.is_asked_about(data.path(id));
    let definitions = file.tests.as_ref().ok().and_then(|tests| risks.get(&tests.risk.value));
    let mut edges = definitions.into_iter().flatten().flat_map(|definition| &definition.edges);
    is_named(file.file.id) || edges.any(|edge| is_named(edge.file))
}

/// The risks of some test files that apply to no cluster in any test of any file.
fn unshown_of(
    asked: &[TestFile<'_>],
    data: &GraphData,
    risks: &Risks<'_>,
    dialect: Dialect,
) -> Vec<Unshown> {
    let of =
        |file: &TestFile<'_>| file.tests.as_ref().ok().map(|tests| tests.risk.value.to_string());
    let names: Vec<String> = asked.iter().filter_map(of).collect();
    let all: Vec<TestFile<'_>> = TestFile::all(data).collect();
    let tests = all.iter().filter_map(|file| file.tests.as_ref().ok());
    let tests = tests.filter(|tests| names.iter().any(|name| **name == *tests.risk.value));
    unshown(tests, risks, dialect)
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
