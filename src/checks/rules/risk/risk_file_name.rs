//! A risk's file whose name does not match its content.

use std::collections::BTreeMap;

use crate::domain::HashMap;
use crate::graph_data::{GraphData, Location};
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity};
use crate::text::{SourceId, Span};

pub(super) static RULE: Rule = Rule {
    code: "EP212",
    name: "risk-file-name",
    properties: Properties {
        // A wrong `to`, or the name of another risk, does not fit the name of the file.
        explained_by: &["unknown-target", "duplicate-risk"],
        // Files can be named after other risks.
        ..Properties::OF_TEXTS
    },
    family: Family::Risk,
    severity: Severity::Info,
    summary: "a risk's file whose name does not match its target and its risk",
    explanation: "\
The service ignores file names, but people and scripts use them: they extend a risk by
copying files, and find it again by `<to>-<name>.yaml`. A file name that does not begin with
the file's `to` is an error: the file was copied and one of the two was not edited, and the
repository's presubmit refuses it. A file name that almost matches the risk's name (`Image`
for `Images`) is a typo in one of the two.

Blocks may have any name.",
    bad: "blocked-edges/4.14.2-ExampleRisk.yaml      to: 4.14.3",
    good: "blocked-edges/4.14.3-ExampleRisk.yaml      to: 4.14.3",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    // Authors extend risks by copying files with their typos, so copies share one finding.
    let mut misnamed: BTreeMap<(&str, &str), Vec<Span>> = BTreeMap::new();
    let mut known: HashMap<(&str, &str), bool> = HashMap::default();
    let named = NamedFiles::of(data);
    for edge in &data.blocked_edges {
        let (Some(to), Some(name)) = (&edge.to, &edge.name) else { continue };
        let file = Location::of(data.path(edge.file)).name;
        let stem = file.strip_suffix(".yaml").unwrap_or(file);
        if edge.target.is_none() {
            continue;
        }
        let rest = stem.strip_prefix(to.value.as_str()).filter(|rest| !continues_version(rest));
        let Some(rest) = rest else {
            let message = format!("this file's name does not begin with its target `{}`", to.value);
            findings.push(
                Finding::on(&RULE, Place::File(edge.file), message)
                    .severity(Severity::Error)
                    .related(to.span, "the target is here")
                    .help("correct the wrong one: was the file copied without editing `to`?"),
            );
            continue;
        };
        let called = rest.trim_start_matches('-');
        let is_wrong = *known.entry((called, &name.value)).or_insert_with(|| {
            is_typo(called, &name.value) || named.differs_from_siblings(called, &name.value)
        });
        if is_wrong {
            misnamed.entry((called, &name.value)).or_default().push(name.span);
        }
    }
    for ((called, name), copies) in misnamed {
        let others = match copies.len() - 1 {
            0 => String::new(),
            1 => " and another file".to_owned(),
            n => format!(" and {n} other files"),
        };
        let declare = if copies.len() == 1 { "declares" } else { "declare" };
        let message = match called {
            "" => format!("the risk `{name}` is missing from the name of this file{others}"),
            called => {
                format!("this file{others} named `…-{called}.yaml` {declare} the risk `{name}`")
            }
        };
        let rename = format!("rename to `<to>-{name}.yaml`, or ");
        let rename = if has_own_file(data, copies[0].source, name) { "" } else { &rename };
        let mut finding = Finding::at(&RULE, copies[0], message)
            .grouped(format!("{name} {called}"))
            .help(format!("{rename}correct the risk's name in all its files"));
        for copy in &copies[1..] {
            finding = finding.copy(*copy, "also this file");
        }
        findings.push(finding);
    }
}

/// Whether a file with the proper name for this file already exists.
fn has_own_file(data: &GraphData, file: SourceId, name: &str) -> bool {
    let edge = data.blocked_edges.iter().find(|edge| edge.file == file);
    let to = edge.and_then(|edge| edge.to.as_ref());
    to.is_some_and(|to| data.at_path(&format!("blocked-edges/{}-{name}.yaml", to.value)).is_some())
}

/// Counts the files of each risk that are named after it.
struct NamedFiles<'a> {
    /// For each risk, the number of files that are named after it, and of all its files.
    counts: HashMap<&'a str, (usize, usize)>,
}

impl<'a> NamedFiles<'a> {
    fn of(data: &'a GraphData) -> Self {
        let mut counts: HashMap<&str, (usize, usize)> = HashMap::default();
        for edge in &data.blocked_edges {
            let (Some(to), Some(name)) = (&edge.to, &edge.name) else { continue };
            let count = counts.entry(&name.value).or_default();
            let rest = Location::of(data.path(edge.file)).name.strip_prefix(to.value.as_str());
            let called = rest.and_then(|rest| rest.strip_prefix('-')?.strip_suffix(".yaml"));
            count.0 += usize::from(called == Some(name.value.as_str()));
            count.1 += 1;
        }
        Self { counts }
    }

    /// Whether a file is named after another risk, or is an exception among files that are named
    /// after their risk.
    fn differs_from_siblings(&self, called: &str, name: &str) -> bool {
        let (for_it, all) = self.counts.get(name).copied().unwrap_or_default();
        called != name && (self.counts.contains_key(called) || for_it * 2 > all)
    }
}

/// Whether a version in a name continues with `rest`, as `4.14.0` does in `4.14.0-rc.1`.
fn continues_version(rest: &str) -> bool {
    let pre = |kind: &str| {
        rest.strip_prefix(kind).is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
    };
    !rest.is_empty() && !rest.starts_with('-') || pre("-ec.") || pre("-fc.") || pre("-rc.")
}

/// Whether a file name is a misspelled risk name. Old files have other names on purpose
/// (`leaked-machine-config`).
fn is_typo(called: &str, name: &str) -> bool {
    let plain = |text: &str| text.replace(['-', '_'], "").to_lowercase();
    let (plain_called, plain_name) = (plain(called), plain(name));
    called.strip_suffix(".yaml") == Some(name)
        || plain_called != plain_name && strsim::osa_distance(&plain_called, &plain_name) <= 2
}
