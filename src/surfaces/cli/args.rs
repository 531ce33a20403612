//! The commands. clap prints the doc comments in this file as help.

use clap::{Parser, Subcommand};

use super::catalog_args::CatalogCommand;
use super::channels_args::ChannelsArgs;
use super::check_args::CheckArgs;
use super::cluster_args::ClusterArgs;
use super::common_args::CommonArgs;
use super::compare_args::CompareArgs;
use super::completions_args::CompletionsArgs;
use super::deferred::Deferred;
use super::diff_args::DiffArgs;
use super::digest_args::DigestArgs;
use super::examples;
use super::explain_args::ExplainArgs;
use super::fleet_args::FleetArgs;
use super::from_args::FromArgs;
use super::graph_args::GraphArgs;
use super::guide_args::GuideArgs;
use super::init_args::InitArgs;
#[cfg(feature = "lsp")]
use super::lsp_args::LspArgs;
use super::man_args::ManArgs;
use super::path_args::PathArgs;
use super::promote_args::PromoteArgs;
use super::promql_args::PromqlCommand;
use super::release_args::ReleaseCommand;
use super::risk_args::RiskCommand;
use super::rollout_args::RolloutCommand;
use super::rules_args::RulesArgs;
use super::schema_args::SchemaArgs;
#[cfg(feature = "serve")]
use super::serve_args::ServeArgs;
use super::simulate_args::SimulateArgs;
use super::test_args::TestArgs;

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
    #[command(after_help = examples::CHECK)]
    Check(Deferred<CheckArgs>),
    /// Show how a change affects the updates that clusters are offered.
    ///
    /// Exit status: 0 (the change meets all stated expectations), 1 (it breaks an expectation or,
    /// with --exit-code, the diff is not empty), or 2 (the command could not run).
    #[command(after_help = examples::DIFF)]
    Diff(Deferred<DiffArgs>),
    /// Print the update graph that clusters receive after the change is merged.
    ///
    /// The repository does not contain the updates: release images do. Without --releases, exitpath
    /// predicts them from the repository's git history.
    #[command(after_help = examples::GRAPH)]
    Graph(Deferred<GraphArgs>),
    /// Remove conditional updates, and report releases without an exit path.
    ///
    /// Exit status: 0 (no stranded release is at or above --fail-on), 1 (at least one stranded
    /// release is), or 2 (the command could not run, or it checked no release).
    #[command(after_help = examples::SIMULATE)]
    Simulate(Deferred<SimulateArgs>),
    /// Find update paths from one release to another, with their risks.
    ///
    /// Exit status: 0 (there is a path), 1 (there is no path), or 2 (the command could not run).
    #[command(after_help = examples::PATH)]
    Path(Deferred<PathArgs>),
    /// Show which updates one cluster is offered, and why.
    ///
    /// Reads the repository or an answer of the update service as the operator of the cluster does,
    /// evaluates the risks over the cluster's series, and shows what the operator stores and what
    /// `oc` prints about it.
    ///
    /// Exit status: 0, 1 (a requested update is refused, or `oc` fails), or 2 (the command could
    /// not run).
    #[command(after_help = examples::CLUSTER)]
    Cluster(Deferred<ClusterArgs>),
    /// Count clusters without a recommended update, and say why.
    ///
    /// Exit status: 0 (done), 1 (rows cannot be used, the store does not answer about all clusters,
    /// a risk has no query for a store, or clusters lose something with the change), or 2 (the
    /// command could not run).
    #[command(after_help = examples::FLEET)]
    Fleet(Deferred<FleetArgs>),
    /// List the channels that clusters can request, and what each is for.
    ///
    /// The texts come from the key `description` of the files in channels/. Without the key, a
    /// default text says what a channel of this phase is for.
    ///
    /// Exit status: 0, or 2 (the command could not run). `--as crd` with a service that does not
    /// answer is 0: the command shows what a cluster then stores.
    #[command(after_help = examples::CHANNELS)]
    Channels(Deferred<ChannelsArgs>),
    /// Write the pattern for the origins of a risk, or explain one.
    ///
    /// The pattern is for the key `from` in blocked-edges/. It matches exactly the releases that
    /// you name, now and for the next 50 patches of each minor version. With a pattern, the command
    /// says which releases it matches.
    ///
    /// Exit status: 0, or 2 (the command could not run).
    #[command(after_help = examples::FROM)]
    From(Deferred<FromArgs>),
    /// Show which releases the bot promotes to channels, and what holds back the others.
    ///
    /// A release is promoted from the feeder of a channel when the delay is over or its erratum is
    /// public, unless a risk of the release before is neither extended nor fixed.
    ///
    /// Exit status: 0, 1 (a risk stops a promotion), or 2 (the command could not run).
    #[command(after_help = examples::PROMOTE)]
    Promote(Deferred<PromoteArgs>),
    /// Open, release, or end a minor version: writes the files that this takes.
    #[command(subcommand)]
    Release(ReleaseCommand),
    /// Tell what changed for clusters since a day or a commit.
    #[command(after_help = examples::DIGEST)]
    Digest(Deferred<DigestArgs>),
    /// Serve the update graph over HTTP, as the update service does.
    ///
    /// Point a test cluster at it: set `spec.upstream` of its ClusterVersion to
    /// `http://HOST:8080/api/upgrades_info/v1/graph`. An edit of the repository is served at once.
    /// If an edit is broken, the last good graph stays.
    #[cfg(feature = "serve")]
    #[command(after_help = examples::SERVE)]
    Serve(Deferred<ServeArgs>),
    /// Compare the answers of a running update service with this repository.
    ///
    /// Exit status: 0 (all answers are equal), 1 (an answer differs), or 2 (an answer is missing,
    /// or the command could not run).
    #[command(after_help = examples::COMPARE)]
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
    /// Look at the risks of a repository, and change their files.
    #[command(subcommand)]
    Risk(RiskCommand),
    /// Run the tests of risks: the files in risk-tests/ say to which clusters each applies.
    ///
    /// Exit status: 0 (all tests passed), 1 (at least one test failed), or 2 (the command could not
    /// run, or there is no test).
    #[command(after_help = examples::TEST)]
    Test(Deferred<TestArgs>),
    /// List the rules.
    #[command(after_help = examples::RULES)]
    Rules(Deferred<RulesArgs>),
    /// Explain what a rule finds, why it matters, and what to do.
    #[command(after_help = examples::EXPLAIN)]
    Explain(Deferred<ExplainArgs>),
    /// Print a guide, as Markdown: how to write a risk.
    #[command(after_help = examples::GUIDE)]
    Guide(Deferred<GuideArgs>),
    /// Show or write the files that let pre-commit, CI, and editors run exitpath.
    #[command(after_help = examples::INIT)]
    Init(Deferred<InitArgs>),
    /// Start the language server: findings, hovers, completion, and more in an editor.
    ///
    /// Editors start it. It speaks the Language Server Protocol 3.17 over standard input and
    /// output.
    ///
    /// Exit status: 0 (the editor ended the session, or its process ended), 1 (it closed the pipe
    /// without ending the session), or 2 (it sent something other than messages).
    #[cfg(feature = "lsp")]
    #[command(after_help = examples::LSP)]
    Lsp(Deferred<LspArgs>),
    /// Print a published JSON schema, or list them.
    #[command(after_help = examples::SCHEMA)]
    Schema(Deferred<SchemaArgs>),
    /// Print a completion script for a shell.
    ///
    /// bash looks for it in `~/.local/share/bash-completion/completions/exitpath`, fish in
    /// `~/.config/fish/completions/exitpath.fish`, zsh in a file `_exitpath` in a folder of $fpath.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Deferred<CompletionsArgs>),
    /// Print the manual: one page, with a section for each command.
    #[command(after_help = examples::MAN)]
    Man(Deferred<ManArgs>),
}
