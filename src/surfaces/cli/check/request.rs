//! Which rules `check` runs, and what fails it.

use std::io::{self, Write};

use crate::cli::check_args::CheckArgs;
use crate::domain::Named;
use crate::lint::{Config, Selection};
use crate::rules::{Family, Rule};
use crate::session::{CheckQuestion, Session, Settings};
use crate::text::Failure;

/// The question of the command line. Fails if flags contradict each other.
pub(super) fn question<'q>(
    args: &'q CheckArgs,
    session: &Session,
    settings: Settings,
) -> Result<CheckQuestion<'q>, Failure> {
    let takes_all_rules = args.lint.select.is_empty() && args.lint.ignore.is_empty();
    let is_whole = session.repository.paths.is_empty() && takes_all_rules;
    if args.lint.write_baseline && !is_whole {
        let what = "a baseline needs the whole repository and every rule";
        return Err(Failure::new(what).hint("remove the paths, `--select`, and `--ignore`"));
    }
    let selection = selection(args)?;
    if let Some(failure) = without_server(args) {
        return Err(failure);
    }
    Ok(CheckQuestion {
        revision: args.rev.as_deref(),
        base: args.base.as_deref(),
        settings,
        selection,
        builds_graph: !is_without_graph(args),
        releases: args.releases.request(),
        server: args.url.as_deref().map(|url| args.access.request(url, None)),
        keeps_files: args.lint.fixes.fix,
    })
}

/// Prints a note for each removed rule that the command line or the config names.
pub(super) fn removed_rules(
    selection: &Selection,
    config: &Config,
    err: &mut dyn Write,
) -> io::Result<()> {
    let mut named = [selection.removed(), &config.removed].concat();
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
