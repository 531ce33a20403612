//! `exitpath catalog diff`.

use std::io::Write;
use std::path::Path;

use crate::catalog::Package;
use crate::catalog::package::CatalogChannel;
use crate::catalog::simulation::{ChannelDifference, gone_channels};
use crate::cli::catalog_args::{CatalogDiffArgs, CatalogSourceArgs};
use crate::cli::common_args::CommonArgs;
use crate::report::{DifferenceReport, Style, why_in_words};
use crate::text::Failure;

use super::found::Opened;
use super::{Status, Stop};

pub(super) fn run(
    args: &CatalogDiffArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let (before, after) = states(args, common, err)?;
    let before = before.packages();
    // A package that is gone has no channels now.
    let is_gone = |package: &&Package| after.packages().iter().all(|now| now.name != package.name);
    let gone_packages = before
        .iter()
        .filter(is_gone)
        .map(|package| Package { name: package.name.clone(), ..Package::default() });
    let packages: Vec<Package> = after.packages().iter().cloned().chain(gone_packages).collect();
    let gone = gone_channels(&packages, &after.published);
    let mut differences = Vec::new();
    for (package, gone) in packages.iter().zip(&gone) {
        let old = before.iter().find(|old| old.name == package.name);
        for channel in package.channels.iter().chain(gone) {
            let old = old.and_then(|old| Some((old, old.channel(&channel.name)?)));
            differences.push(difference(args, &after, old, package, channel)?);
        }
    }
    if args.worse {
        differences = differences.into_iter().map(ChannelDifference::only_worse).collect();
    }
    differences.retain(|difference| !difference.is_empty());
    let report = DifferenceReport {
        channels: &differences,
        resolver: args.resolver.policy,
        is_of_worse: args.worse,
    };
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(args.exit_code && !differences.is_empty()))
}

/// The catalog before and after.
fn states(
    args: &CatalogDiffArgs,
    common: &CommonArgs,
    err: &mut dyn Write,
) -> Result<(Opened, Opened), Stop> {
    let source = |catalog: &Path| CatalogSourceArgs {
        catalog: catalog.to_owned(),
        rev: args.rev.clone(),
        base: None,
        history: false,
    };
    if args.new.is_none() && args.base.is_none() {
        let failure = Failure::new("there is nothing to compare the catalog with");
        return Err(failure.hint("name a second catalog, or a revision with --base").into());
    }
    if args.new.as_deref().is_some_and(|new| new == "-" && args.catalog == new) {
        return Err(Failure::new("standard input can be read once").into());
    }
    let (before, mut after) = if let Some(new) = &args.new {
        let before = Opened::read(&source(&args.catalog), common, err)?;
        (before, Opened::read(&source(new), common, err)?)
    } else {
        let source = source(&args.catalog);
        let after = Opened::read(&source, common, err)?;
        (Opened::base(&CatalogSourceArgs { base: args.base.clone(), ..source })?, after)
    };
    after.follows(&before);
    Ok((before, after))
}

fn difference(
    args: &CatalogDiffArgs,
    after: &Opened,
    old: Option<(&Package, &CatalogChannel)>,
    package: &Package,
    channel: &CatalogChannel,
) -> Result<ChannelDifference, Failure> {
    let (published, resolver) = (&after.published, args.resolver.policy);
    ChannelDifference::of(old, package, channel, published, resolver, why_in_words)
        .map_err(|_| Failure::new(format!("channel {} is too large to simulate", channel.name)))
}
