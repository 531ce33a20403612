//! What a change does to one cluster.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use crate::cluster::Stored;
use crate::cluster::object::{condition, newest_first};
use crate::text::printable;

use super::super::{Style, write_line};

/// The verdict on each update, by its version.
type Verdicts<'s> = BTreeMap<&'s str, UpdateVerdict<'s>>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum UpdateVerdict<'s> {
    Recommended,
    /// It is not recommended, with this reason.
    Refused(&'s str),
    /// It is unknown, with this reason.
    Unknown(&'s str),
}

/// Writes the updates whose verdict changes.
pub(super) fn write(
    before: &Stored,
    after: &Stored,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (before, after) = (verdicts(before), verdicts(after));
    let mut versions: Vec<&str> = before.keys().chain(after.keys()).copied().collect();
    versions.sort_by(|a, b| newest_first(a, b).then(a.cmp(b)));
    versions.dedup();
    versions.retain(|version| before.get(version) != after.get(version));
    if versions.is_empty() {
        return writeln!(out, "The change does nothing to this cluster.");
    }
    writeln!(out, "What the change does to this cluster:")?;
    // Neighboring versions with the same change share a line.
    let change = |version: &&str| (before.get(*version), after.get(*version));
    for group in versions.chunk_by(|a, b| change(a) == change(b)) {
        let Some(first) = group.first() else { continue };
        let (old, new) = change(first);
        let names: Vec<_> = group.iter().map(|version| printable(version)).collect();
        let line = format!("  {}: {}, was {}", names.join(", "), words(new), words(old));
        write_line(style, &line, 4, out)?;
    }
    Ok(())
}

/// The updates whose verdict changes, with both.
pub(super) fn json(before: &Stored, after: &Stored) -> Value {
    let (before, after) = (verdicts(before), verdicts(after));
    let mut versions: Vec<&str> = before.keys().chain(after.keys()).copied().collect();
    versions.sort_by(|a, b| newest_first(a, b).then(a.cmp(b)));
    versions.dedup();
    versions.retain(|version| before.get(version) != after.get(version));
    let change = |version: &&str| {
        let words = |verdicts: &Verdicts<'_>| words(verdicts.get(*version));
        json!({"version": version, "before": words(&before), "after": words(&after)})
    };
    versions.iter().map(change).collect()
}

fn verdicts(stored: &Stored) -> Verdicts<'_> {
    let updates = stored.available_updates.iter();
    let mut verdicts: Verdicts<'_> =
        updates.map(|release| (release.version.as_str(), UpdateVerdict::Recommended)).collect();
    for update in &stored.conditional_updates {
        let verdict = match condition(&update.conditions, "Recommended") {
            Some(found) if found.status == "True" => UpdateVerdict::Recommended,
            Some(found) if found.status == "False" => UpdateVerdict::Refused(&found.reason),
            found => UpdateVerdict::Unknown(found.map_or("", |found| &found.reason)),
        };
        verdicts.insert(&update.release.version, verdict);
    }
    verdicts
}

fn words(verdict: Option<&UpdateVerdict<'_>>) -> String {
    match verdict {
        None => "not offered".into(),
        Some(UpdateVerdict::Recommended) => "recommended".into(),
        Some(UpdateVerdict::Refused(reason)) => format!("not recommended ({})", printable(reason)),
        Some(UpdateVerdict::Unknown(reason)) => format!("cannot tell ({})", printable(reason)),
    }
}
