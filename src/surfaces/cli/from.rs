//! `exitpath from`: writes the pattern for some origins, or explains a pattern.

use std::io::Write;

use crate::graph_data::Matcher;
use crate::origins::{
    KnownReleases, Origins, check_pattern, is_pattern, origins, pattern_for, reached,
    reached_on_all, rewritten, specs,
};
use crate::report::{OriginsReport, Style};
use crate::session::Session;
use crate::text::Failure;

use super::common_args::CommonArgs;
use super::from_args::FromArgs;
use super::repository_data::repository_data;
use super::{Status, Stop};

pub(super) fn run(
    args: &FromArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let revision = args.rev.as_deref();
    let session = Session::open(args.repo.as_deref(), &[], revision)?;
    let data = repository_data(&session, revision, common, err)?;
    let known = KnownReleases::of(&data.releases);
    if known.is_empty() {
        let failure = Failure::new("the channels have no releases");
        return Err(failure.hint("a pattern is made of the releases that channels have").into());
    }
    let (origins, explained) = match args.what.as_slice() {
        [pattern] if is_pattern(pattern) => (explained(args, pattern, &known)?, Some(pattern)),
        words => (origins(&known, &specs(words)?, &args.except, args.pre_releases)?, None),
    };
    let (pattern, exact) = match explained {
        Some(pattern) => (pattern.clone(), rewritten(pattern, &origins, &known, args.arch)),
        None => (pattern_for(&known, &origins, args.arch)?, None),
    };
    let report = OriginsReport {
        pattern: &pattern,
        exact: exact.as_deref().filter(|exact| *exact != pattern && !origins.is_empty()),
        origins: &origins,
        known: &known,
    };
    args.report.print(&report, style, out)?;
    Ok(Status::Clean)
}

/// The origins that a pattern matches.
fn explained(args: &FromArgs, pattern: &str, known: &KnownReleases) -> Result<Origins, Failure> {
    if !args.except.is_empty() || args.pre_releases {
        let failure = Failure::new("`--except` and `--pre-releases` have no effect on a pattern");
        return Err(failure.hint("name origins instead, such as `4.17..4.18.20`"));
    }
    check_pattern(pattern)?;
    let matcher = Matcher::of(pattern);
    let is_match = |version: &str| matcher.is_match(version);
    match args.arch {
        Some(arch) => Ok(reached(known, arch, &is_match)),
        None => reached_on_all(known, &is_match).ok_or_else(|| {
            let failure = Failure::new("the architectures differ in what this pattern matches");
            failure.hint("name one: `--arch amd64`")
        }),
    }
}
