//! Which entries of a catalog a later one rescues.

use std::io::{self, Write};

use serde::Serialize;

use crate::domain::Format;
use crate::domain::Severity;
use crate::olm::{ChannelAudit, Rescued};
use crate::report::json::write_json;
use crate::report::printed::{Printed, Writer};
use crate::report::{Style, wrapped};
use crate::text::printable;
use crate::text::words::{counted, listed, quoted};

/// The channels of a catalog.
#[derive(Debug)]
pub(crate) struct AuditReport<'a> {
    pub channels: &'a [ChannelAudit<'a>],
    /// The packages and names of channels that are too large.
    pub too_large: &'a [(&'a str, &'a str)],
}

#[derive(Serialize)]
struct ReportJson<'a> {
    version: u32,
    channels: Vec<ChannelJson<'a>>,
    too_large: Vec<NameJson<'a>>,
}

#[derive(Serialize)]
struct NameJson<'a> {
    package: &'a str,
    channel: &'a str,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "these are the keys of the JSON")]
struct ChannelJson<'a> {
    package: &'a str,
    channel: &'a str,
    head: Option<&'a str>,
    next_entry_should_update: Vec<&'a str>,
    entries: Vec<EntryJson<'a>>,
}

#[derive(Serialize)]
struct EntryJson<'a> {
    name: &'a str,
    plan_fails: PlanJson<'a>,
    csv_fails: CsvJson<'a>,
}

#[derive(Serialize)]
struct PlanJson<'a> {
    is_rescued: bool,
    instead: &'a [&'a str],
    stays: &'a [&'a str],
}

#[derive(Serialize)]
struct CsvJson<'a> {
    is_rescued: bool,
    next: Option<&'a str>,
}

impl Printed for AuditReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => {
                |report, style, out| wrapped(style, out, |out| write_human(report, style, out))
            }
            Format::Json => |report, _, out| write_json(&json(report), out),
            _ => return None,
        };
        Some(writer)
    }
}

fn write_human(report: &AuditReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    for channel in report.channels.iter().filter(|_| !style.quiet) {
        write_channel(channel, style, out)?;
    }
    for (package, channel) in report.too_large {
        let line = format!("{package}, channel {channel}: too large to simulate");
        writeln!(out, "{}\n", style.bold(&printable(&line)))?;
    }
    let entries = || report.channels.iter().flat_map(|channel| &channel.entries);
    let all = entries().count();
    let unsafe_ones = entries().filter(|entry| !entry.is_safe()).count();
    let (mark, severity, verdict) = match (unsafe_ones, all) {
        (0, 0) => ("✓", None, "nothing is updated to any entry but the heads".to_owned()),
        (0, all) => (
            "✓",
            None,
            format!("a later entry helps, whatever fails, for all of {}", counted(all, "entry")),
        ),
        (some, all) => {
            let entries = counted(all, "entry");
            let verdict = format!(
                "no later entry helps {some} of {entries} if the InstallPlan or the CSV fails"
            );
            ("!", Some(Severity::Warning), verdict)
        }
    };
    writeln!(out, "{}", style.mark(&format!("{mark} {verdict}"), severity))
}

fn write_channel(channel: &ChannelAudit<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let title = format!("{}, channel {}", channel.package, channel.channel);
    let Some(head) = channel.head else {
        let words = "OLM cannot order it, so nothing is rescued";
        return writeln!(out, "{}: {words}\n", style.bold(&printable(&title)));
    };
    let safe = channel.entries.iter().filter(|entry| entry.is_safe()).count();
    let about = format!(
        "head {head}, a later entry rescues {safe} of {}",
        counted(channel.entries.len(), "entry")
    );
    writeln!(out, "{}: {}", style.bold(&printable(&title)), printable(&about))?;
    for (problem, wanted) in [
        ("if their InstallPlan fails, only a new entry helps", (true, false)),
        ("if their CSV fails, nothing newer updates them", (false, true)),
        ("if either fails, nothing newer helps", (true, true)),
    ] {
        let has_it =
            |entry: &&Rescued<'_>| (!entry.stays.is_empty(), entry.next.is_none()) == wanted;
        let entries: Vec<&Rescued<'_>> = channel.entries.iter().filter(has_it).collect();
        if entries.is_empty() {
            continue;
        }
        let names: Vec<&str> = entries.iter().map(|entry| entry.entry).collect();
        writeln!(out, "  {}", printable(&format!("{problem}: {}", listed(&names, "and"))))?;
        if let Some(first) = entries.iter().find(|entry| !entry.stays.is_empty()) {
            let stays = listed(&first.stays, "and");
            let line = if first.is_offered {
                format!("for example, {stays} would go to {} again and again", first.entry)
            } else {
                let has = if first.stays.len() == 1 { "has" } else { "have" };
                format!("for example, {stays} {has} no other update: OLM skips {}", first.entry)
            };
            writeln!(out, "    {}", printable(&line))?;
        }
    }
    let mut updates = vec![head];
    updates.extend(&channel.to_head);
    let line = format!(
        "for a rescue of the head, the next entry should update {} (`replaces`, `skips`, or \
         `skipRange`)",
        listed(&quoted(&updates), "and")
    );
    writeln!(out, "  {}\n", printable(&line))
}

fn json<'a>(report: &'a AuditReport<'_>) -> ReportJson<'a> {
    let channels = report.channels.iter().map(|channel| ChannelJson {
        package: channel.package,
        channel: channel.channel,
        head: channel.head,
        next_entry_should_update: channel.head.into_iter().chain(channel.to_head.clone()).collect(),
        entries: channel.entries.iter().map(entry).collect(),
    });
    let too_large = report.too_large.iter();
    ReportJson {
        version: 1,
        channels: channels.collect(),
        too_large: too_large.map(|&(package, channel)| NameJson { package, channel }).collect(),
    }
}

fn entry<'a>(entry: &'a Rescued<'a>) -> EntryJson<'a> {
    EntryJson {
        name: entry.entry,
        plan_fails: PlanJson {
            is_rescued: entry.stays.is_empty(),
            instead: &entry.instead,
            stays: &entry.stays,
        },
        csv_fails: CsvJson { is_rescued: entry.next.is_some(), next: entry.next },
    }
}
