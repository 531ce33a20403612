//! `exitpath catalog graph`.

use std::io::{self, Write};

use crate::catalog::simulation::ChannelMoves;
use crate::catalog::{CatalogChannel, Package};
use crate::cli::catalog_args::CatalogGraphArgs;
use crate::cli::common_args::CommonArgs;
use crate::domain::Format;
use crate::draw::Picture;
use crate::explorer::catalog_page;
use crate::report::{Style, write_catalog_edges};
use crate::text::Failure;
use crate::text::words::listed;

use super::found::Opened;
use super::{Status, Stop};

pub(super) fn run(
    args: &CatalogGraphArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let opened = Opened::read(&args.source, common, err)?;
    let packages = opened.packages();
    let package = only("package", args.package.as_deref(), packages, |package| &package.name)?;
    let channels = &package.channels;
    if args.format == Format::Html {
        let page = page(args, package, &opened)?;
        return args.output.print(style, out, |_, out| {
            out.write_all(page.as_bytes())?;
            Ok::<_, io::Error>(Status::Clean)
        });
    }
    let channel = only("channel", args.channel.as_deref(), channels, |channel| &channel.name)?;
    let moves = moves(args, package, channel, &opened)?;
    args.output.print(style, out, |_, out| {
        let Some(drawn) = Picture::writer(args.format) else {
            return write_catalog_edges(&moves, out);
        };
        out.write_all(drawn(&Picture::of_catalog(&moves, args.all_edges)).as_bytes())
    })?;
    Ok(Status::Clean)
}

/// The page of all channels of a package.
fn page(args: &CatalogGraphArgs, package: &Package, opened: &Opened) -> Result<String, Failure> {
    if args.all_edges {
        let what = "a page has a switch for updates that OLM never chooses, so `--all-edges` has no effect";
        return Err(Failure::new(what));
    }
    if let Some(name) = &args.channel {
        only("channel", Some(name), &package.channels, |channel| &channel.name)?;
    }
    let channels = package.channels.iter().map(|channel| moves(args, package, channel, opened));
    let channels: Vec<ChannelMoves<'_>> = channels.collect::<Result<_, _>>()?;
    Ok(catalog_page(&channels, args.channel.as_deref()))
}

fn moves<'c>(
    args: &CatalogGraphArgs,
    package: &'c Package,
    channel: &'c CatalogChannel,
    opened: &'c Opened,
) -> Result<ChannelMoves<'c>, Failure> {
    let others = opened.published.gone(package, &channel.name);
    ChannelMoves::of(package, channel, &others, args.resolver.policy)
        .map_err(|_| Failure::new(format!("channel {} is too large to draw", channel.name)))
}

/// The thing with a name or, without one, the only thing.
fn only<'t, T>(
    what: &str,
    name: Option<&str>,
    all: &'t [T],
    name_of: impl Fn(&T) -> &str,
) -> Result<&'t T, Failure> {
    let names = || all.iter().map(&name_of);
    match (name, all) {
        (Some(name), _) => all
            .iter()
            .find(|one| name_of(one) == name)
            .ok_or_else(|| Failure::unknown(what, name, names())),
        (None, [only]) => Ok(only),
        (None, []) => Err(Failure::new(format!("the catalog has no {what}s"))),
        (None, _) => {
            let names: Vec<&str> = names().collect();
            let failure = Failure::new(format!("the catalog has several {what}s"));
            Err(failure.hint(format!("`--{what}` names one: {}", listed(&names, "or"))))
        }
    }
}
