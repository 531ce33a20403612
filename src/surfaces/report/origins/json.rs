//! A pattern for programs.

use std::io::{self, Write};

use serde::Serialize;

use crate::domain::Named;
use crate::report::json::write_json;

use super::OriginsReport;

#[derive(Serialize)]
struct OriginsJson<'r> {
    version: u8,
    pattern: &'r str,
    /// A pattern for exactly the same releases, if it is another one.
    exact: Option<&'r str>,
    minors: Vec<MinorJson>,
}

#[derive(Serialize)]
struct MinorJson {
    minor: String,
    releases: Vec<String>,
    pre_releases: Vec<String>,
    /// Which patches after the newest one the pattern matches.
    later: &'static str,
}

pub(super) fn write(report: &OriginsReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let texts = |some: Vec<(usize, String)>| some.into_iter().map(|(_, text)| text).collect();
    let minors = report.origins.reach(report.known).into_iter().map(|reach| MinorJson {
        minor: reach.minor.to_string(),
        releases: texts(reach.patches),
        pre_releases: texts(reach.pre_releases),
        later: reach.later.name(),
    });
    let document = OriginsJson {
        version: 1,
        pattern: report.pattern,
        exact: report.exact,
        minors: minors.collect(),
    };
    write_json(&document, out)
}
