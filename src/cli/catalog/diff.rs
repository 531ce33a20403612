//! `exitpath catalog diff`.

use std::io::Write;

use crate::catalog::Package;
use crate::catalog::package::Channel;
use crate::catalog::simulation::{ChannelDifference, gone_channels};
use crate::cli::args::CommonArgs;
use crate::cli::catalog_args::{CatalogDiffArgs, CatalogSourceArgs};
use crate::report::{Style, why_in_words, write_catalog_difference};
use crate::session::Failure;

use super::found::Opened;
use super::{Status, Stop};

pub(super) fn run(
    args: &CatalogDiffArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let source = CatalogSourceArgs {
        catalog: args.catalog.clone(),
        rev: args.rev.clone(),
        base: Some(args.base.clone()),
        history: false,
    };
    let after = Opened::read(&source, common, err)?;
    let before = Opened::base(&source)?;
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
            differences.push(difference(args, &after, old, (package, channel))?);
        }
    }
    differences.retain(|difference| !difference.is_empty());
    write_catalog_difference(&differences, args.policy, args.format, style, out)?;
    Ok(Status::failed_if(args.exit_code && !differences.is_empty()))
}

fn difference(
    args: &CatalogDiffArgs,
    after: &Opened,
    old: Option<(&Package, &Channel)>,
    new: (&Package, &Channel),
) -> Result<ChannelDifference, Failure> {
    let states = (old, new);
    ChannelDifference::of(states, &after.published, args.policy, why_in_words)
        .map_err(|_| Failure::new(format!("channel {} is too large to simulate", new.1.name)))
}
