//! `exitpath catalog simulate`.

use std::io::Write;

use crate::catalog::simulation::{
    CatalogRequest, CatalogSimulation, ChannelSimulation, gone_channels,
};
use crate::cli::catalog_args::CatalogSimulateArgs;
use crate::cli::common_args::CommonArgs;
use crate::report::{CatalogReport, Style};
use crate::text::Failure;

use super::found::Opened;
use super::{Status, Stop};

pub(super) fn run(
    args: &CatalogSimulateArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let opened = Opened::read(&args.source, common, err)?;
    let gone = gone_channels(opened.packages(), &opened.published);
    args.place.refuse_unknown(opened.packages(), &gone)?;
    let request = CatalogRequest {
        resolver: args.resolver.policy,
        package: args.place.package.as_deref(),
        channels: &args.place.channel,
    };
    let simulation = CatalogSimulation::of(opened.packages(), &gone, &opened.published, request);
    let has_installs =
        |channel: &ChannelSimulation<'_>| channel.moves.installs.iter().next().is_some();
    if !simulation.channels.iter().any(has_installs) && simulation.too_large.is_empty() {
        // Having simulated nothing is not a pass.
        let failure = Failure::new("nothing was simulated: there are no channels with entries");
        let hint = "`exitpath catalog check` says what is wrong with the catalog";
        return Err(failure.hint(hint).into());
    }
    let report = CatalogReport { simulation: &simulation, resolver: args.resolver.policy };
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(simulation.stuck() > 0 || !simulation.too_large.is_empty()))
}
