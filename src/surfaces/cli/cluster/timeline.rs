//! `cluster --timeline`: what the cluster does after a change, and when.

use std::io::Write;

use crate::cluster::object::ClusterVersion;
use crate::cluster::{
    InCluster, OPERATOR_ASKS, ServiceAnswer, Settings, Timeline, TimelineQuestion,
};
use crate::domain::{Arch, Format};
use crate::draw;
use crate::metrics::Source;
use crate::report::{Printed, Style, TimelineReport};
use crate::text::Failure;

use super::super::cluster_args::ClusterArgs;
use super::super::{Status, Stop};
use super::offered::Offered;

/// A cluster, and the operator that it has.
pub(super) struct Subject<'s> {
    pub settings: Settings,
    pub cluster: &'s ClusterVersion,
    pub inside: &'s InCluster,
    pub source: &'s Source,
}

pub(super) fn print(
    args: &ClusterArgs,
    subject: Subject<'_>,
    after: &ServiceAnswer,
    arch: Arch,
    style: Style,
    out: &mut dyn Write,
) -> Result<Status, Stop> {
    let Subject { settings, cluster, inside, source } = subject;
    let channel = &cluster.spec.channel;
    let before = Offered::unchanged(args, channel, arch)?.answer;
    // The longest interval.
    let settings = Settings { check_interval: 2 * OPERATOR_ASKS, ..settings };
    let timeline = Timeline::of(TimelineQuestion {
        settings,
        cluster,
        inside,
        source,
        before,
        after: after.clone(),
    })?;
    let release = &cluster.status.desired.version;
    let report = TimelineReport { timeline: &timeline, release, channel };
    args.output.print(style, out, |style, out| match args.format {
        Some(Format::Svg) => draw::timeline(&timeline, &report.title(), out),
        format => report.write(format.unwrap_or(Format::Human), style, out),
    })?;
    Ok(Status::Clean)
}

impl Offered {
    /// The answer before the change that the flags make. Fails if they make none.
    fn unchanged(args: &ClusterArgs, channel: &str, arch: Arch) -> Result<Self, Stop> {
        if let Some(base) = &args.base {
            return Self::before(args, base, channel, arch);
        }
        let Some(source) = args.source.without_what_if() else {
            let failure = Failure::new("`--timeline` needs a change");
            let hint = "name it with `--base`, `--add`, `--with`, or `--without`";
            return Err(failure.hint(hint).into());
        };
        Ok(Self::of_source(&source, channel, arch)?)
    }
}
