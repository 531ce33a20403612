//! `exitpath check FILE.json`: checks update graphs in the format of the service.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::cli::check_args::CheckArgs;
use crate::cli::lint_flags;
use crate::graph::cincinnati::MAX_GRAPH;
use crate::graph_data::WANTED;
use crate::lint::{Config, Request, lint_graphs};
use crate::report::CheckReport;
use crate::session::{absolute, nearest_repository, working_directory};
use crate::text::Failure;
use crate::tree::{self, Blob};

use super::request::selection;
use super::{Run, Status, Stop};

/// The graph files that the command line names. None if it is about a repository.
pub(super) fn named(args: &CheckArgs) -> Result<Option<Vec<PathBuf>>, Failure> {
    // With `--repo`, every path is a file of that repository.
    if args.repo.is_some() {
        return Ok(None);
    }
    let here = working_directory()?;
    let (graphs, others): (Vec<&PathBuf>, Vec<&PathBuf>) =
        args.paths.iter().partition(|path| is_graph(&absolute(&here, path)));
    let Some(graph) = graphs.first() else { return Ok(None) };
    if let Some(other) = others.first() {
        let what = format!(
            "{} is an update graph, and {} belongs to a repository",
            graph.display(),
            other.display()
        );
        return Err(Failure::new(what).hint("check them one after the other"));
    }
    refuse_repository_flags(args)?;
    // Relative to the working directory, where people and GitHub look for files.
    let shown = |path: &PathBuf| {
        let whole = absolute(&here, path);
        whole.strip_prefix(&here).map_or_else(|_| path.clone(), Path::to_owned)
    };
    let graphs: BTreeSet<PathBuf> = graphs.into_iter().map(shown).collect();
    Ok(Some(graphs.into_iter().collect()))
}

/// Whether a path names a JSON file that is not a data file of a repository.
fn is_graph(path: &Path) -> bool {
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    is_json && path.symlink_metadata().is_ok() && !path.is_dir() && !is_data_file(path)
}

fn is_data_file(path: &Path) -> bool {
    let Some(root) = nearest_repository(path) else { return false };
    let in_folder = |folder: &&str| path.starts_with(root.join(folder));
    let is_file = |file: &&str| path == root.join(file);
    WANTED.folders.iter().any(in_folder) || WANTED.files.iter().any(is_file)
}

/// Refuses flags that need a repository.
fn refuse_repository_flags(args: &CheckArgs) -> Result<(), Failure> {
    let flags = [
        (
            args.lint.fixes.fix,
            "--fix",
            "graphs are generated: fix the data that this one comes from",
        ),
        (args.rev.is_some(), "--rev", "`git show REV:FILE.json > FILE.json` gets an older graph"),
        (args.base.is_some(), "--base", "check both graphs"),
        (args.url.is_some(), "--url", "a graph has no metrics to ask for"),
        (args.lint.baseline.is_some(), "--baseline", "a generated graph has no known findings"),
        (args.lint.write_baseline, "--write-baseline", "`--ignore RULE` skips a rule"),
    ];
    match flags.iter().find(|(is_given, ..)| *is_given) {
        None => Ok(()),
        Some((_, flag, hint)) => {
            let what = format!("`{flag}` is for repositories, and this is an update graph");
            Err(Failure::new(what).hint(*hint))
        }
    }
}

pub(super) fn run(
    graphs: &[PathBuf],
    run: &Run<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let request = Request { selection: selection(run.args)?, ..Request::default() };
    let shown = |path: &Path| path.to_string_lossy().replace('\\', "/");
    let paths: Vec<String> = graphs.iter().map(|path| shown(path)).collect();
    let files: Vec<&str> = paths.iter().map(String::as_str).collect();
    run.introduce(&files, &request.selection, &request.config, err)?;
    let blobs = graphs.iter().map(|path| Blob::new(shown(path), tree::read_file(path, MAX_GRAPH)));
    let (sources, mut outcome) = lint_graphs(blobs, &request);
    let fail_on = run.args.lint.fail_on(&Config::default());
    let status = lint_flags::status(fail_on, &outcome);
    outcome.omit_excess(&sources);
    let report = CheckReport {
        sources: &sources,
        outcome: &outcome,
        remarks: &[],
        change: None,
        files,
        prefix: String::new(),
        fail_on,
        listing: run.args.lint.listing(),
        catalogs: Vec::new(),
    };
    run.write(&report, out)?;
    Ok(status)
}
