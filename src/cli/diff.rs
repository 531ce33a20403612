//! `exitpath diff`: what a change does to clusters.

use std::io::Write;
use std::path::Path;
use std::thread;

use crate::comparison::Stated;
use crate::graph_data::{self, DataFile, GraphData, Kind, Verdict};
use crate::lint::Config;
use crate::report::{self, ChangeReport, Style, counted};
use crate::text::printable;
use crate::tree;

use super::args::{Common, Diff, DiffFormat, WhatIf};
use super::before::{MERGING, stated};
use super::releases::{Provenance, architecture, tell_notes};
use super::repository::Repository;
use super::simulate::unknown;
use super::{Failure, Status, to_file};

/// The two states of a repository that are compared.
struct Range<'a> {
    base: &'a str,
    /// The work tree, if none is named.
    head: Option<&'a str>,
    /// Whether the comparison begins where the two part.
    from_fork: bool,
}

pub(super) fn run(
    args: &Diff,
    common: &Common,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Failure> {
    let range = range(args)?;
    let arch = architecture(args.arch.as_deref())?;
    let by_flag = expected(&args.expect)?;
    let root = Repository::find(args.repo.as_deref(), &[], range.head.is_some())?.root;
    let base = base(&root, &range, err)?;
    if range.head.is_none() && !common.quiet && tree::is_merging(&root) {
        writeln!(err, "exitpath: {MERGING}")?;
    }
    let config = Config::read(&root)?;
    let both = || -> Result<(GraphData, GraphData), Failure> {
        let before = || graph_data::blobs(&root, Some(&base));
        let after = || -> Result<GraphData, Failure> {
            let blobs = graph_data::blobs(&root, range.head)?;
            args.what_if.applied_to(blobs)
        };
        thread::scope(|scope| {
            let before = scope.spawn(before);
            let after = after()?;
            let failed = || Failure::new("reading the base failed");
            let before = before.join().map_err(|_| failed())??;
            Ok((after.another(before), after))
        })
    };
    let (both, known) = args.releases.read_beside(&root, range.head, &config, both)?;
    let (before, after) = both?;
    if before.files.is_empty() && !common.quiet {
        let base = printable(range.base).into_owned();
        writeln!(err, "exitpath: no data at {base} in this folder: everything is new")?;
    }
    let sides = known.sides(&before, &after, &config.supported, arch);
    for name in &args.channel {
        if !sides.channels().any(|known| known == name) {
            return Err(unknown("channel", name, sides.channels()));
        }
    }
    let change = sides.change(&before, &after, &args.channel);
    let mut expectations = stated(&root, &base, range.head);
    expectations.extend(by_flag);
    let Provenance { source, notes, as_of } = &sides.from;
    let head = range.head.unwrap_or("the work tree").to_owned() + &supposed(&args.what_if);
    let report = ChangeReport {
        change: &change,
        expectations: &expectations,
        base: range.base,
        base_commit: &base,
        head: &head,
        source,
        notes,
        as_of: as_of.as_deref(),
    };
    if !common.quiet {
        tell_notes(notes, err)?;
        writeln!(err, "exitpath: updates are from {}", printable(source))?;
        if let Some(note) = unloaded(&after) {
            writeln!(err, "exitpath: {}", printable(&note))?;
        }
    }
    let format = match args.format {
        DiffFormat::Human => report::ChangeFormat::Human,
        DiffFormat::Json => report::ChangeFormat::Json,
        DiffFormat::Markdown => report::ChangeFormat::Markdown,
        DiffFormat::Edges => report::ChangeFormat::Edges,
    };
    match &args.output {
        None => report.write(format, style, out)?,
        Some(path) => {
            to_file(path, style, |style, text| report.write(format, style, text))?;
        }
    }
    let fails = args.exit_code && !report.is_idle() || !report.broken().is_empty();
    // The process is about to end: taking the models apart piece by piece would only delay that.
    std::mem::forget(change);
    std::mem::forget((sides, before, after));
    Ok(if fails { Status::Findings } else { Status::Clean })
}

/// What the command line says that the change does.
fn expected(statements: &[String]) -> Result<Vec<Stated>, Failure> {
    let stated: Vec<Stated> = statements.iter().map(|text| Stated::by_flag(text)).collect();
    let unreadable = stated.iter().find_map(|one| Some((one, one.statement.as_ref().err()?)));
    match unreadable {
        None => Ok(stated),
        Some((one, why)) => {
            Err(Failure::new(format!("`--expect '{}'` cannot be read: {why}", one.text)))
        }
    }
}

/// What is to be known of files that the service does not load: they change nothing.
fn unloaded(data: &GraphData) -> Option<String> {
    let is_read = |file: &&DataFile| matches!(file.kind, Kind::BlockedEdge | Kind::Channel);
    let files: Vec<&DataFile> =
        data.files.iter().filter(is_read).filter(|file| file.verdict != Verdict::Loads).collect();
    if let Some(worst) = files.iter().find(|file| file.verdict == Verdict::Panics) {
        let path = data.path(worst.id);
        return Some(format!("{path} crashes the service; `exitpath check` explains why"));
    }
    let path = data.path(files.first()?.id);
    Some(match files.len() - 1 {
        0 => format!("{path} does not load, so it has no effect; `exitpath check` explains why"),
        n => {
            let more = counted(n, "more file");
            format!(
                "{path} and {more} do not load, so they have no effect; `exitpath check` explains why"
            )
        }
    })
}

/// What is not so, but might be, in words.
fn supposed(what_if: &WhatIf) -> String {
    let added = what_if.add.len() + what_if.with.len();
    let more = match added {
        0 => String::new(),
        n => format!(", with {} more", report::counted(n, "declaration")),
    };
    match what_if.without.as_slice() {
        [] => more,
        risks => format!("{more}, without {}", risks.join(" and ")),
    }
}

/// `A`, `A B`, `A..B` or `A...B`.
fn range(args: &Diff) -> Result<Range<'_>, Failure> {
    let (base, end, from_fork) = match args.base.split_once("...") {
        Some((base, end)) => (base, Some(end), true),
        None => match args.base.split_once("..") {
            Some((base, end)) => (base, Some(end), false),
            None => (args.base.as_str(), None, false),
        },
    };
    if end.is_some() && args.head.is_some() {
        let what = format!("`{}` already names both revisions", args.base);
        return Err(Failure::new(what).hint("`diff A B`, `diff A..B`, or `diff A...B`"));
    }
    if base.is_empty() {
        let what = format!("`{}` does not name a first revision", args.base);
        return Err(Failure::new(what).hint("`exitpath diff main`, for example"));
    }
    let head = args.head.as_deref().or(end.filter(|end| !end.is_empty()));
    Ok(Range { base, head, from_fork })
}

/// The commit to begin with.
fn base(root: &Path, range: &Range<'_>, err: &mut dyn Write) -> Result<String, Failure> {
    if !range.from_fork {
        return Ok(tree::commit(root, range.base)?);
    }
    let base = tree::base(root, range.base, range.head)?;
    if !base.is_merge_base {
        let revision = printable(range.base).into_owned();
        writeln!(
            err,
            "exitpath: no common ancestor with {revision} is known (a shallow clone?): comparing with {revision} itself"
        )?;
    }
    Ok(base.commit)
}
