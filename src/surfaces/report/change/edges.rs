//! The changed updates, before (`-`) and after (`+`), in the maintainers' notation.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::change::{AlteredUpdate, ComparedChannelId, Seen, VersionId};
use crate::domain::ArchSet;
use crate::report::words::architectures;
use crate::text::printable;

use super::ChangeReport;

pub(super) fn write(report: &ChangeReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let comparison = report.comparison();
    // Changes in the same channels for the same architectures share a heading.
    let mut parts: BTreeMap<(&[ComparedChannelId], ArchSet), Vec<&AlteredUpdate>> = BTreeMap::new();
    for change in &comparison.altered {
        let key = (change.channels.as_slice(), change.architectures);
        parts.entry(key).or_default().push(change);
    }
    for ((channels, archs), mut changes) in parts {
        let names: Vec<&str> =
            channels.iter().map(|at| comparison.channels[*at].as_str()).collect();
        let heading = format!("# {} ({})", names.join(", "), architectures(archs));
        writeln!(out, "{}", printable(&heading))?;
        let version = |at: VersionId| comparison.versions[at].as_str();
        changes.sort_by_key(|change| (version(change.from), version(change.to)));
        for change in changes {
            for (sign, seen) in [('-', change.before), ('+', change.after)] {
                if let Some(arrow) = arrow(&comparison.seen[seen]) {
                    let doubt = if change.is_certain { "" } else { "  # uncertain" };
                    let (from, to) = (version(change.from), version(change.to));
                    let line = format!("{sign}{from} {arrow} {to}{doubt}");
                    writeln!(out, "{}", printable(&line))?;
                }
            }
        }
    }
    Ok(())
}

fn arrow(seen: &Seen) -> Option<String> {
    match seen {
        Seen::Nothing => None,
        Seen::Blocked => Some("-(SILENT-BLOCK)->".to_owned()),
        Seen::Open => Some("->".to_owned()),
        Seen::Conditional(risks) => Some(format!("-(risks: {})->", risks.join(", "))),
    }
}
