//! `exitpath check`: the presubmit.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::edit;
use crate::graph_data::{self, GraphData, Kind};
use crate::lint::{Baseline, Config, Level, Outcome, Selection, lint, path_of};
use crate::report::{Format, Report, Style};
use crate::rules::{Finding, Severity};
use crate::text::printable;
use crate::tree::{Blob, TreeError};

use super::args::{Check, Common, FailOn};
use super::repository::Repository;
use super::{Failure, Status};

/// A fix may bring to light what it can mend next; this many rounds are enough for any file.
const ROUNDS: usize = 8;

/// Everything that decides what is told.
struct Asked {
    repository: Repository,
    config: Config,
    selection: Selection,
    baseline: Baseline,
    baseline_file: PathBuf,
}

pub(super) fn run(
    args: &Check,
    common: &Common,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Failure> {
    let outputs = outputs(args)?;
    let asked = asked(args)?;
    if common.verbose {
        writeln!(err, "exitpath: reading {}", asked.repository.root.display())?;
    }
    let blobs = graph_data::blobs(&asked.repository.root, args.rev.as_deref())?;
    if blobs.is_empty() {
        let what = format!("there is no data in {}", asked.repository.root.display());
        return Err(Failure::new(what)
            .hint("a graph-data repository holds `version`, `channels/` and `blocked-edges/`"));
    }
    let kept = args.fix.then(|| blobs.clone());
    let mut data = GraphData::from_blobs(blobs);
    let mut outcome = outcome(&data, &asked);
    if args.write_baseline {
        return write_baseline(&data, &outcome, &asked, err);
    }
    if let Some(blobs) = kept {
        let before = threshold_reached(args, &asked.config, &outcome);
        let mended = mend(blobs, &asked);
        if args.diff {
            for (path, (old, new)) in &mended.changed {
                write!(out, "{}", printable_diff(&edit::unified_diff(path, old, new)))?;
            }
            return Ok(before);
        }
        mended.write(&asked.repository.root, err)?;
        (data, outcome) = (mended.data, mended.outcome);
    }
    let files = data.files.iter().filter(|file| file.kind != Kind::Stray);
    let files =
        files.map(|file| data.path(file.id)).filter(|path| asked.repository.asks_about(path));
    let report = Report {
        data: &data,
        outcome: &outcome,
        files: files.collect(),
        prefix: asked.repository.prefix.clone(),
    };
    for (format, target) in &outputs {
        match target {
            None => report.write(*format, style, out)?,
            Some(path) => write_file(&report, *format, style, path)?,
        }
    }
    Ok(threshold_reached(args, &asked.config, &outcome))
}

/// The formats to write, each to a file or to standard output.
fn outputs(args: &Check) -> Result<Vec<(Format, Option<PathBuf>)>, Failure> {
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
        let more =
            output.split_once('=').and_then(|(name, file)| Some((Format::named(name)?, file)));
        if let Some((format, file)) = more {
            outputs.push((format, Some(PathBuf::from(file))));
        } else {
            to_stdout = false;
            outputs.push((format, Some(PathBuf::from(output))));
        }
    }
    if to_stdout {
        outputs.push((format, None));
    }
    Ok(outputs)
}

fn asked(args: &Check) -> Result<Asked, Failure> {
    let repository = Repository::find(args.repo.as_deref(), &args.paths, args.rev.is_some())?;
    let config = Config::read(&repository.root).map_err(|e| Failure::new(e.to_string()))?;
    let words = |words: &[String]| Selection::of(words).map_err(|e| Failure::new(e.to_string()));
    let mut selection =
        if args.select.is_empty() { Selection::all() } else { words(&args.select)? };
    if !args.ignore.is_empty() {
        selection = selection.without(&words(&args.ignore)?);
    }
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
    Ok(Asked { repository, config, selection, baseline, baseline_file })
}

/// What is wrong in the part of the repository that was asked about.
fn outcome(data: &GraphData, asked: &Asked) -> Outcome {
    let mut outcome = lint(data, &asked.config, &asked.selection, &asked.baseline);
    outcome.findings.retain(|finding| touches(data, finding, &asked.repository));
    outcome
}

