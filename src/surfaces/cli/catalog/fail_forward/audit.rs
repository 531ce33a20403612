//! Without events: which entries a later one rescues.

use std::io::Write;

use crate::cli::catalog_args::CatalogFailForwardArgs;
use crate::olm::ChannelAudit;
use crate::report::{AuditReport, Style};
use crate::text::Failure;

use super::super::found::Opened;
use super::super::{Status, Stop};

pub(super) fn run(
    args: &CatalogFailForwardArgs,
    opened: &Opened,
    style: Style,
    out: &mut dyn Write,
) -> Result<Status, Stop> {
    let packages = opened.packages();
    args.place.refuse_unknown(packages, &[])?;
    let (mut channels, mut too_large) = (Vec::new(), Vec::new());
    for package in packages.iter().filter(|package| args.place.has_package(package)) {
        let wanted = package.channels.iter().filter(|channel| args.place.has_channel(channel));
        for channel in wanted.filter(|channel| !channel.entries.is_empty()) {
            match ChannelAudit::of(package, channel) {
                Ok(audit) => channels.push(audit),
                Err(_) => too_large.push((package.name.as_str(), channel.name.as_str())),
            }
        }
    }
    if channels.is_empty() && too_large.is_empty() {
        // Having looked at nothing is not an answer.
        return Err(Failure::new("there are no channels with entries")
            .hint("`exitpath catalog check` says what is wrong with the catalog")
            .into());
    }
    let report = AuditReport { channels: &channels, too_large: &too_large };
    args.report.print(&report, style, out)?;
    Ok(Status::Clean)
}
