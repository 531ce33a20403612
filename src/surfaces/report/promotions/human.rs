//! Promotions in the terminal.

use std::io::{self, Write};

use crate::authoring::{Promotion, PromotionOutlook, WhyPromoted};
use crate::domain::Severity;
use crate::domain::time::day;
use crate::report::{Style, write_line};
use crate::text::printable;
use crate::text::words::counted;

use super::{PromotionsReport, moment};

pub(super) fn write(
    report: &PromotionsReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let of_one_channel = |a: &Promotion<'_>, b: &Promotion<'_>| a.channel.file == b.channel.file;
    for (nth, group) in report.promotions.chunk_by(of_one_channel).enumerate() {
        if nth > 0 {
            writeln!(out)?;
        }
        let Some(first) = group.first() else { continue };
        let (channel, feeder) = (printable(first.channel.name()), printable(first.feeder));
        writeln!(out, "{}, from {feeder}", style.bold(&channel))?;
        for one in group {
            let (sign, severity) = match one.outlook {
                PromotionOutlook::Promoted(_) => ("+", None),
                PromotionOutlook::Waits { .. } => ("~", Some(Severity::Info)),
                PromotionOutlook::UncertainPath(_) => ("?", Some(Severity::Warning)),
                _ => ("✗", Some(Severity::Error)),
            };
            let version = printable(one.version);
            let line = format!(
                "  {} {version}: {}",
                style.mark(sign, severity),
                printable(&in_words(one))
            );
            write_line(style, &line, 4, out)?;
        }
    }
    if style.quiet {
        return Ok(());
    }
    let promoted = report.promotions.iter().filter(|one| one.is_promoted()).count();
    let held = report.promotions.len() - promoted;
    let space = if report.promotions.is_empty() { "" } else { "\n" };
    let verb = if report.is_written { "promoted" } else { "to promote" };
    let held =
        if held == 1 { "1 is held back".to_owned() } else { format!("{held} are held back") };
    writeln!(
        out,
        "{space}{} {verb}, {held}, at {}",
        counted(promoted, "release"),
        moment(report.now)
    )
}

fn in_words(promotion: &Promotion<'_>) -> String {
    let since = match promotion.since {
        Some(since) => format!("in {} since {}", promotion.feeder, day(since)),
        None => format!("in {}", promotion.feeder),
    };
    match promotion.outlook.hold(promotion.version, moment) {
        Some(hold) => format!("{hold} ({since})"),
        None => match promotion.outlook {
            PromotionOutlook::Promoted(WhyPromoted::ErratumIsPublic) => {
                format!("its erratum is public ({since})")
            }
            _ => format!("the delay is over ({since})"),
        },
    }
}
