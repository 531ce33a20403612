//! `exitpath check`: the presubmit.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::thread;

use crate::comparison::GraphChange;
use crate::graph_data::{self, GraphData, Kind};
use crate::lint::{
    Baseline, Changed, Config, Level, Outcome, Request, Selection, lint, lint_change, path_of,
};
use crate::report::{ChangeReport, Format, Report, Style, counted};
use crate::rules::{Family, Finding, Outlook, RULES, Severity};
use crate::text::printable;
use crate::tree::{Blob, TreeError};

use super::args::{Check, Common};
use super::before::{Base, Before};
use super::check_graph;
use super::fix::mend;
use super::releases::{Known, Provenance, Sides};
use super::repository::Repository;
use super::{Failure, Status, to_file};

/// Everything that decides what is told.
struct Asked {
    repository: Repository,
    request: Request,
    baseline_file: PathBuf,
    /// Whether the rules are left out that need the update graph.
    is_without_graph: bool,
}

impl Asked {
    /// Whether some rule that is asked for looks at updates.
    fn needs_updates(&self) -> bool {
        let mut rules = RULES.iter().filter(|rule| rule.looks_at_updates());
        rules.any(|rule| self.request.selection.takes(rule))
    }
}

pub(super) fn run(
    args: &Check,
    common: &Common,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Failure> {
    if let Some(graphs) = check_graph::named(args)? {
        return check_graph::run(&graphs, args, common, style, out, err);
    }
    let outputs = outputs(args)?;
    let asked = asked(args)?;
    if common.verbose {
        let root = asked.repository.root.display().to_string();
        writeln!(err, "exitpath: reading {}", printable(&root))?;
    }
    if !common.quiet {
        report_removed(&asked.request, err)?;
    }
    if ignores_graph(args) && !args.no_graph {
        writeln!(
            err,
            "exitpath: `--ignore graph` is now called `--no-graph`; the next release will ignore the rules of the family `graph` only"
        )?;
    }
    let (root, revision) = (&asked.repository.root, args.rev.as_deref());
    if asked.is_without_graph && !common.quiet {
        writeln!(err, "exitpath: not checked without the update graph: {}", graph_rules())?;
    }
    let read = || -> Result<Read, Failure> {
        thread::scope(|scope| {
            let before = scope.spawn(|| {
                args.base.as_deref().map(|base| Before::read(root, base, revision)).transpose()
            });
            let blobs = graph_data::blobs(root, revision)?;
            let kept = args.fix.then(|| blobs.clone());
            let data = GraphData::from_blobs(blobs);
            let failed = |_| Failure::new("reading the base failed");
            Ok(Read { data, kept, before: before.join().map_err(failed)?? })
        })
    };
    let (read, known) = if asked.needs_updates() {
        let (read, known) =
            args.releases.read_beside(root, revision, &asked.request.config, read)?;
        (read?, Some(known))
    } else {
        (read()?, None)
    };
    let Read { mut data, kept, before } = read;
    let base = before.map(|before| before.beside(&data, args, common, err)).transpose()?;
    if data.files.is_empty() {
        let what = format!("there is no data in {}", asked.repository.root.display());
        return Err(Failure::new(what)
            .hint("a graph-data repository holds `version`, `channels/` and `blocked-edges/`"));
    }
    let (base, known) = (base.as_ref(), known.as_ref());
    if let Some(blobs) = kept {
        let again = |data: &GraphData| {
            let view = View::of(data, base, known, &asked);
            judge(data, base, &view, view.change(data, base).as_ref(), &asked)
        };
        let found = again(&data);
        let before = threshold_reached(args, &asked.request.config, &found);
        let mended = mend(blobs, data, found, &again);
        if args.diff {
            mended.show(style, out, err)?;
            return Ok(before);
        }
        mended.write(&asked.repository.root, err)?;
        data = mended.data;
    }
    let view = View::of(&data, base, known, &asked);
    let change = view.change(&data, base);
    let mut outcome = judge(&data, base, &view, change.as_ref(), &asked);
    if args.write_baseline {
        return write_baseline(&data, &outcome, &asked, err);
    }
    // What a person asks about some files only, the change as a whole does not answer.
    let told = change.as_ref().zip(base).filter(|_| asked.repository.paths.is_empty());
    let told = told.zip(view.provenance()).map(|((change, base), from)| ChangeReport {
        change,
        expectations: &base.expectations,
        base: args.base.as_deref().unwrap_or_default(),
        base_commit: &base.commit,
        head: args.rev.as_deref().unwrap_or("the work tree"),
        source: &from.source,
        notes: &from.notes,
        as_of: from.as_of.as_deref(),
    });
    outcome.cut(&data.sources);
    let files = data.files.iter().filter(|file| file.kind != Kind::Stray);
    let files =
        files.map(|file| data.path(file.id)).filter(|path| asked.repository.asks_about(path));
    let report = Report {
        sources: &data.sources,
        outcome: &outcome,
        change: told.as_ref(),
        files: files.collect(),
        prefix: asked.repository.prefix.clone(),
        fail_on: threshold(args, &asked.request.config),
    };
    write_all(&report, &outputs, style, out)?;
    let status = threshold_reached(args, &asked.request.config, &outcome);
    // The process is about to end: taking the model apart piece by piece would only delay that.
    std::mem::forget(change);
    std::mem::forget((data, view));
    Ok(status)
}

/// A format, and the file to write it to; none for standard output.
pub(super) type Target = (Format, Option<PathBuf>);

/// The formats to write, each to a file or to standard output.
pub(super) fn outputs(args: &Check) -> Result<Vec<Target>, Failure> {
    let named = |name: &str| {
        Format::named(name).ok_or_else(|| {
            let names = Format::ALL.map(|(name, _)| name);
            let failure = Failure::new(format!("there is no format `{name}`"));
            failure.hint(format!("there are: {}", names.join(", ")))
        })
    };
    let format = named(&args.format)?;
    let mut outputs = Vec::new();
    let mut to_stdout = true;
    for output in &args.output {
        let is_name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase());
        let (format, file) = match output.split_once('=') {
            Some((name, file)) if is_name(name) => (named(name)?, file),
            _ => {
                to_stdout = false;
                (format, output.as_str())
            }
        };
        if file == "-" {
            to_stdout = false;
            outputs.push((format, None));
        } else {
            outputs.push((format, Some(PathBuf::from(file))));
        }
    }
    if to_stdout {
        outputs.push((format, None));
    }
    Ok(outputs)
}

