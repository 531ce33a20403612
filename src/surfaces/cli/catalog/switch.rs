//! `exitpath catalog switch`.

use std::io::Write;

use rayon::prelude::*;

use crate::catalog::Package;
use crate::catalog::simulation::{PackageSwitches, SwitchRequest};
use crate::cli::catalog_args::{CatalogSwitchArgs, PlaceArgs, refuse_unknown_channels};
use crate::cli::common_args::CommonArgs;
use crate::report::{Style, SwitchReport};
use crate::text::Failure;

use super::found::Opened;
use super::{Status, Stop};

pub(super) fn run(
    args: &CatalogSwitchArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let opened = Opened::read(&args.source, common, err)?;
    refuse_unknown(args, opened.packages())?;
    let request = SwitchRequest {
        from: &args.from_channel,
        to: &args.channel,
        resolver: args.resolver.policy,
    };
    let is_wanted =
        |package: &&Package| args.package.as_ref().is_none_or(|name| *name == package.name);
    let packages = opened.packages().par_iter().filter(is_wanted);
    let mut packages: Vec<PackageSwitches<'_>> =
        packages.map(|package| PackageSwitches::of(package, &opened.published, request)).collect();
    packages.retain(|one| !one.switches.is_empty() || !one.too_large.is_empty());
    if packages.is_empty() {
        // Having looked at nothing is not a pass.
        let what = "there is nothing to switch to: no package has another channel with entries";
        return Err(Failure::new(what).into());
    }
    let report = SwitchReport { packages: &packages, resolver: args.resolver.policy };
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(packages.iter().any(|one| !one.too_large.is_empty())))
}

fn refuse_unknown(args: &CatalogSwitchArgs, packages: &[Package]) -> Result<(), Failure> {
    let place = PlaceArgs { package: args.package.clone(), channel: args.channel.clone() };
    place.refuse_unknown(packages, &[])?;
    let of_package = packages.iter().filter(|package| place.has_package(package));
    refuse_unknown_channels(&args.from_channel, of_package.flat_map(|package| &package.channels))
}
