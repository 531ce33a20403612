//! The flags of `exitpath catalog`. clap prints the doc comments in these files as help.

mod bridge;
mod check;
mod diff;
mod explain;
mod fail_forward;
mod graph;
mod path;
mod shared;
mod simulate;
mod substitute;
mod switch;

use clap::Subcommand;

use crate::cli::deferred::Deferred;
use crate::cli::examples;

pub(super) use bridge::CatalogBridgeArgs;
pub(super) use check::CatalogCheckArgs;
pub(super) use diff::CatalogDiffArgs;
pub(super) use explain::CatalogExplainArgs;
pub(super) use fail_forward::CatalogFailForwardArgs;
pub(super) use graph::CatalogGraphArgs;
pub(super) use path::CatalogPathArgs;
pub(super) use shared::{CatalogSourceArgs, PlaceArgs, refuse_unknown_channels};
pub(super) use simulate::CatalogSimulateArgs;
pub(super) use substitute::CatalogSubstituteArgs;
pub(super) use switch::CatalogSwitchArgs;

#[derive(Debug, Subcommand)]
pub(super) enum CatalogCommand {
    /// Lint catalogs: all that opm refuses, and the installs that can never be updated.
    ///
    /// Exit status: 0 (no finding is at or above --fail-on), 1 (at least one finding is), or 2 (the
    /// command could not run).
    #[command(after_help = examples::CATALOG_CHECK)]
    Check(Deferred<CatalogCheckArgs>),
    /// Show where installed operators move, and which of them are stuck.
    ///
    /// Requirements of bundles (other packages, APIs) are not looked at. Exit status: 0 (no install
    /// is stuck), 1 (at least one is), or 2 (the command could not run).
    #[command(after_help = examples::CATALOG_SIMULATE)]
    Simulate(Deferred<CatalogSimulateArgs>),
    /// Show the updates of an installed operator, step by step.
    ///
    /// With --from-channel, its Subscription first switches to another channel.
    ///
    /// Exit status: 0 (there is a path), 1 (there is none), or 2 (the command could not run).
    #[command(after_help = examples::CATALOG_PATH)]
    Path(Deferred<CatalogPathArgs>),
    /// Show which installed operators can switch to which channels.
    ///
    /// An install can switch if updates of the other channel lead it to its head. Exit status: 0,
    /// or 2 (the command could not run). 1 if a channel is too large to simulate.
    #[command(after_help = examples::CATALOG_SWITCH)]
    Switch(Deferred<CatalogSwitchArgs>),
    /// Explain where an installed operator moves next, and why.
    #[command(after_help = examples::CATALOG_EXPLAIN)]
    Explain(Deferred<CatalogExplainArgs>),
    /// Show what a change does to the channels of a catalog.
    ///
    /// Without --base, two catalogs are compared: folders, files, or the output of `opm render`.
    /// Exit status: 0 whatever it shows, or 2 (the command could not run). With --exit-code: 1 if
    /// it shows something.
    #[command(after_help = examples::CATALOG_DIFF)]
    Diff(Deferred<CatalogDiffArgs>),
    /// Draw a channel, or list its updates.
    ///
    /// Exit status: 0, or 2 (the command could not run).
    #[command(after_help = examples::CATALOG_GRAPH)]
    Graph(Deferred<CatalogGraphArgs>),
    /// Let rebuilt bundles take the place of others in the update graph.
    ///
    /// A rebuild names the bundle that it substitutes for in the annotation `olm.substitutesFor` of
    /// its ClusterServiceVersion, or a template lists both. Exit status: 0 (the result is fine), 1
    /// (an install is stuck or stranded, must go through a rebuilt bundle, or a substitution is
    /// wrong), or 2 (the command could not run, or there is nothing to substitute).
    #[command(after_help = examples::CATALOG_SUBSTITUTE)]
    Substitute(Deferred<CatalogSubstituteArgs>),
    /// Show which installed operators hold clusters back, and what to update first.
    ///
    /// OLM blocks the updates of a cluster to the next minor version while an operator does not
    /// support it (olm.maxOpenShiftVersion). It never blocks patches. With no installed operators,
    /// all entries of the catalog are checked.
    ///
    /// Exit status: 0 (nothing holds a cluster back, and all operators keep their updates), 1
    /// (otherwise), or 2 (the command could not run, or checked nothing).
    #[command(after_help = examples::CATALOG_BRIDGE)]
    Bridge(Deferred<CatalogBridgeArgs>),
    /// Show what OLM does step by step when installs and updates fail, and which entries rescue
    /// them.
    ///
    /// With --namespace or --installed, it plays events under `Default` and under
    /// `TechPreviewUnsafeFailForward` (OLM v0), and says what you must delete. Without
    /// events, it lists the entries of each channel that no later entry rescues.
    ///
    /// Events: `v2's plan fails` (or completes, is approved, is deleted), `v2's CSV fails` (or
    /// succeeds, is deleted, is PHASE), `catalog gains v3` (or loses v3, becomes DIR), and
    /// `strategy becomes Default`. An entry that the catalog gains later is missing until then, and
    /// so are the entries that replace or skip it.
    ///
    /// Exit status: 0 (OLM continues by itself), 1 (a manual step is needed, or an object has an
    /// error), or 2 (the command could not run, or an event does not happen). Without events: 0 or
    /// 2.
    #[command(after_help = examples::CATALOG_FAIL_FORWARD)]
    FailForward(Deferred<CatalogFailForwardArgs>),
}
