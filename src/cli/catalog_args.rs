//! The flags of `exitpath catalog`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use crate::catalog::simulation::Resolver;
use crate::domain::{Arch, Format};
use crate::olm::Strategy;
use crate::report::{
    BridgeReport, CatalogPaths, CatalogReport, DifferenceReport, FailForwardReport,
    SubstitutionReport, SwitchReport,
};

use super::choice::{choice, format_of_graph};
use super::deferred::Deferred;
use super::lint_args::LintArgs;
use super::report_args::ReportArgs;
use super::source_args::ReleaseArgs;

#[derive(Debug, Subcommand)]
pub(super) enum CatalogCommand {
    /// Lint catalogs: all that opm refuses, and the installs that can never be updated.
    ///
    /// Exit status: 0 (no finding is at or above --fail-on), 1 (at least one finding is), or 2 (the
    /// command could not run).
    Check(Deferred<CatalogCheckArgs>),
    /// Show where installed operators move, and which of them are stuck.
    ///
    /// Requirements of bundles (other packages, APIs) are not looked at. Exit status: 0 (no install
    /// is stuck), 1 (at least one is), or 2 (the command could not run).
    Simulate(Deferred<CatalogSimulateArgs>),
    /// Show the updates of an installed operator, step by step.
    ///
    /// With --from-channel, its Subscription first switches to another channel.
    ///
    /// Exit status: 0 (there is a path), 1 (there is none), or 2 (the command could not run).
    Path(Deferred<CatalogPathArgs>),
    /// Show which installed operators can switch to which channels.
    ///
    /// An install can switch if updates of the other channel lead it to its head. Exit status: 0, or 2
    /// (the command could not run). 1 if a channel is too large to simulate.
    Switch(Deferred<CatalogSwitchArgs>),
    /// Explain where an installed operator moves next, and why.
    Explain(Deferred<CatalogExplainArgs>),
    /// Show what a change does to the channels of a catalog.
    ///
    /// Without --base, two catalogs are compared: folders, files, or the output of `opm render`. Exit status: 0 whatever it shows, or 2 (the command could not run). With --exit-code: 1 if
    /// it shows something.
    Diff(Deferred<CatalogDiffArgs>),
    /// Draw a channel, or list its updates.
    ///
    /// Exit status: 0, or 2 (the command could not run).
    Graph(Deferred<CatalogGraphArgs>),
    /// Let rebuilt bundles take the place of others in the update graph.
    ///
    /// A rebuild names the bundle that it substitutes for in the annotation `olm.substitutesFor` of
    /// its ClusterServiceVersion, or a template lists both. Exit status: 0 (the result is fine), 1
    /// (an install is stuck or stranded, must go through a rebuilt bundle, or a substitution is
    /// wrong), or 2 (the command could not run, or there is nothing to substitute).
    Substitute(Deferred<CatalogSubstituteArgs>),
    /// Show which installed operators hold clusters back, and what to update first.
    ///
    /// OLM blocks the updates of a cluster to the next minor version while an operator does not
    /// support it (olm.maxOpenShiftVersion). It never blocks patches. With no installed operators,
    /// all entries of the catalog are checked.
    ///
    /// Exit status: 0 (nothing holds a cluster back, and all operators keep their updates), 1
    /// (otherwise), or 2 (the command could not run, or checked nothing).
    Bridge(Deferred<CatalogBridgeArgs>),
    /// Show what OLM does step by step when installs and updates fail, and which entries rescue
    /// them.
    ///
    /// With --namespace or --installed, it plays events under `Default` and under
    /// `TechPreviewUnsafeFailForward` (OLM v0), and says what somebody must delete. Without, it
    /// lists the entries of each channel that no later entry rescues.
    ///
    /// Events: `v2's plan fails` (or completes, is approved, is deleted), `v2's CSV fails` (or
    /// succeeds, is deleted, is PHASE), `catalog gains v3` (or loses v3, becomes DIR), and
    /// `strategy becomes Default`. What the catalog gains later is hidden at first, and so is what
    /// replaces or skips it.
    ///
    /// Exit status: 0 (OLM goes on by itself), 1 (somebody must do something, or an object has an
    /// error), or 2 (the command could not run, or an event does not happen). Without events: 0 or 2.
    FailForward(Deferred<CatalogFailForwardArgs>),
}