fn touches(data: &GraphData, finding: &Finding, repository: &Repository) -> bool {
    repository.asks_about(path_of(data, finding))
        || finding.related.iter().any(|r| repository.asks_about(data.path(r.span.source)))
}

fn threshold_reached(args: &Check, config: &Config, outcome: &Outcome) -> Status {
    let asked = args.fail_on.map(|fail_on| match fail_on {
        FailOn::Error => Level::Error,
        FailOn::Warning => Level::Warning,
        FailOn::Info => Level::Info,
        FailOn::Never => Level::Off,
    });
    let threshold: Option<Severity> = asked.or(config.fail_on).unwrap_or(Level::Error).severity();
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
    let text = Baseline::of(data, &outcome.findings).to_json();
    fs::write(file, text)
        .map_err(|e| Failure::new(format!("cannot write {}: {e}", file.display())))?;
    writeln!(err, "exitpath: wrote {} findings to {}", outcome.findings.len(), file.display())?;
    if asked.config.baseline.is_none() {
        writeln!(
            err,
            "          use it with `--baseline`, or `baseline = \"…\"` in exitpath.toml"
        )?;
    }
    Ok(Status::Clean)
}

/// A repository after its fixes.
struct Mended {
    data: GraphData,
    outcome: Outcome,
    /// Path → old and new text.
    changed: BTreeMap<String, (String, String)>,
    fixes: usize,
}

fn mend(mut blobs: Vec<Blob>, asked: &Asked) -> Mended {
    let mut changed: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut fixes = 0;
    let mut round = 0;
    loop {
        let data = GraphData::from_blobs(blobs.clone());
        let outcome = outcome(&data, asked);
        let (texts, taken) = edit::apply(
            &data.sources,
            outcome.findings.iter().filter_map(|finding| finding.fix.as_ref()),
        );
        round += 1;
        if texts.is_empty() || round > ROUNDS {
            return Mended { data, outcome, changed, fixes };
        }
        fixes += taken;
        for (file, new) in texts {
            let source = data.sources.get(file);
            blobs[file.0 as usize].content = Ok(new.clone().into_bytes());
            changed
                .entry(source.path().to_owned())
                .and_modify(|(_, newest)| newest.clone_from(&new))
                .or_insert_with(|| (source.text().to_owned(), new));
        }
    }
}

impl Mended {
    fn write(&self, root: &Path, err: &mut dyn Write) -> Result<(), Failure> {
        for (path, (_, new)) in &self.changed {
            edit::write(&root.join(path), new)
                .map_err(|e| Failure::new(format!("cannot mend {path}: {e}")))?;
        }
        if self.fixes > 0 {
            writeln!(
                err,
                "exitpath: mended {} findings in {} files",
                self.fixes,
                self.changed.len()
            )?;
        }
        Ok(())
    }
}

/// A difference must stay applicable, so only what could harm a terminal is spelled out.
fn printable_diff(diff: &str) -> String {
    diff.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => {
                format!("{}\n", line.split('\t').map(printable).collect::<Vec<_>>().join("\t"))
            }
            None => printable(line).into_owned(),
        })
        .collect()
}

fn write_file(
    report: &Report<'_>,
    format: Format,
    style: Style,
    path: &Path,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    // Colours are for the terminal, whatever else is written where.
    report.write(format, Style { color: false, ..style }, &mut text)?;
    fs::write(path, text).map_err(|e| Failure::new(format!("cannot write {}: {e}", path.display())))
}

impl From<TreeError> for Failure {
    fn from(error: TreeError) -> Self {
        let hint = match &error {
            TreeError::NoGit(_) => Some("install git, or check a folder without `--rev`"),
            TreeError::UnknownRevision(_) => {
                Some("in a shallow clone, fetch more history: `git fetch --unshallow`")
            }
            _ => None,
        };
        let failure = Self::new(error.to_string());
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}
