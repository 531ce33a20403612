//! The report of `catalog diff`.

use std::io::{self, Write};

use serde::Serialize;

use crate::catalog::simulation::{ChannelDifference, Resolver};
use crate::domain::{Named, Severity};
use crate::report::{Style, wrapped};
use crate::text::words::{counted, listed};
use crate::text::{printable, printable_json};

use super::{CatalogFormat, resolver_in_words};

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    policy: &'a str,
    channels: Vec<Channel<'a>>,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "these are the keys of the JSON")]
struct Channel<'a> {
    package: &'a str,
    channel: &'a str,
    new: bool,
    gone: bool,
    heads_before: &'a [String],
    heads_after: &'a [String],
    added: &'a [String],
    removed: &'a [String],
    newly_stuck: Vec<Stuck<'a>>,
    freed: &'a [String],
    rerouted: Vec<Rerouted<'a>>,
}

#[derive(Serialize)]
struct Stuck<'a> {
    name: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct Rerouted<'a> {
    from: &'a str,
    before: Option<&'a str>,
    after: Option<&'a str>,
}

/// More installs that go elsewhere are only counted.
const MOST_REROUTED: usize = 10;

pub(crate) fn write_catalog_difference(
    differences: &[ChannelDifference],
    resolver: Resolver,
    format: CatalogFormat,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if format == CatalogFormat::Json {
        let channels = differences.iter().map(written).collect();
        let report = Report { version: 1, policy: resolver.name(), channels };
        let json = serde_json::to_string_pretty(&report).map_err(io::Error::other)?;
        return writeln!(out, "{}", printable_json(&json));
    }
    if !style.quiet {
        for difference in differences {
            wrapped(style, out, |out| write_channel(difference, style, out))?;
        }
    }
    let stuck: usize = differences.iter().map(|one| one.newly_stuck.len()).sum();
    let freed: usize = differences.iter().map(|one| one.freed.len()).sum();
    let (mark, severity) = if stuck > 0 { ("✗", Some(Severity::Error)) } else { ("✓", None) };
    let changed = match differences.len() {
        0 => "no channel changes".to_owned(),
        count => format!("{} changed", counted(count, "channel")),
    };
    let verdict = format!(
        "{mark} {changed}: {} newly stuck, {freed} freed ({})",
        counted(stuck, "install"),
        resolver_in_words(resolver)
    );
    writeln!(out, "{}", style.mark(&verdict, severity))
}

fn write_channel(
    difference: &ChannelDifference,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let about = match (difference.is_new, difference.is_gone) {
        (true, _) => " (new)",
        (_, true) => " (gone: Subscriptions to it fail)",
        _ => "",
    };
    let title = format!("{}, channel {}{about}", difference.package, difference.channel);
    writeln!(out, "{}", style.bold(&printable(&title)))?;
    let (before, after) = &difference.heads;
    if before != after {
        let named = |heads: &[String]| match heads {
            [] => "none".to_owned(),
            heads => listed(heads, "and"),
        };
        let line = format!("head: {} → {}", named(before), named(after));
        writeln!(out, "  {}", printable(&line))?;
    }
    for (label, names) in [
        ("new entries", &difference.added),
        ("removed entries", &difference.removed),
        ("freed", &difference.freed),
    ] {
        if !names.is_empty() {
            writeln!(out, "  {label}: {}", printable(&listed(names, "and")))?;
        }
    }
    for (name, why) in &difference.newly_stuck {
        writeln!(out, "  {}", printable(&format!("newly stuck: {name}: {why}")))?;
    }
    for (from, before, after) in difference.rerouted.iter().take(MOST_REROUTED) {
        let shown = |target: &Option<String>| target.clone().unwrap_or_else(|| "stays".to_owned());
        let line = format!("{from}: → {}, was → {}", shown(after), shown(before));
        writeln!(out, "  {}", printable(&line))?;
    }
    if let Some(more) = difference.rerouted.len().checked_sub(MOST_REROUTED).filter(|n| *n > 0) {
        writeln!(out, "  and {more} more that go elsewhere")?;
    }
    writeln!(out)
}

fn written(difference: &ChannelDifference) -> Channel<'_> {
    let stuck = difference.newly_stuck.iter().map(|(name, why)| Stuck { name, why });
    let rerouted = difference.rerouted.iter().map(|(from, before, after)| Rerouted {
        from,
        before: before.as_deref(),
        after: after.as_deref(),
    });
    Channel {
        package: &difference.package,
        channel: &difference.channel,
        new: difference.is_new,
        gone: difference.is_gone,
        heads_before: &difference.heads.0,
        heads_after: &difference.heads.1,
        added: &difference.added,
        removed: &difference.removed,
        newly_stuck: stuck.collect(),
        freed: &difference.freed,
        rerouted: rerouted.collect(),
    }
}
