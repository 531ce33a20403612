//! `exitpath catalog switch`.

use std::io::Write;

use rayon::prelude::*;

use crate::catalog::Package;
use crate::catalog::simulation::{PackageSwitches, SwitchRequest};
use crate::cli::catalog_args::CatalogSwitchArgs;
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
    let request = SwitchRequest {
        from: args.from_channel.as_deref(),
        to: args.channel.as_deref(),
        resolver: args.resolver.policy,
    };
    let is_wanted =
        |package: &&Package| args.package.as_ref().is_none_or(|name| *name == package.name);
    let packages = opened.packages().par_iter().filter(is_wanted);
    let mut packages: Vec<PackageSwitches<'_>> =
        packages.map(|package| PackageSwitches::of(package, &opened.published, request)).collect();
    packages.retain(|one| !one.switches.is_empty() || !one.too_large.is_empty());
    if packages.is_empty() {
        return Err(nothing(args, opened.packages()).into());
    }
    let report = SwitchReport { packages: &packages, resolver: args.resolver.policy };
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(packages.iter().any(|one| !one.too_large.is_empty())))
}

/// Having looked at nothing is not a pass.
fn nothing(args: &CatalogSwitchArgs, packages: &[Package]) -> Failure {
    if let Some(name) = &args.package {
        let names = packages.iter().map(|package| package.name.as_str());
        if names.clone().all(|known| known != name) {
            return Failure::unknown("package", name, names);
        }
    }
    let of_package = packages
        .iter()
        .filter(|package| args.package.as_ref().is_none_or(|name| *name == package.name));
    let channels = || of_package.clone().flat_map(|package| &package.channels);
    let names = || channels().map(|channel| channel.name.as_str());
    for name in [&args.from_channel, &args.channel].into_iter().flatten() {
        if names().all(|known| known != name) {
            return Failure::unknown("channel", name, names());
        }
    }
    Failure::new("there is nothing to switch to: no package has another channel with entries")
}
