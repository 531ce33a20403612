//! The report of `catalog switch`.

use std::io::{self, Write};

use serde::Serialize;

use crate::catalog::simulation::{AfterSwitch, PackageSwitches, Resolver, Switch};
use crate::domain::Format;
use crate::domain::Named;
use crate::report::json::write_json;
use crate::report::printed::{Printed, Writer};
use crate::report::{Style, wrapped};
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::{resolver_in_words, why_in_words};

/// Which installs can switch to which channels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwitchReport<'a> {
    pub packages: &'a [PackageSwitches<'a>],
    pub resolver: Resolver,
}

#[derive(Serialize)]
struct ReportJson<'a> {
    version: u32,
    policy: &'a str,
    packages: Vec<PackageJson<'a>>,
}

#[derive(Serialize)]
struct PackageJson<'a> {
    package: &'a str,
    switches: Vec<SwitchJson<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    too_large: &'a [&'a str],
}

#[derive(Serialize)]
struct SwitchJson<'a> {
    from: &'a str,
    to: &'a str,
    heads: &'a [&'a str],
    installs: Vec<InstallJson<'a>>,
}

#[derive(Serialize)]
struct InstallJson<'a> {
    name: &'a str,
    result: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    update_first_to: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl Printed for SwitchReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => |report, style, out| report.write_human(style, out),
            Format::Json => |report, _, out| report.write_json(out),
            _ => return None,
        };
        Some(writer)
    }
}

impl SwitchReport<'_> {
    fn write_human(self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        for package in self.packages {
            wrapped(style, out, |out| write_package(package, self.resolver, style, out))?;
        }
        Ok(())
    }

    fn write_json(self, out: &mut dyn Write) -> io::Result<()> {
        let packages = self.packages.iter().map(|one| PackageJson {
            package: &one.package.name,
            switches: one.switches.iter().map(written).collect(),
            too_large: &one.too_large,
        });
        let (policy, packages) = (self.resolver.name(), packages.collect());
        let report = ReportJson { version: 1, policy, packages };
        write_json(&report, out)
    }
}

fn written<'a>(switch: &'a Switch<'a>) -> SwitchJson<'a> {
    let installs = switch.installs.iter().map(|(name, after)| InstallJson {
        name,
        result: after.word(),
        update_first_to: match after {
            AfterSwitch::IfUpdated(first) => Some(first),
            _ => None,
        },
        why: match after {
            AfterSwitch::Stuck(why) => Some(why_in_words(why)),
            _ => None,
        },
    });
    let (from, to) = (switch.from.name.as_str(), switch.to.name.as_str());
    SwitchJson { from, to, heads: &switch.heads, installs: installs.collect() }
}

fn write_package(
    package: &PackageSwitches<'_>,
    resolver: Resolver,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = format!("{} ({}):", package.package.name, resolver_in_words(resolver));
    writeln!(out, "{}", style.bold(&printable(&title)))?;
    for switches in package.switches.chunk_by(|a, b| a.from.name == b.from.name) {
        let Some(first) = switches.first() else { continue };
        let entries = counted(first.installs.len(), "entry");
        writeln!(out, "{}", printable(&format!("  from {}, {entries}:", first.from.name)))?;
        for (targets, results) in by_results(switches) {
            let line = format!("    to {}: ", listed(&targets, "and"));
            match results.as_slice() {
                [] => writeln!(out, "{}", printable(&format!("{line}nothing is installed")))?,
                [only] => writeln!(out, "{}", printable(&format!("{line}{only}")))?,
                several => {
                    writeln!(out, "{}", printable(line.trim_end()))?;
                    for result in several {
                        writeln!(out, "      {}", printable(result))?;
                    }
                }
            }
        }
    }
    for channel in &package.too_large {
        writeln!(out, "{}", printable(&format!("  {channel} is too large to simulate")))?;
    }
    writeln!(out)
}

/// What happens to the installs, with the channels for which it is the same.
fn by_results<'s>(switches: &'s [Switch<'_>]) -> Vec<(Vec<&'s str>, Vec<String>)> {
    let mut all: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
    for switch in switches {
        let results = results(switch);
        match all.iter_mut().find(|(_, known)| *known == results) {
            Some((targets, _)) => targets.push(&switch.to.name),
            None => all.push((vec![&switch.to.name], results)),
        }
    }
    all
}

/// A line for each of the different outcomes.
fn results(switch: &Switch<'_>) -> Vec<String> {
    let mut lines: Vec<(&AfterSwitch<'_>, Vec<&str>)> = Vec::new();
    for (name, after) in &switch.installs {
        match lines.iter_mut().find(|(known, _)| *known == after) {
            Some((_, names)) => names.push(name),
            None => lines.push((after, vec![name])),
        }
    }
    let all = switch.installs.len();
    let line = |(after, names): (&AfterSwitch<'_>, Vec<&str>)| match names.as_slice() {
        [one] => format!("{one} {}", of_one(after)),
        names if names.len() == all => format!("all {}", of_several(after)),
        names => format!("{} {}: {}", names.len(), of_several(after), listed(names, "and")),
    };
    lines.into_iter().map(line).collect()
}

fn of_one(after: &AfterSwitch<'_>) -> String {
    match after {
        AfterSwitch::GetsToHead => "gets to the head".to_owned(),
        AfterSwitch::IfUpdated(first) => {
            format!("gets to the head if it is updated to {first} before the switch")
        }
        AfterSwitch::IsNewer => "is newer than the head, and stays".to_owned(),
        AfterSwitch::Stuck(why) => format!("is stuck: {}", why_in_words(why)),
        AfterSwitch::EndsElsewhere => "moves, and never gets to the head".to_owned(),
    }
}

fn of_several(after: &AfterSwitch<'_>) -> String {
    match after {
        AfterSwitch::GetsToHead => "get to the head".to_owned(),
        AfterSwitch::IfUpdated(first) => {
            format!("get to the head if they are updated to {first} before the switch")
        }
        AfterSwitch::IsNewer => "are newer than the head, and stay".to_owned(),
        AfterSwitch::Stuck(why) => format!("are stuck ({})", why_in_words(why)),
        AfterSwitch::EndsElsewhere => "move, and never get to the head".to_owned(),
    }
}
