//! Promotions for programs. The format is versioned, and fields are only added;
//! `schemas/promotions.json` describes it.

use std::io::{self, Write};

use serde::Serialize;

use crate::authoring::{Promotion, PromotionOutlook, WhyPromoted};
use crate::domain::time::write_time;
use crate::report::json::write_json;

use super::{PromotionsReport, moment};

#[derive(Serialize)]
struct PromotionsJson<'r> {
    version: u8,
    time: String,
    written: bool,
    promotions: Vec<PromotionJson<'r>>,
}

#[derive(Serialize)]
struct PromotionJson<'r> {
    channel: &'r str,
    feeder: &'r str,
    release: &'r str,
    since: Option<String>,
    promoted: bool,
    why: &'static str,
    until: Option<String>,
    /// What holds it back, in words.
    hold: Option<String>,
}

pub(super) fn write(report: &PromotionsReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let document = PromotionsJson {
        version: 1,
        time: time(report.now),
        written: report.is_written,
        promotions: report.promotions.iter().map(promotion).collect(),
    };
    write_json(&document, out)
}

fn time(seconds: i64) -> String {
    write_time(seconds.saturating_mul(1000))
}

fn promotion<'r>(one: &'r Promotion<'_>) -> PromotionJson<'r> {
    let (why, until) = match &one.outlook {
        PromotionOutlook::Promoted(WhyPromoted::DelayIsOver) => ("delay", None),
        PromotionOutlook::Promoted(WhyPromoted::ErratumIsPublic) => ("erratum", None),
        PromotionOutlook::Risks(_) => ("risks", None),
        PromotionOutlook::NoPath(_) => ("no-path", None),
        PromotionOutlook::UncertainPath(_) => ("uncertain-path", None),
        PromotionOutlook::Waits { until, .. } => ("waits", *until),
        PromotionOutlook::UnknownAge => ("unknown-age", None),
    };
    PromotionJson {
        channel: one.channel.name(),
        feeder: one.feeder,
        release: one.version,
        since: one.since.map(time),
        promoted: one.is_promoted(),
        why,
        until: until.map(time),
        hold: one.outlook.hold(one.version, moment),
    }
}