#[derive(Debug, ClapArgs)]
pub(super) struct CatalogSubstituteArgs {
    /// The folder of a catalog, or of bundles; one file with a whole catalog or a template; or `-` for
    /// the output of `opm render`.
    #[arg(value_name = "DIR")]
    pub(super) catalog: PathBuf,
    /// What `opm render` prints for the images that a template names: a file or a folder. May be
    /// repeated.
    #[arg(long, value_name = "FILE")]
    pub(super) rendered: Vec<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true, conflicts_with_all = ["diff", "write"])]
    pub(super) rev: Option<String>,
    /// Show what `opm alpha render-template` makes of a template instead.
    #[arg(long, conflicts_with_all = ["diff", "write"])]
    pub(super) like_opm: bool,
    #[command(flatten)]
    pub(super) resolver: ResolverArgs,
    /// Print the changes of the files instead of a report.
    #[arg(long, conflicts_with_all = ["write", "format", "output"])]
    pub(super) diff: bool,
    /// Write the result into the files. Everything but the entries stays as it is. A template also gets
    /// the rebuilt bundles, and its substitutions are removed.
    #[arg(long, conflicts_with_all = ["format", "output"])]
    pub(super) write: bool,
    #[command(flatten)]
    pub(super) report: ReportArgs<SubstitutionReport<'static>>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CatalogGraphArgs {
    #[command(flatten)]
    pub(super) source: CatalogSourceArgs,
    /// The channel. It can be omitted if there is only one.
    #[arg(long, value_name = "CHANNEL")]
    pub(super) channel: Option<String>,
    /// The package. It can be omitted if there is only one.
    #[arg(long, value_name = "PACKAGE")]
    pub(super) package: Option<String>,
    #[command(flatten)]
    pub(super) resolver: ResolverArgs,
    /// Also draw updates that OLM never chooses.
    #[arg(long)]
    pub(super) all_edges: bool,
    /// How to print it: dot, mermaid, svg, or json (each edge, and whether it is taken).
    #[arg(long, value_name = "FORMAT", value_parser = format_of_graph(&[Format::Json]), default_value = "json", hide_possible_values = true)]
    pub(super) format: Format,
    /// Write it to FILE.
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CatalogSimulateArgs {
    #[command(flatten)]
    pub(super) source: CatalogSourceArgs,
    #[command(flatten)]
    pub(super) resolver: ResolverArgs,
    /// Simulate this package only.
    #[arg(long, value_name = "PACKAGE")]
    pub(super) package: Option<String>,
    /// Simulate this channel only.
    #[arg(long, value_name = "CHANNEL")]
    pub(super) channel: Option<String>,
    #[command(flatten)]
    pub(super) report: ReportArgs<CatalogReport<'static>>,
}

/// Who moves installs.
#[derive(Debug, ClapArgs)]
pub(super) struct ResolverArgs {
    /// Which program moves the installs: v0, v1, or all (every edge counts).
    #[arg(long, value_name = "POLICY", value_parser = choice::<Resolver>(), default_value = "v0", hide_possible_values = true)]
    pub(super) policy: Resolver,
}

/// Where catalogs come from, and what else is installed.
#[derive(Debug, ClapArgs)]
pub(super) struct CatalogSourceArgs {
    /// The folder of a catalog, as for `opm validate`; one file with a whole catalog; or `-` for
    /// the output of `opm render`.
    #[arg(value_name = "DIR")]
    pub(super) catalog: PathBuf,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    /// Also simulate installs of entries that the merge base with REV has, and that are gone.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) base: Option<String>,
    /// Also simulate installs of all entries that were ever committed.
    #[arg(long)]
    pub(super) history: bool,
}

