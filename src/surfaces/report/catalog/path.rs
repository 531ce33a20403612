//! The report of `catalog path`.

use std::io::{self, Write};

use serde::Serialize;

use crate::catalog::simulation::Resolver;
use crate::domain::Format;
use crate::domain::Named;
use crate::report::json::write_json;
use crate::report::printed::{Printed, Writer};
use crate::report::{Style, wrapped};
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::resolver_in_words;

/// The updates of one install in one channel.
#[derive(Debug, Serialize)]
pub(crate) struct CatalogPath<'a> {
    pub package: &'a str,
    pub channel: &'a str,
    /// The channel that the Subscription followed before, if it switches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_channel: Option<&'a str>,
    pub from: &'a str,
    /// Each of these is a goal.
    pub to: Vec<&'a str>,
    pub hops: Vec<CatalogHop<'a>>,
    /// Why the goal is not reached. None if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

/// One update.
#[derive(Debug, Serialize)]
pub(crate) struct CatalogHop<'a> {
    pub from: &'a str,
    pub to: &'a str,
    /// The key that makes the update.
    pub by: &'a str,
}

#[derive(Serialize)]
struct ReportJson<'a> {
    version: u32,
    policy: &'a str,
    paths: &'a [CatalogPath<'a>],
}

/// The paths of installs.
#[derive(Clone, Copy)]
pub(crate) struct CatalogPaths<'a> {
    pub paths: &'a [CatalogPath<'a>],
    pub resolver: Resolver,
}

impl Printed for CatalogPaths<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => |report, style, out| {
                let mut paths = report.paths.iter();
                paths.try_for_each(|path| {
                    wrapped(style, out, |out| write_path(path, report.resolver, style, out))
                })
            },
            Format::Json => |report, _, out| {
                let CatalogPaths { paths, resolver } = *report;
                write_json(&ReportJson { version: 1, policy: resolver.name(), paths }, out)
            },
            _ => return None,
        };
        Some(writer)
    }
}

fn write_path(
    path: &CatalogPath<'_>,
    resolver: Resolver,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let switch =
        path.from_channel.map_or_else(String::new, |from| format!("from channel {from} to "));
    let program = resolver_in_words(resolver);
    let title = format!("{}, {switch}channel {} ({program}):", path.package, path.channel);
    writeln!(out, "{}", style.bold(&printable(&title)))?;
    let widest = path.hops.iter().flat_map(|hop| [hop.from.len(), hop.to.len()]).max();
    let widest = widest.unwrap_or(0);
    for hop in &path.hops {
        let (from, to) = (printable(hop.from), printable(hop.to));
        writeln!(out, "  {from:<widest$} → {to:<widest$}  {}", hop.by)?;
    }
    let end = match &path.why_not {
        Some(why) => {
            format!("no path from {} to {}: {why}", path.from, listed(&path.to, "or"))
        }
        None if path.hops.is_empty() && path.from_channel.is_some() => {
            format!("{} is the head there, too", path.from)
        }
        None if path.hops.is_empty() => format!("{} is there already", path.from),
        None => counted(path.hops.len(), "update"),
    };
    writeln!(out, "  {}", printable(&end))
}
