//! The report of `catalog diff`.

use std::io::{self, Write};

use serde::Serialize;

use crate::catalog::simulation::{ChannelDifference, Resolver};
use crate::domain::Format;
use crate::domain::{Named, Severity};
use crate::report::json::write_json;
use crate::report::printed::{Printed, Writer};
use crate::report::{Style, wrapped};
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::resolver_in_words;

#[derive(Serialize)]
struct ReportJson<'a> {
    version: u32,
    policy: &'a str,
    channels: Vec<ChannelJson<'a>>,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "these are the keys of the JSON")]
struct ChannelJson<'a> {
    package: &'a str,
    channel: &'a str,
    new: bool,
    gone: bool,
    heads_before: &'a [String],
    heads_after: &'a [String],
    added: &'a [String],
    removed: &'a [String],
    newly_stuck: Vec<StuckJson<'a>>,
    newly_far: &'a [String],
    head_went_back: bool,
    unblocked: &'a [String],
    rerouted: Vec<ReroutedJson<'a>>,
}

#[derive(Serialize)]
struct StuckJson<'a> {
    name: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct ReroutedJson<'a> {
    from: &'a str,
    before: Option<&'a str>,
    after: Option<&'a str>,
}

/// The most rerouted installs that are listed. Further ones are only counted.
const MOST_REROUTED: usize = 10;

/// The channels that differ between two states of a catalog.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DifferenceReport<'a> {
    pub channels: &'a [ChannelDifference],
    pub resolver: Resolver,
    /// Whether only changes for the worse are shown.
    pub is_of_worse: bool,
}

impl Printed for DifferenceReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => Self::write_human,
            Format::Json => |report, _, out| report.write_json(out),
            _ => return None,
        };
        Some(writer)
    }
}

impl DifferenceReport<'_> {
    fn write_human(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        if !style.quiet {
            for difference in self.channels {
                wrapped(style, out, |out| write_channel(difference, style, out))?;
            }
        }
        self.write_verdict(style, out)
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let channels = self.channels.iter().map(written).collect();
        write_json(&ReportJson { version: 1, policy: self.resolver.name(), channels }, out)
    }

    fn write_verdict(self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let sum = |count: fn(&ChannelDifference) -> usize| -> usize {
            self.channels.iter().map(count).sum()
        };
        let (stuck, far) = (sum(|one| one.newly_stuck.len()), sum(|one| one.newly_far.len()));
        let changed = match (self.channels.len(), self.is_of_worse) {
            (0, false) => "no channel changes".to_owned(),
            (0, true) => "no channel is worse than before".to_owned(),
            (1, true) => "1 channel is worse than before".to_owned(),
            (count, true) => format!("{count} channels are worse than before"),
            (count, false) => format!("{} changed", counted(count, "channel")),
        };
        let mut counts = vec![format!("{} newly stuck", counted(stuck, "install"))];
        if far > 0 {
            counts.push(format!("{far} no longer get to the head"));
        }
        if !self.is_of_worse {
            counts.push(format!("{} unblocked", sum(|one| one.unblocked.len())));
        }
        let (mark, severity) = if stuck + far > 0 {
            ("✗", Some(Severity::Error))
        } else if self.channels.iter().any(|one| one.went_back || one.is_gone) {
            ("!", Some(Severity::Warning))
        } else {
            ("✓", None)
        };
        let counts = match (self.channels, self.is_of_worse) {
            ([], true) => String::new(),
            _ => format!(": {}", counts.join(", ")),
        };
        let verdict = format!("{mark} {changed}{counts} ({})", resolver_in_words(self.resolver));
        writeln!(out, "{}", style.mark(&verdict, severity))
    }
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
    let (before, after) = (&difference.heads_before, &difference.heads);
    if before != after {
        let named = |heads: &[String]| match heads {
            [] => "none".to_owned(),
            heads => listed(heads, "and"),
        };
        let lower = if difference.went_back { " (a lower version)" } else { "" };
        let line = format!("head: {} → {}{lower}", named(before), named(after));
        writeln!(out, "  {}", printable(&line))?;
    }
    for (label, names) in [
        ("new entries", &difference.added),
        ("removed entries", &difference.removed),
        ("unblocked", &difference.unblocked),
        ("no longer get to the head", &difference.newly_far),
    ] {
        if !names.is_empty() {
            writeln!(out, "  {label}: {}", printable(&listed(names, "and")))?;
        }
    }
    for (why, names) in by_reason(&difference.newly_stuck) {
        let count =
            if names.len() > 1 { format!("{} installs: ", names.len()) } else { String::new() };
        let line = format!("newly stuck: {count}{}: {why}", listed(&names, "and"));
        writeln!(out, "  {}", printable(&line))?;
    }
    for install in difference.rerouted.iter().take(MOST_REROUTED) {
        let shown = |target: &Option<String>| target.clone().unwrap_or_else(|| "stays".to_owned());
        let (now, before) = (shown(&install.now), shown(&install.before));
        let line = format!("{}: → {now}, was → {before}", install.name);
        writeln!(out, "  {}", printable(&line))?;
    }
    if let Some(more) = difference.rerouted.len().checked_sub(MOST_REROUTED).filter(|n| *n > 0) {
        writeln!(out, "  and {more} more that go elsewhere")?;
    }
    writeln!(out)
}

/// Groups installs by reason, in the order in which the reasons first occur.
fn by_reason(stuck: &[(String, String)]) -> Vec<(&str, Vec<&str>)> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, why) in stuck {
        match reasons.iter_mut().find(|(known, _)| known == why) {
            Some((_, names)) => names.push(name),
            None => reasons.push((why, vec![name])),
        }
    }
    reasons
}

fn written(difference: &ChannelDifference) -> ChannelJson<'_> {
    let stuck = difference.newly_stuck.iter().map(|(name, why)| StuckJson { name, why });
    let rerouted = difference.rerouted.iter().map(|install| ReroutedJson {
        from: &install.name,
        before: install.before.as_deref(),
        after: install.now.as_deref(),
    });
    ChannelJson {
        package: &difference.package,
        channel: &difference.channel,
        new: difference.is_new,
        gone: difference.is_gone,
        heads_before: &difference.heads_before,
        heads_after: &difference.heads,
        added: &difference.added,
        removed: &difference.removed,
        newly_stuck: stuck.collect(),
        newly_far: &difference.newly_far,
        head_went_back: difference.went_back,
        unblocked: &difference.unblocked,
        rerouted: rerouted.collect(),
    }
}
