//! The flags of `exitpath simulate`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::analysis::Goal;
use crate::domain::{Arch, FailOn};
use crate::explorer::Explored;
use crate::report::SimulationReport;

use super::choice::choice;
use super::fleet::counts::FleetCountArgs;
use super::graph_subject_args::GraphSubjectArgs;
use super::report_args::ReportArgs;
use super::values::day;

#[derive(Debug, ClapArgs)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    pub(super) subject: GraphSubjectArgs,
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
    #[command(flatten)]
    pub(super) fleet: FleetCountArgs,
    /// What releases should reach: any other release, the newest patch of their minor, or the
    /// channel's minor. Default: all three.
    #[arg(long, value_name = "GOAL", value_parser = choice::<Goal>(), value_delimiter = ',')]
    pub(super) goal: Vec<Goal>,
    /// Search for sets of up to N risks that together strand a release.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=6))]
    pub(super) sets: u8,
    /// Check the releases in this range (`>=4.16, <4.20`), or every release, pre-releases included
    /// (`*`).
    #[arg(long, value_name = "RANGE")]
    pub(super) supported: Option<String>,
    /// Check the releases of minors whose newest release is at most DAYS old.
    #[arg(long, value_name = "DAYS", conflicts_with = "supported")]
    pub(super) supported_days: Option<u32>,
    /// Check the releases of minors that are supported by this product life cycle, in the form in
    /// which Red Hat publishes it. Default: what exitpath.toml says, or a built-in table.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["supported", "supported_days"])]
    pub(super) lifecycle: Option<PathBuf>,
    /// The day on which releases must be in support: 2026-08-21. Default: the day of the revision.
    #[arg(long, value_name = "DAY", value_parser = day, conflicts_with_all = ["supported"])]
    pub(super) supported_on: Option<i64>,
    /// Explain one release: why it is checked or not, and its result in each channel.
    #[arg(long, value_name = "VERSION")]
    pub(super) explain: Option<String>,
    /// Write a certificate to FILE: a guarantee that others can check (`docs/guarantee.md`). Then
    /// the output is about the certificate. Its goals are the newest patch and, with `--goal minor`,
    /// the channel's minor.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["remove", "keep", "accept", "fleet", "explain", "fail_on"])]
    pub(super) certificate: Option<PathBuf>,
    /// With --certificate: guarantee that no supported release loses a path since the merge base
    /// with this revision.
    #[arg(long, value_name = "REV", requires = "certificate", allow_hyphen_values = true)]
    pub(super) base: Option<String>,
    /// With --certificate: fail if a query does not answer exactly one sample, 0 or 1, on every
    /// cluster.
    #[arg(long, requires = "certificate")]
    pub(super) prove_queries: bool,
    #[command(flatten)]
    pub(super) report: ReportArgs<Explored<'static, SimulationReport<'static>>>,
    /// The lowest severity that fails the simulation. A release that is stranded for all clusters
    /// is an error. A release that is stranded only for affected clusters is a warning.
    #[arg(long, value_name = "SEVERITY", value_parser = choice::<FailOn>(), default_value = "error")]
    pub(super) fail_on: FailOn,
}