fn asked(args: &Check) -> Result<Asked, Failure> {
    let repository = Repository::find(args.repo.as_deref(), &args.paths, args.rev.is_some())?;
    let is_whole = repository.paths.is_empty() && args.select.is_empty() && args.ignore.is_empty();
    if args.write_baseline && !is_whole {
        let what = "a baseline needs the whole repository and every rule";
        return Err(Failure::new(what).hint("leave out the paths, `--select` and `--ignore`"));
    }
    let config = Config::read(&repository.root)?;
    let selection = selection(args)?;
    let is_without_graph = is_without_graph(args);
    let configured = config.baseline.as_ref().map(|file| repository.root.join(file));
    let is_configured = args.baseline.is_some() || configured.is_some();
    let default = || repository.root.join("exitpath-baseline.json");
    let baseline_file = args.baseline.clone().or(configured).unwrap_or_else(default);
    let baseline = if is_configured && !args.write_baseline {
        Baseline::read(&baseline_file)
            .map_err(|e| Failure::new(e).hint("`--write-baseline` writes a new one"))?
    } else {
        Baseline::default()
    };
    let request = Request { config, selection, baseline };
    Ok(Asked { repository, request, baseline_file, is_without_graph })
}

/// Notes the removed rules that the command line or the config names.
pub(super) fn report_removed(request: &Request, err: &mut dyn Write) -> Result<(), Failure> {
    let mut named = [request.selection.removed(), &request.config.removed].concat();
    named.sort_unstable_by_key(|removed| removed.code);
    named.dedup_by_key(|removed| removed.code);
    for removed in named {
        writeln!(err, "exitpath: {}", removed.note())?;
    }
    Ok(())
}

/// The rules that the command line asks for.
pub(super) fn selection(args: &Check) -> Result<Selection, Failure> {
    let words = |words: &[String]| Selection::of(words).map_err(|e| Failure::new(e.to_string()));
    let selection =
        if args.select.is_empty() { Selection::default() } else { words(&args.select)? };
    let selection =
        if args.ignore.is_empty() { selection } else { selection.without(&words(&args.ignore)?) };
    Ok(if is_without_graph(args) { selection.without_updates() } else { selection })
}

/// Whether the update graph is not to be built.
fn is_without_graph(args: &Check) -> bool {
    args.no_graph || ignores_graph(args)
}

/// Whether `--ignore` names the family of the graph, which once meant `--no-graph`.
fn ignores_graph(args: &Check) -> bool {
    args.ignore.iter().any(|word| word.trim() == Family::Graph.name())
}

/// The names of the rules that need the update graph.
fn graph_rules() -> String {
    let rules = RULES.iter().filter(|rule| rule.looks_at_updates());
    rules.map(|rule| rule.name).collect::<Vec<_>>().join(", ")
}

/// What is read of a repository.
struct Read {
    data: GraphData,
    /// The files themselves, where they are to be mended.
    kept: Option<Vec<Blob>>,
    before: Option<Before>,
}

