//! Which rules `check` runs, and what fails it.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::cli::args::CheckArgs;
use crate::domain::{FailOn, Named, Severity};
use crate::lint::{Baseline, Config, Outcome, Request, Selection};
use crate::report::Listing;
use crate::rules::{Family, RULES, Rule};
use crate::session::{Failure, Session};

use super::Status;

pub(super) struct CheckRequest {
    pub(super) request: Request,
    pub(super) baseline_file: PathBuf,
    is_without_graph: bool,
}

impl CheckRequest {
    pub(super) fn of(args: &CheckArgs, session: &Session) -> Result<Self, Failure> {
        let repository = &session.repository;
        let is_whole =
            repository.paths.is_empty() && args.select.is_empty() && args.ignore.is_empty();
        if args.write_baseline && !is_whole {
            let what = "a baseline needs the whole repository and every rule";
            return Err(Failure::new(what).hint("remove the paths, `--select`, and `--ignore`"));
        }
        let selection = selection(args)?;
        let root = &repository.root;
        let configured = session.config.baseline.as_ref().map(|file| root.join(file));
        let is_configured = args.baseline.is_some() || configured.is_some();
        let default = || root.join("exitpath-baseline.json");
        let baseline_file = args.baseline.clone().or(configured).unwrap_or_else(default);
        let baseline = if is_configured && !args.write_baseline {
            Baseline::read(&baseline_file)
                .map_err(|e| Failure::new(e).hint("`--write-baseline` writes a new one"))?
        } else {
            Baseline::default()
        };
        let config = session.config.clone();
        let request = Request { config, selection, baseline };
        Ok(Self { request, baseline_file, is_without_graph: is_without_graph(args) })
    }

    /// Whether a selected rule looks at the update graph.
    pub(super) fn looks_at_updates(&self) -> bool {
        if self.is_without_graph {
            return false;
        }
        let mut rules = RULES.iter().filter(|rule| rule.looks_at_updates());
        rules.any(|rule| self.request.selection.takes(rule))
    }

    /// Whether a selected rule looks at risks that were removed long ago. To find them takes time.
    pub(super) fn looks_at_former_risks(&self) -> bool {
        let rule = Rule::find("returning-risk-name");
        rule.is_some_and(|rule| self.request.selection.takes(rule))
    }
}

/// Prints a note for each removed rule that the command line or the config names.
pub(super) fn removed_rules(request: &Request, err: &mut dyn Write) -> io::Result<()> {
    let mut named = [request.selection.removed(), &request.config.removed].concat();
    named.sort_unstable_by_key(|removed| removed.code);
    named.dedup_by_key(|removed| removed.code);
    for removed in named {
        writeln!(err, "exitpath: {}", removed.note())?;
    }
    Ok(())
}

pub(super) fn selection(args: &CheckArgs) -> Result<Selection, Failure> {
    let words = |words: &[String]| Selection::of(words).map_err(|e| Failure::new(e.to_string()));
    let selection =
        if args.select.is_empty() { Selection::default() } else { words(&args.select)? };
    let selection =
        if args.ignore.is_empty() { selection } else { selection.without(&words(&args.ignore)?) };
    Ok(if is_without_graph(args) { selection.without_updates() } else { selection })
}

pub(super) fn is_without_graph(args: &CheckArgs) -> bool {
    args.no_graph || ignores_graph(args)
}

/// Whether `--ignore` names the family `graph`. In earlier versions, this meant `--no-graph`.
pub(super) fn ignores_graph(args: &CheckArgs) -> bool {
    args.ignore.iter().any(|word| word.trim() == Family::Graph.name())
}

pub(super) fn listing(args: &CheckArgs) -> Listing {
    if args.statistics {
        Listing::Statistics
    } else if args.info {
        Listing::Everything
    } else {
        Listing::Worst
    }
}

pub(super) fn fail_on(args: &CheckArgs, config: &Config) -> FailOn {
    args.fail_on.or(config.fail_on).unwrap_or(FailOn::AtLeast(Severity::Error))
}

pub(super) fn status(fail_on: FailOn, outcome: &Outcome) -> Status {
    let findings = &outcome.findings;
    Status::failed_if(findings.iter().any(|finding| fail_on.is_reached(finding.severity)))
}
