//! Without events: which entries a later one rescues.

use std::io::Write;

use crate::catalog::package::Channel;
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
    let is_wanted = |wanted: Option<&str>, name: &str| wanted.is_none_or(|wanted| wanted == name);
    let (mut channels, mut too_large) = (Vec::new(), Vec::new());
    for package in packages.iter().filter(|one| is_wanted(args.package.as_deref(), &one.name)) {
        let has_entries = |channel: &&Channel| !channel.entries.is_empty();
        let wanted = package.channels.iter().filter(has_entries);
        for channel in wanted.filter(|one| is_wanted(args.channel.as_deref(), &one.name)) {
            match ChannelAudit::of(package, channel) {
                Ok(audit) => channels.push(audit),
                Err(_) => too_large.push((package.name.as_str(), channel.name.as_str())),
            }
        }
    }
    if channels.is_empty() && too_large.is_empty() {
        return Err(nothing(args, opened).into());
    }
    let report = AuditReport { channels: &channels, too_large: &too_large };
    args.report.print(&report, style, out)?;
    Ok(Status::Clean)
}

/// Having looked at nothing is not an answer.
fn nothing(args: &CatalogFailForwardArgs, opened: &Opened) -> Failure {
    let packages = opened.packages();
    let names = packages.iter().map(|package| package.name.as_str());
    match (&args.package, &args.channel) {
        (Some(name), _) if names.clone().all(|known| known != name) => {
            Failure::unknown("package", name, names)
        }
        (_, Some(name)) => {
            let channels = packages.iter().flat_map(|package| &package.channels);
            Failure::unknown("channel", name, channels.map(|channel| channel.name.as_str()))
        }
        _ => Failure::new("there are no channels with entries")
            .hint("`exitpath catalog check` says what is wrong with the catalog"),
    }
}