/// What is known of a repository's updates: by themselves, or beside what they were before a
/// change; nothing, where no rule asks.
enum View {
    Nothing,
    Alone(Box<Outlook>),
    Sides(Box<Sides>),
}

impl View {
    fn of(data: &GraphData, base: Option<&Base>, known: Option<&Known>, asked: &Asked) -> Self {
        let policy = &asked.request.config.supported;
        match (base, known) {
            (_, None) => Self::Nothing,
            (None, Some(known)) => Self::Alone(Box::new(known.outlook(data, policy))),
            (Some(base), Some(known)) => {
                Self::Sides(Box::new(known.sides(&base.data, data, policy, None)))
            }
        }
    }

    /// What a change does to clusters.
    fn change<'v>(
        &'v self,
        data: &'v GraphData,
        base: Option<&'v Base>,
    ) -> Option<GraphChange<'v>> {
        match self {
            Self::Sides(sides) => Some(sides.change(&base?.data, data, &[])),
            Self::Nothing | Self::Alone(_) => None,
        }
    }

    fn provenance(&self) -> Option<&Provenance> {
        match self {
            Self::Sides(sides) => Some(&sides.from),
            Self::Nothing | Self::Alone(_) => None,
        }
    }

    fn after(&self) -> Option<&Outlook> {
        match self {
            Self::Nothing => None,
            Self::Alone(outlook) => Some(outlook),
            Self::Sides(sides) => Some(&sides.after),
        }
    }

    fn before(&self) -> Option<&Outlook> {
        match self {
            Self::Nothing | Self::Alone(_) => None,
            Self::Sides(sides) => Some(&sides.before),
        }
    }
}

/// What is wrong in the part of the repository that was asked about.
fn judge(
    data: &GraphData,
    base: Option<&Base>,
    view: &View,
    graphs: Option<&GraphChange<'_>>,
    asked: &Asked,
) -> Outcome {
    let mut outcome = match base {
        None => lint(data, view.after(), &asked.request),
        Some(base) => {
            let changed = Changed {
                before: &base.data,
                outlook_before: view.before(),
                after: data,
                outlook_after: view.after(),
                graphs,
                expectations: &base.expectations,
                renames: &base.renames,
            };
            lint_change(&changed, &asked.request)
        }
    };
    outcome.findings.retain(|finding| touches(data, finding, &asked.repository));
    outcome
}

fn touches(data: &GraphData, finding: &Finding, repository: &Repository) -> bool {
    let mut places = finding.related.iter().map(|r| &r.place).chain([&finding.place]);
    places.any(|place| repository.asks_about(path_of(&data.sources, place)))
}

/// The least severity that fails the check; none when nothing does.
pub(super) fn threshold(args: &Check, config: &Config) -> Option<Severity> {
    match args.fail_on {
        Some(asked) => asked.severity(),
        None => config.fail_on.unwrap_or(Level::Error).severity(),
    }
}

pub(super) fn threshold_reached(args: &Check, config: &Config, outcome: &Outcome) -> Status {
    let threshold = threshold(args, config);
    let reached = |finding: &Finding| threshold.is_some_and(|least| finding.severity >= least);
    if outcome.findings.iter().any(reached) { Status::Findings } else { Status::Clean }
}

fn write_baseline(
    data: &GraphData,
    outcome: &Outcome,
    asked: &Asked,
    err: &mut dyn Write,
) -> Result<Status, Failure> {
    let file = &asked.baseline_file;
    let text = Baseline::of(&data.sources, &outcome.findings).to_json();
    fs::write(file, text)
        .map_err(|e| Failure::new(format!("cannot write {}: {e}", file.display())))?;
    let (findings, file) = (counted(outcome.findings.len(), "finding"), file.display().to_string());
    writeln!(err, "exitpath: wrote {findings} to {}", printable(&file))?;
    if asked.request.config.baseline.is_none() {
        writeln!(
            err,
            "          use it with `--baseline`, or `baseline = \"…\"` in exitpath.toml"
        )?;
    }
    Ok(Status::Clean)
}

/// Writes a report in every format that is asked for.
pub(super) fn write_all(
    report: &Report<'_>,
    outputs: &[Target],
    style: Style,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    for (format, target) in outputs {
        match target {
            None => report.write(*format, style, out)?,
            Some(path) => {
                to_file(path, style, |style, text| report.write(*format, style, text))?;
            }
        }
    }
    Ok(())
}

impl From<TreeError> for Failure {
    fn from(error: TreeError) -> Self {
        let hint = match &error {
            TreeError::NoGit(_) => {
                Some("install git, or do without `--rev`, `--base` and `diff`".to_owned())
            }
            TreeError::UnknownRevision(_, helps) => Some(helps.clone()),
            _ => None,
        };
        let failure = Self::new(error.to_string());
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}
