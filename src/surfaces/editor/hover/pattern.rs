//! What a `from` matches.

use crate::domain::Format;
use crate::graph_data::{GraphData, Matcher};
use crate::origins::{KnownReleases, check_pattern, reached_on_all, rewritten};
use crate::report::{OriginsReport, Printed};

use super::{PLAIN, block};

const ARCHITECTURES_DIFFER: &str = "The architectures differ in what this pattern matches: \
                                    `exitpath from PATTERN --arch ARCH` shows one of them.";

pub(super) fn about(data: &GraphData, pattern: &str) -> Option<String> {
    let known = KnownReleases::of(&data.releases);
    if let Err(failure) = check_pattern(pattern) {
        return Some(block(failure.words().0));
    }
    let matcher = Matcher::of(pattern);
    let Some(origins) = reached_on_all(&known, &|version| matcher.is_match(version)) else {
        return Some(ARCHITECTURES_DIFFER.to_owned());
    };
    let exact = rewritten(pattern, &origins, &known, None);
    let exact = exact.filter(|exact| exact != pattern && !origins.is_empty());
    let report =
        OriginsReport { pattern, exact: exact.as_deref(), origins: &origins, known: &known };
    let mut text = Vec::new();
    report.write(Format::Human, PLAIN, &mut text).ok()?;
    Some(block(&String::from_utf8_lossy(&text)))
}
