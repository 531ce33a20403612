//! Which rules `check` runs, and what fails it.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::cli::check_args::CheckArgs;
use crate::domain::Named;
use crate::lint::{Request, Selection};
use crate::rules::{Family, RULES, Rule};
use crate::session::{Session, Settings};
use crate::text::Failure;

pub(super) struct CheckRequest {
    pub(super) request: Request,
    pub(super) baseline_file: PathBuf,
    is_without_graph: bool,
}

impl CheckRequest {
    pub(super) fn of(
        args: &CheckArgs,
        session: &Session,
        settings: Settings,
    ) -> Result<Self, Failure> {
        let repository = &session.repository;
        let takes_all_rules = args.lint.select.is_empty() && args.lint.ignore.is_empty();
        let is_whole = repository.paths.is_empty() && takes_all_rules;
        if args.lint.write_baseline && !is_whole {
            let what = "a baseline needs the whole repository and every rule";
            return Err(Failure::new(what).hint("remove the paths, `--select`, and `--ignore`"));
        }
        let selection = selection(args)?;
        if let Some(failure) = without_server(args) {
            return Err(failure);
        }
        let Settings { config, baseline, baseline_file, .. } = settings;
        let request = Request { config, selection, baseline, asked: None };
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

    /// Whether a selected rule is about exit paths.
    pub(super) fn asks_about_exits(&self) -> bool {
        RULES.iter().any(|rule| rule.is_about_exits() && self.request.selection.takes(rule))
    }

    /// Whether all selected rules are about exit paths.
    pub(super) fn asks_only_about_exits(&self) -> bool {
        let mut taken = RULES.iter().filter(|rule| self.request.selection.takes(rule)).peekable();
        taken.peek().is_some() && taken.all(|rule| rule.is_about_exits())
    }

    /// Whether a selected rule wants to know what a server says of queries.
    pub(super) fn asks_server(&self) -> bool {
        let mut rules = RULES.iter().filter(|rule| rule.needs_server());
        rules.any(|rule| self.request.selection.takes(rule))
    }

    /// Whether a selected rule looks at risks that were removed long ago. To find them takes time.
    pub(super) fn looks_at_former_risks(&self) -> bool {
        let mut rules = RULES.iter().filter(|rule| rule.properties.looks_at_former_risks);
        rules.any(|rule| self.request.selection.takes(rule))
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

/// Refuses to run a named rule that finds nothing without a server.
fn without_server(args: &CheckArgs) -> Option<Failure> {
    let needs_server = |word: &&String| Rule::find(word.trim()).is_some_and(Rule::needs_server);
    let word = args.lint.select.iter().find(needs_server).filter(|_| args.url.is_none())?;
    let failure = Failure::new(format!("the rule `{}` needs a server", word.trim()));
    Some(failure.hint("name a Prometheus or Thanos: `--url URL`"))
}

pub(super) fn selection(args: &CheckArgs) -> Result<Selection, Failure> {
    let selection = args.lint.selection()?;
    Ok(if is_without_graph(args) { selection.without_updates() } else { selection })
}

pub(super) fn is_without_graph(args: &CheckArgs) -> bool {
    args.no_graph || ignores_graph(args)
}

/// Whether `--ignore` names the family `graph`. In earlier versions, this meant `--no-graph`.
pub(super) fn ignores_graph(args: &CheckArgs) -> bool {
    args.lint.ignore.iter().any(|word| word.trim() == Family::Graph.name())
}