/// Where an entry is looked for.
#[derive(Debug, ClapArgs)]
pub(super) struct EntryPlaceArgs {
    /// Which package, if there are several with such an entry.
    #[arg(long, value_name = "PACKAGE")]
    pub(super) package: Option<String>,
    /// Look at this channel only. Default: all channels with the entry.
    #[arg(long, value_name = "CHANNEL")]
    pub(super) channel: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CatalogPathArgs {
    #[command(flatten)]
    pub(super) source: CatalogSourceArgs,
    /// What is installed: the name of an entry, or its version. Default with --from-channel: its head.
    #[arg(value_name = "FROM", required_unless_present = "from_channel")]
    pub(super) from: Option<String>,
    /// Where it should get. Default: the head of the channel.
    #[arg(value_name = "TO")]
    pub(super) to: Option<String>,
    #[command(flatten)]
    pub(super) resolver: ResolverArgs,
    #[command(flatten)]
    pub(super) place: EntryPlaceArgs,
    /// The channel of FROM, if its Subscription switches to that of --channel.
    #[arg(long, value_name = "CHANNEL", requires = "channel")]
    pub(super) from_channel: Option<String>,
    #[command(flatten)]
    pub(super) report: ReportArgs<CatalogPaths<'static>>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CatalogSwitchArgs {
    #[command(flatten)]
    pub(super) source: CatalogSourceArgs,
    /// The channel that Subscriptions leave. Default: each channel.
    #[arg(long, value_name = "CHANNEL")]
    pub(super) from_channel: Option<String>,
    /// The channel that they switch to. Default: each other channel.
    #[arg(long, value_name = "CHANNEL")]
    pub(super) channel: Option<String>,
    /// Look at this package only.
    #[arg(long, value_name = "PACKAGE")]
    pub(super) package: Option<String>,
    #[command(flatten)]
    pub(super) resolver: ResolverArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs<SwitchReport<'static>>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CatalogExplainArgs {
    #[command(flatten)]
    pub(super) source: CatalogSourceArgs,
    /// What is installed: the name of an entry, or its version.
    #[arg(value_name = "ENTRY")]
    pub(super) entry: String,
    #[command(flatten)]
    pub(super) place: EntryPlaceArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CatalogDiffArgs {
    /// The folder of a catalog, one file with a whole catalog, or `-` for the output of `opm render`.
    #[arg(value_name = "DIR")]
    pub(super) catalog: PathBuf,
    /// The new catalog, if DIR is the old one.
    #[arg(value_name = "NEW", conflicts_with_all = ["base", "rev"])]
    pub(super) new: Option<PathBuf>,
    /// The old revision: the merge base with REV.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) base: Option<String>,
    /// The new revision. Default: the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true, requires = "base")]
    pub(super) rev: Option<String>,
    /// Show only what is worse: installs that no longer get to the head, channels that are gone, and
    /// heads that go back.
    #[arg(long)]
    pub(super) worse: bool,
    #[command(flatten)]
    pub(super) resolver: ResolverArgs,
    /// Exit with 1 if the command shows something.
    #[arg(long)]
    pub(super) exit_code: bool,
    #[command(flatten)]
    pub(super) report: ReportArgs<DifferenceReport<'static>>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CatalogFailForwardArgs {
    #[command(flatten)]
    pub(super) source: CatalogSourceArgs,
    /// A namespace as YAML: OperatorGroup, Subscriptions, CSVs, and InstallPlans, as `oc get
    /// operatorgroups,subscriptions,csv,installplans -o yaml` prints them. `-` for standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "installed")]
    pub(super) namespace: Option<PathBuf>,
    /// Which namespace of FILE, if it has several.
    #[arg(long = "in", value_name = "NAME", requires = "namespace")]
    pub(super) within: Option<String>,
    /// Start with this entry, installed by one Subscription: its name or its version.
    #[arg(long, value_name = "ENTRY")]
    pub(super) installed: Option<String>,
    /// Something that happens. May be repeated.
    #[arg(long, value_name = "EVENT")]
    pub(super) event: Vec<String>,
    /// A file with an event on each line. They happen after those of --event.
    #[arg(long, value_name = "FILE")]
    pub(super) script: Option<PathBuf>,
    /// The strategy: Default or TechPreviewUnsafeFailForward. Default: both, one after the other.
    #[arg(long, value_name = "STRATEGY", value_parser = choice::<Strategy>(), hide_possible_values = true)]
    pub(super) strategy: Option<Strategy>,
    /// Which package, if there are several.
    #[arg(long, value_name = "PACKAGE")]
    pub(super) package: Option<String>,
    /// Which channel. With --installed: that of the Subscription. Default: the default channel.
    #[arg(long, value_name = "CHANNEL")]
    pub(super) channel: Option<String>,
    #[command(flatten)]
    pub(super) report: ReportArgs<FailForwardReport<'static>>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CatalogCheckArgs {
    /// The folder of a catalog, as for `opm validate`; one file with a whole catalog; or `-` for
    /// the output of `opm render`. Each is a catalog of its own.
    #[arg(value_name = "DIR", required = true)]
    pub(super) catalogs: Vec<PathBuf>,
    /// Another catalog of the cluster, which provides what bundles require. It is not checked. May be
    /// repeated.
    #[arg(long, value_name = "CATALOG")]
    pub(super) with: Vec<PathBuf>,
    /// The catalog of the next minor version of OpenShift: report installs that lose their package,
    /// their channel, or their updates when a cluster is updated. In front can be its version, if the
    /// folder does not say it (v4.21). Default: of the catalogs that are checked, that of the next
    /// version. May be repeated, once for each catalog.
    #[arg(long, value_name = "[MINOR=]DIR")]
    pub(super) next_catalog: Vec<String>,
    /// What `opm render` prints for the images that a template names: a file or a folder. May be
    /// repeated.
    #[arg(long, value_name = "FILE")]
    pub(super) rendered: Vec<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    /// Report only findings that are new since the merge base with REV, and installs that the
    /// change strands.
    #[arg(long, value_name = "REV", conflicts_with = "write_baseline", allow_hyphen_values = true)]
    pub(super) base: Option<String>,
    /// List each mistake once, with the catalogs that have it, and the worst first: by severity, then
    /// by the number of installs. In the formats human and markdown.
    #[arg(long, conflicts_with = "statistics")]
    pub(super) grouped: bool,
    /// Add what `opm validate` says of each finding, in the formats human and json.
    #[arg(long)]
    pub(super) opm_words: bool,
    /// Print what `opm validate` prints, and nothing else.
    #[arg(long, conflicts_with_all = ["base", "fix", "format", "opm_words", "output"])]
    pub(super) opm_verdict: bool,
    #[command(flatten)]
    pub(super) lint: LintArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CatalogBridgeArgs {
    /// The catalog that the clusters use now: a folder, or one file with a whole catalog. In front
    /// can be its version of OpenShift, as in `4.16=DIR`. Default: that of --from.
    #[arg(value_name = "[MINOR=]DIR")]
    pub(super) catalog: String,
    /// The catalog of a later version of OpenShift. Default: the version after the one before. May
    /// be repeated.
    #[arg(long, value_name = "[MINOR=]DIR")]
    pub(super) next_catalog: Vec<String>,
    /// The version of the cluster: a release or a minor version.
    #[arg(long, value_name = "VERSION")]
    pub(super) from: Option<String>,
    /// Where the cluster should get: a release or a minor version. Default: the next minor version.
    #[arg(long, value_name = "VERSION")]
    pub(super) to: Option<String>,
    /// An installed operator: the name of its bundle, and the channel that it follows. May be
    /// repeated.
    #[arg(long, value_name = "NAME[@CHANNEL]", conflicts_with_all = ["operators", "metrics"])]
    pub(super) installed: Vec<String>,
    /// The operators of a cluster: what `oc get clusterversion,subscriptions,csv -A -o yaml`
    /// prints. May be repeated, once for each cluster.
    #[arg(long, value_name = "FILE")]
    pub(super) operators: Vec<PathBuf>,
    /// The operators of a fleet: the metrics csv_succeeded and cluster_version, as an exporter or
    /// Prometheus writes them. The label `_id` names the cluster.
    #[arg(long, value_name = "FILE")]
    pub(super) metrics: Option<PathBuf>,
    /// Check this package only.
    #[arg(long, value_name = "PACKAGE")]
    pub(super) package: Option<String>,
    #[command(flatten)]
    pub(super) resolver: ResolverArgs,
    /// Follow the updates of this repository of update graphs from release to release.
    #[arg(long, value_name = "DIR")]
    pub(super) graph_repo: Option<PathBuf>,
    /// Follow the updates of a graph as the service returns it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["graph_repo", "releases"])]
    pub(super) graph: Option<PathBuf>,
    /// Stay in this channel of the update graph. Default: use any public channel.
    #[arg(long, value_name = "CHANNEL")]
    pub(super) graph_channel: Option<String>,
    #[command(flatten)]
    pub(super) releases: ReleaseArgs,
    /// The cluster's architecture. Default: amd64.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    #[command(flatten)]
    pub(super) report: ReportArgs<BridgeReport<'static>>,
}
