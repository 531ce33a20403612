//! A pattern in the terminal.

use std::io::{self, Write};

use crate::origins::{Later, Reach};
use crate::report::{Style, write_line};
use crate::text::printable;
use crate::text::words::in_ranges;

use super::OriginsReport;

pub(super) fn write(
    report: &OriginsReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", printable(report.pattern))?;
    if style.quiet {
        return Ok(());
    }
    writeln!(out)?;
    let reach = report.origins.reach(report.known);
    if reach.is_empty() {
        writeln!(out, "  matches no release of the channels, and none of the next ones")?;
    }
    for minor in &reach {
        write_line(style, &format!("  {}: {}", minor.minor, in_words(minor)), 4, out)?;
    }
    if let Some(exact) = report.exact {
        writeln!(out, "\nThe same releases, and no others: {}", printable(exact))?;
    }
    Ok(())
}

pub(in crate::surfaces::report) fn in_words(reach: &Reach) -> String {
    let list = |some: &[(usize, String)]| {
        in_ranges(some, |(a, _), (b, _)| a + 1 == *b, |(_, text)| text.as_str())
    };
    let mut parts = Vec::new();
    if !reach.patches.is_empty() {
        parts.push(list(&reach.patches));
    }
    let later = match (reach.later, parts.is_empty()) {
        (Later::All, true) => Some("only later patches"),
        (Later::All, false) => Some("every later patch"),
        (Later::Some, _) => Some("some later patches"),
        (Later::None, true) => None,
        (Later::None, false) => Some("no later patch"),
    };
    parts.extend(later.map(str::to_owned));
    match (reach.pre_releases.as_slice(), reach.all_pre_releases) {
        ([], 0) => {}
        ([], _) => parts.push("no pre-release".to_owned()),
        (some, all) if some.len() == all => {
            let which = if reach.is_coming { "all known" } else { "all" };
            parts.push(format!("{which} pre-releases"));
        }
        (some, _) => parts.push(list(some)),
    }
    parts.join("; ")
}
