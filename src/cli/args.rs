//! The flags of most commands. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::analysis::Goal;
use crate::domain::{Arch, FailOn, Format};
use crate::graph_data::Consumer;
use crate::report::{ChangeReport, RouteReport, SimulationReport};
use crate::rules::Family;

use super::access_args::AccessArgs;
use super::catalog_args::CatalogCommand;
use super::channel_args::{ChannelsArgs, ServiceArgs};
use super::choice::{choice, format_in, format_of_graph};
use super::cluster_args::ClusterArgs;
use super::color::Color;
use super::compare_args::CompareArgs;
use super::deferred::Deferred;
use super::lint_args::LintArgs;
use super::path_rollout_args::PathRolloutArgs;
use super::query_args::{PromqlCommand, RiskCommand, TestArgs};
use super::report_args::ReportArgs;
use super::rollout_args::RolloutCommand;
#[cfg(feature = "serve")]
use super::serve_args::ServeArgs;
use super::source_args::{GraphSourceArgs, ReleaseArgs, WhatIfArgs};

/// Checks an OpenShift update graph before clusters see it.
#[derive(Debug, Parser)]
#[command(name = "exitpath", version, max_term_width = 100)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) common: CommonArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Lint a graph-data repository, or update graphs.
    ///
    /// Exit status: 0 (no finding is at or above --fail-on), 1 (at least one finding is), or 2 (the
    /// command could not run).
    Check(Deferred<CheckArgs>),
    /// Show how a change affects the updates that clusters are offered.
    ///
    /// Exit status: 0 (the change meets all stated expectations), 1 (it breaks an expectation or,
    /// with --exit-code, the diff is not empty), or 2 (the command could not run).
    Diff(Deferred<DiffArgs>),
    /// Print the update graph that clusters receive after the change is merged.
    ///
    /// The repository does not contain the updates: release images do. Without --releases, exitpath
    /// predicts them from the repository's git history.
    Graph(Deferred<GraphArgs>),
    /// Remove conditional updates, and report releases without an exit path.
    ///
    /// Exit status: 0 (no stranded release is at or above --fail-on), 1 (at least one stranded
    /// release is), or 2 (the command could not run, or it checked no release).
    Simulate(Deferred<SimulateArgs>),
    /// Find update paths from one release to another, with their risks.
    ///
    /// Exit status: 0 (there is a path), 1 (there is no path), or 2 (the command could not run).
    Path(Deferred<PathArgs>),
    /// Show which updates one cluster is offered, and why.
    ///
    /// Reads the repository or an answer of the update service as the operator of the cluster does,
    /// evaluates the risks over the cluster's series, and shows what the operator stores and what
    /// `oc` prints about it.
    ///
    /// Exit status: 0, 1 (a requested update is refused, or `oc` fails), or 2 (the command could not
    /// run).
    Cluster(Deferred<ClusterArgs>),
    /// List the channels that clusters can request, and what each is for.
    ///
    /// The texts come from the key `description` of the files in channels/. Without the key, a
    /// default text says what a channel of this phase is for.
    ///
    /// Exit status: 0, or 2 (the command could not run). `--as crd` with a service that does not
    /// answer is 0: the command shows what a cluster then stores.
    Channels(Deferred<ChannelsArgs>),
    /// Serve the update graph over HTTP, as the update service does.
    ///
    /// Point a test cluster at it: set `spec.upstream` of its ClusterVersion to
    /// `http://HOST:8080/api/upgrades_info/v1/graph`. An edit of the repository is served at once.
    /// If an edit is broken, the last good graph stays.
    #[cfg(feature = "serve")]
    Serve(Deferred<ServeArgs>),
    /// Compare the answers of a running update service with this repository.
    ///
    /// Exit status: 0 (all answers are equal), 1 (an answer differs), or 2 (an answer is missing,
    /// or the command could not run).
    Compare(Deferred<CompareArgs>),
    /// Show how an update proceeds: the payload, the cluster operators, and the nodes.
    #[command(subcommand)]
    Rollout(RolloutCommand),
    /// Check and simulate catalogs of operators (file-based catalogs of OLM).
    #[command(subcommand)]
    Catalog(CatalogCommand),
    /// Try the query of a risk.
    #[command(subcommand)]
    Promql(PromqlCommand),
    /// Look at the risks of a repository.
    #[command(subcommand)]
    Risk(RiskCommand),
    /// Run the tests of risks: files in risk-tests/ that say to which clusters a risk applies.
    ///
    /// Exit status: 0 (all tests passed), 1 (at least one test failed), or 2 (the command could not
    /// run, or there is no test).
    Test(Deferred<TestArgs>),
    /// List the rules.
    Rules(Deferred<RulesArgs>),
    /// Explain what a rule finds, why it matters, and what to do.
    Explain(Deferred<ExplainArgs>),
    /// Print a published JSON schema, or list them.
    Schema(Deferred<SchemaArgs>),
    /// Print a completion script for a shell.
    ///
    /// bash looks for it in `~/.local/share/bash-completion/completions/exitpath`, fish in
    /// `~/.config/fish/completions/exitpath.fish`, zsh in a file `_exitpath` in a folder of $fpath.
    Completions(Deferred<CompletionsArgs>),
    /// Print the manual: one page, with a section for each command.
    ///
    /// `exitpath man | man -l -` shows it; `exitpath man > exitpath.1` writes it for a package.
    Man,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CommonArgs {
    /// When to use colors (NO_COLOR, CLICOLOR_FORCE, and TERM=dumb work too).
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    pub(super) color: Color,
    /// Print fewer notes. With check, diff, simulate, test, and promql eval, print only the verdict.
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Print more notes on stderr: progress, and how many updates are uncertain.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(super) verbose: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CheckArgs {
    /// The folder of a repository; or files in a repository, to report only findings that affect
    /// them (the whole repository is still read); or update graphs as the service returns them
    /// (FILE.json). Default: the nearest repository at or above the working directory.
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The repository's folder.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    /// Report only findings that are new since the merge base with REV.
    #[arg(long, value_name = "REV", conflicts_with = "write_baseline", allow_hyphen_values = true)]
    pub(super) base: Option<String>,
    #[command(flatten)]
    pub(super) releases: ReleaseArgs,
    #[command(flatten)]
    pub(super) lint: LintArgs,
    /// Also ask the Prometheus or Thanos at this address about the queries: which metrics, labels,
    /// and values it has, and what the queries answer.
    #[arg(long, value_name = "URL", group = "server", conflicts_with = "fix")]
    pub(super) url: Option<String>,
    #[command(flatten)]
    pub(super) access: AccessArgs,
    /// Do not build the update graph, and skip the rules that need it.
    #[arg(long)]
    pub(super) no_graph: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct DiffArgs {
    /// The old revision; or `A..B` for both revisions, or `A...B` to compare B with the merge base.
    #[arg(value_name = "BASE")]
    pub(super) base: String,
    /// The new revision. Default: the work tree.
    #[arg(value_name = "HEAD")]
    pub(super) head: Option<String>,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    #[command(flatten)]
    pub(super) releases: ReleaseArgs,
    #[command(flatten)]
    pub(super) what_if: WhatIfArgs,
    /// Compare these channels only.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(super) channel: Vec<String>,
    /// Compare for this architecture only.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    #[command(flatten)]
    pub(super) report: ReportArgs<ChangeReport<'static>>,
    /// Exit with status 1 if the diff is not empty.
    #[arg(long)]
    pub(super) exit_code: bool,
    /// State what the change is meant to do: `strands nobody`, `strands 4.18.9 in stable-4.18`,
    /// `blocks nothing`, `conditional 4.20.29..4.20.30`, `only stable-4.18`. If the change breaks a
    /// statement, the exit status is 1. `Exitpath-Expect:` lines in commit messages are also
    /// checked. May be repeated.
    #[arg(long, value_name = "STATEMENT")]
    pub(super) expect: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct GraphArgs {
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(value_name = "REPO", conflicts_with_all = ["repo", "graph"])]
    pub(super) path: Option<PathBuf>,
    #[command(flatten)]
    pub(super) source: GraphSourceArgs,
    #[command(flatten)]
    pub(super) service: ServiceArgs,
    /// Print what clusters in this channel receive; or, as a table or as edges, in several.
    /// Default: the whole graph.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(super) channel: Vec<String>,
    /// The clusters' architecture. Default: amd64.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    /// The schema version that the service or client supports. With 1.0.0, each risk is a block.
    #[arg(
        long,
        value_name = "VERSION",
        value_parser = choice::<Consumer>(),
        default_value = "1.1.0",
        hide_default_value = true
    )]
    pub(super) consumer: Consumer,
    /// How to print the graph: human (a table), json (as the service returns it), edges (a line
    /// for each update), or a drawing: dot, mermaid, or svg. Default: human on a terminal, or else
    /// json.
    #[arg(long, value_name = "FORMAT", value_parser = format_of_graph(&[Format::Human, Format::Json, Format::Edges]))]
    pub(super) format: Option<Format>,
    /// Draw one release and the updates from and to it.
    #[arg(long, value_name = "VERSION")]
    pub(super) around: Option<String>,
    /// Draw these updates only.
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(super) only: Option<OnlyUpdates>,
    /// Also draw blocked updates.
    #[arg(long)]
    pub(super) blocked: bool,
    /// Write the output to FILE.
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OnlyUpdates {
    /// Conditional updates.
    Conditional,
    /// Updates from releases that `exitpath simulate` reports as stranded.
    Stranded,
}

#[derive(Debug, ClapArgs)]
pub(super) struct SimulateArgs {
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(value_name = "REPO", conflicts_with_all = ["repo", "graph"])]
    pub(super) path: Option<PathBuf>,
    #[command(flatten)]
    pub(super) source: GraphSourceArgs,
    #[command(flatten)]
    pub(super) service: ServiceArgs,
    /// Simulate these channels only. Default: stable, fast, and eus.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(super) channel: Vec<String>,
    /// Simulate this architecture only.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    /// Which conditional updates to remove: `all` (the default), those with an `Always` risk
    /// (`always`), or those with a risk of this name. May be repeated.
    #[arg(long, value_name = "all|always|RISK", value_delimiter = ',')]
    pub(super) remove: Vec<String>,
    /// Do not remove updates whose only risk is RISK. May be repeated: updates that have only these
    /// risks stay.
    #[arg(long, value_name = "RISK", value_delimiter = ',', conflicts_with = "remove")]
    pub(super) keep: Vec<String>,
    /// Assume that administrators accept the risk of this name
    /// (`spec.desiredUpdate.acceptRisks`). Updates that have only accepted risks stay
    /// available. May be repeated.
    #[arg(long, value_name = "RISK", value_delimiter = ',')]
    pub(super) accept: Vec<String>,
    /// Rank risks by the number of clusters that their removal helps. Each line of FILE says how
    /// many clusters run a release: `VERSION,CLUSTERS`.
    #[arg(long, value_name = "FILE")]
    pub(super) weights: Option<PathBuf>,
    /// What releases should reach: any other release, the newest patch of their minor, or the
    /// channel's minor. Default: all three.
    #[arg(long, value_name = "GOAL", value_parser = choice::<Goal>(), value_delimiter = ',')]
    pub(super) goal: Vec<Goal>,
    /// Search for sets of up to N risks that together strand a release.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=6))]
    pub(super) sets: u8,
    /// Check the releases in this range (`>=4.16, <4.20`), or all releases except pre-releases
    /// (`*`).
    #[arg(long, value_name = "RANGE")]
    pub(super) supported: Option<String>,
    /// Check the releases of minors whose newest release is at most DAYS old. Default: the value in
    /// exitpath.toml, or 90.
    #[arg(long, value_name = "DAYS", conflicts_with = "supported")]
    pub(super) supported_days: Option<u32>,
    /// Explain one release: why it is checked or not, and its result in each channel.
    #[arg(long, value_name = "VERSION")]
    pub(super) explain: Option<String>,
    #[command(flatten)]
    pub(super) report: ReportArgs<SimulationReport<'static>>,
    /// The lowest severity that fails the simulation. A release that is stranded for all clusters
    /// is an error. A release that is stranded only for affected clusters is a warning.
    #[arg(long, value_name = "SEVERITY", value_parser = choice::<FailOn>(), default_value = "error")]
    pub(super) fail_on: FailOn,
}

