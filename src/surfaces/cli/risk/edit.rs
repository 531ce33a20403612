//! `exitpath risk extend`, `fix`, `spread`, `rename`, and `drop`.

use crate::authoring::{self, Extension, Fixing, NewValues, RiskRules, Spread};
use crate::cli::editing::{Output, run};
use crate::cli::risk_args::{
    RiskDropArgs, RiskExtendArgs, RiskFixArgs, RiskRenameArgs, RiskSpreadArgs, RiskValueArgs,
};
use crate::cli::{Status, Stop};
use crate::graph_data::GraphData;
use crate::origins::{self, KnownReleases};
use crate::text::Failure;

pub(super) fn extend(args: &RiskExtendArgs, output: Output<'_>) -> Result<Status, Stop> {
    run(&args.edit, None, output, |data| {
        let from = pattern(data, &args.values.from, args.pre_releases)?;
        let extension = Extension {
            targets: &args.targets,
            pre_releases: args.pre_releases,
            like: args.like.as_ref(),
            values: values(&args.values, from.as_deref()),
            fixed_in: &args.fixed_in,
            reopens: args.reopen,
        };
        authoring::extend(data, &args.name, &extension)
    })
}

pub(super) fn fix(args: &RiskFixArgs, output: Output<'_>) -> Result<Status, Stop> {
    let fixing = Fixing { fixes: &args.versions, targets: &args.to };
    run(&args.edit, None, output, |data| authoring::fix(data, &args.name, &fixing))
}

pub(super) fn spread(args: &RiskSpreadArgs, output: Output<'_>) -> Result<Status, Stop> {
    run(&args.edit, None, output, |data| {
        let from = pattern(data, &args.values.from, args.pre_releases)?;
        let spread = Spread {
            like: args.like.as_ref(),
            values: values(&args.values, from.as_deref()),
            targets: &args.to,
        };
        authoring::spread(data, &args.name, &spread)
    })
}

pub(super) fn rename(args: &RiskRenameArgs, output: Output<'_>) -> Result<Status, Stop> {
    run(&args.edit, None, output, |data| authoring::rename(data, &args.old, &args.new))
}

pub(super) fn drop(args: &RiskDropArgs, output: Output<'_>) -> Result<Status, Stop> {
    run(&args.edit, None, output, |data| authoring::drop_risk(data, &args.name, &args.targets))
}

fn values<'a>(args: &'a RiskValueArgs, from: Option<&'a str>) -> NewValues<'a> {
    let promql = args.promql.as_deref().map(RiskRules::PromQl);
    NewValues {
        url: args.url.as_deref(),
        message: args.message.as_deref(),
        rules: promql.or(args.always.then_some(RiskRules::Always)),
        from,
        comment: args.comment.as_deref(),
    }
}

/// The pattern for `--from`. None if no flag names origins.
pub(super) fn pattern(
    data: &GraphData,
    words: &[String],
    pre_releases: bool,
) -> Result<Option<String>, Failure> {
    if words.is_empty() {
        return Ok(None);
    }
    let known = KnownReleases::of(&data.releases);
    origins::pattern_of(&known, words, pre_releases).map(Some)
}
