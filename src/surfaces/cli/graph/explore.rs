//! `exitpath graph --format html`: a page to explore.

use std::io::Write;

use rayon::prelude::*;

use crate::cli::graph_args::GraphArgs;
use crate::cli::values::moment_if_any;
use crate::cli::{Stop, output};
use crate::domain::Architectures;
use crate::domain::time::day;
use crate::explorer::{self, Exploration, ExploredState};
use crate::session::KnownGraph;
use crate::text::Failure;
use crate::tree;

use super::served;

pub(super) fn run(
    args: &GraphArgs,
    architectures: Architectures<'_>,
    known: KnownGraph,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    if args.root_version.is_some() {
        let what = "a page has whole channels, so `--root-version` does not go with it";
        return Err(Failure::new(what).hint("search for the release on the page").into());
    }
    for name in &args.channel {
        served(&known.graph, name, architectures.of_responses)?;
    }
    let mut states = match &args.since {
        Some(since) => past_states(args, since, architectures)?,
        None => Vec::new(),
    };
    states.push((args.subject.in_words(), known));
    let exploration = Exploration {
        title: "Update graph".to_owned(),
        states: states.iter().map(|(label, known)| ExploredState::of(known, label)).collect(),
        channels: args.channel.clone(),
        ..Exploration::default()
    };
    output::large(args.output.output.as_deref(), out, |out| {
        out.write_all(explorer::page(&exploration).as_bytes())
    })?;
    // Skips freeing the graphs, because the process ends now.
    std::mem::forget(states);
    Ok(())
}

/// How many states of the past a page shows at most.
const MOST_STATES: i64 = 40;
/// In seconds.
const DAY: i64 = 24 * 60 * 60;

/// The states of the repository since a day or a commit, each with its name: one for each day, or
/// for every few days. Days without a change are omitted.
fn past_states(
    args: &GraphArgs,
    since: &str,
    architectures: Architectures<'_>,
) -> Result<Vec<(String, KnownGraph)>, Failure> {
    let root = args.subject.root()?;
    let start = match moment_if_any(since) {
        Some(moment) => moment,
        None => tree::date(&root, &tree::commit(&root, since)?)?,
    };
    let mainline = tree::mainline(&root, args.subject.revision())?;
    let Some((_, last)) = mainline.last().filter(|(_, last)| *last >= start) else {
        return Err(Failure::new(format!("{since} is after the shown graph")));
    };
    let every = (last - start).div_euclid(DAY * MOST_STATES) + 1;
    let step = usize::try_from(every * DAY).unwrap_or(usize::MAX);
    let ends = (start..*last).step_by(step);
    let at = |time: i64| mainline.iter().rfind(|(_, own)| *own <= time);
    let mut commits: Vec<&(String, i64)> = ends.filter_map(at).collect();
    commits.dedup();
    let read = |(commit, time): &(String, i64)| {
        let label = format!("{} ({})", day(*time), commit.get(..8).unwrap_or(commit));
        Ok((label, args.subject.read_commit(commit, architectures)?))
    };
    commits.into_par_iter().map(read).collect()
}