#[derive(Debug, ClapArgs)]
pub(super) struct PathArgs {
    /// The release to start from.
    #[arg(value_name = "FROM")]
    pub(super) from: String,
    /// What to reach: a release (4.20.3), the newest of a minor version (4.20 or 4.20.x), the newest
    /// of a channel (stable-4.20), or the latest. With several, the newest of them all.
    #[arg(value_name = "TO", required = true)]
    pub(super) to: Vec<String>,
    #[command(flatten)]
    pub(super) source: GraphSourceArgs,
    #[command(flatten)]
    pub(super) service: ServiceArgs,
    /// Stay in these channels. Default: use any public channel, and change channels where needed.
    /// May be repeated.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(super) channel: Vec<String>,
    /// Take updates though this risk may apply. May be repeated.
    #[arg(long, value_name = "RISK", value_delimiter = ',')]
    pub(super) accept: Vec<String>,
    /// Do not use this release. May be repeated.
    #[arg(long, value_name = "VERSION", value_delimiter = ',')]
    pub(super) avoid: Vec<String>,
    /// If there is no path yet, say how long other releases waited for one in the last year.
    #[arg(long)]
    pub(super) wait: bool,
    /// The cluster's architecture. Default: amd64.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    #[command(flatten)]
    pub(super) report: ReportArgs<RouteReport<'static>>,
    #[command(flatten)]
    pub(super) rollout: PathRolloutArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RulesArgs {
    /// List the rules of this family only.
    #[arg(long, value_name = "FAMILY", value_parser = choice::<Family>(), hide_possible_values = true)]
    pub(super) family: Option<Family>,
    /// How to print the list.
    #[arg(long, value_name = "FORMAT", value_parser = format_in(&[Format::Human, Format::Json, Format::Markdown]), default_value = "human")]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ExplainArgs {
    /// The rule's name or code.
    #[arg(value_name = "RULE")]
    pub(super) rule: String,
    /// How to print it. `markdown` is a page of the documentation.
    #[arg(long, value_name = "FORMAT", value_parser = format_in(&[Format::Human, Format::Markdown]), default_value = "human")]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct SchemaArgs {
    /// The schema's name.
    #[arg(value_name = "NAME")]
    pub(super) name: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CompletionsArgs {
    /// The shell to write the script for.
    #[arg(value_name = "SHELL", value_enum)]
    pub(super) shell: clap_complete::Shell,
}
