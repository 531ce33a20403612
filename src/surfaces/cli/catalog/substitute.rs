//! `exitpath catalog substitute`.

use std::io::Write;

use crate::catalog::Package;
use crate::catalog::simulation::TooLarge;
use crate::catalog::substitution::{ChannelEffect, SubstitutedPackage};
use crate::cli::catalog_args::CatalogSubstituteArgs;
use crate::cli::common_args::CommonArgs;
use crate::cli::{changes, print};
use crate::domain::Format;
use crate::go;
use crate::report::{PackageEffects, Style, SubstitutionReport};
use crate::session::{Substituted, SubstitutionRequest, write_all};
use crate::text::Failure;
use crate::text::words::counted;

use super::{Status, Stop, found};

/// opm checks the whole catalog after each substitution, which takes long for many.
const MOST_COMPARED: usize = 100;

pub(super) fn run(
    args: &CatalogSubstituteArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let mut substituted = Substituted::read(SubstitutionRequest {
        catalog: &args.catalog,
        rendered: &args.rendered,
        revision: args.rev.as_deref(),
        can_be_nothing: args.like_opm,
    })?;
    print::notes(&substituted.notes, common, err)?;
    found::warn_of_faults(&substituted.loaded, common, err)?;
    if let Some(image) = substituted.unknown_image().filter(|_| args.like_opm) {
        let what = format!("opm would pull the image {image}, and exitpath pulls none");
        let hint = format!("add what `opm render {image}` prints: `--rendered FILE`");
        return Err(Failure::new(what).hint(&hint).into());
    }
    let is_compared = substituted.is_template()
        && substituted.unknown_image().is_none()
        && substituted.requested() <= MOST_COMPARED;
    let of_opm = (args.like_opm || is_compared).then(|| substituted.of_opm());
    if args.like_opm {
        let of_opm = of_opm.clone().unwrap_or_else(|| Ok(Vec::new()));
        let of_opm = of_opm.map_err(|words| Failure::new(format!("opm refuses it: {words}")))?;
        put(&mut substituted.packages, &of_opm);
    }
    let packages = effects(&substituted.packages, args)?;
    let of_opm = of_opm.filter(|_| !args.like_opm);
    let mut others = Vec::new();
    let mut refusal = None;
    match of_opm {
        Some(Ok(rendered)) => {
            others.clone_from(&substituted.packages);
            put(&mut others, &rendered);
        }
        Some(Err(words)) => refusal = Some(words),
        None => {}
    }
    let report = SubstitutionReport {
        sources: &substituted.loaded.sources,
        faults: &substituted.faults,
        packages: &packages,
        of_opm: &effects(&others, args)?,
        refusal_of_opm: refusal.as_ref().map(go::Error::words),
        resolver: args.resolver.policy,
    };
    if args.diff || args.write {
        return change_files(args, &substituted, &report, style, out, err);
    }
    if args.report.format == Format::Channels {
        refuse_too_large(&substituted.packages)?;
    }
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(report.is_bad()))
}

/// Prints or writes the changes of files, unless a substitution is wrong.
fn change_files(
    args: &CatalogSubstituteArgs,
    substituted: &Substituted,
    report: &SubstitutionReport<'_>,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    report.write_faults(style, err)?;
    if report.faults.iter().any(|fault| fault.kind.is_fatal()) {
        writeln!(err, "exitpath: nothing is written, because a substitution is wrong")?;
        return Ok(Status::failed_if(true));
    }
    refuse_too_large(&substituted.packages)?;
    let files = substituted.rewritten()?;
    if args.diff {
        changes::preview(&files, style, out)?;
    } else {
        write_all(&files, "rewrite")?;
    }
    if files.is_empty() {
        writeln!(err, "exitpath: nothing to change: all entries are as the substitutions mean")?;
    } else if args.write {
        writeln!(err, "exitpath: rewrote {}", counted(files.len(), "file"))?;
    }
    if report.is_bad() {
        writeln!(err, "exitpath: the result is not fine; run this without `--diff` and `--write`")?;
    }
    Ok(Status::failed_if(report.is_bad()))
}

/// A channel that is too large stays as it is, so it is not a result.
fn refuse_too_large(packages: &[SubstitutedPackage]) -> Result<(), Failure> {
    let mut too_large = packages.iter().flat_map(|package| &package.too_large);
    match too_large.next() {
        Some(channel) => Err(Failure::new(format!("channel {channel} is too large to substitute"))),
        None => Ok(()),
    }
}

fn effects<'s>(
    packages: &'s [SubstitutedPackage],
    args: &CatalogSubstituteArgs,
) -> Result<Vec<PackageEffects<'s>>, Failure> {
    let effects = packages.iter().map(|package| {
        let resolver = args.resolver.policy;
        let channels = package.channels().map(|(before, after)| {
            ChannelEffect::of(&package.before, before, after, &package.chains, resolver).map_err(
                |TooLarge| {
                    Failure::new(format!("channel {} is too large to simulate", before.name))
                },
            )
        });
        Ok(PackageEffects { package, channels: channels.collect::<Result<_, Failure>>()? })
    });
    effects.collect()
}

/// Takes the channels that opm renders.
fn put(packages: &mut [SubstitutedPackage], rendered: &[Package]) {
    for package in packages {
        if let Some(rendered) = rendered.iter().find(|one| one.name == package.after.name) {
            package.after.channels.clone_from(&rendered.channels);
        }
    }
}
