//! Fixes of any repository: they end, they break nothing, and what the service loads keeps its
//! meaning.

#![no_main]

mod repository;

use std::collections::BTreeSet;

use exitpath::testing::domain::Severity;
use exitpath::testing::edit;
use exitpath::testing::graph_data::{GraphData, LoadVerdict};
use exitpath::testing::lint::{Outcome, Request, lint};
use exitpath::testing::rules::Finding;
use exitpath::testing::yaml;
use libfuzzer_sys::fuzz_target;
use serde::Deserialize;

/// As many as the command makes.
const ROUNDS: usize = 64;

fuzz_target!(|input: &[u8]| {
    let Some(mut files) = repository::files(input) else { return };
    let mut data = GraphData::from_blobs(files.clone());
    let mut found = findings(&data);
    for round in 0..=ROUNDS {
        let offered: Vec<&Finding> =
            found.findings.iter().filter(|finding| finding.fix.is_some()).collect();
        for finding in &offered {
            let (texts, applied) = edit::apply(&data.sources, &finding.fix);
            assert_eq!(applied.len(), 1, "{} offers to change nothing", finding.rule.name);
            for (file, new) in &texts {
                let old = data.sources.get(*file).text();
                keeps_meaning(data.sources.path(*file), old, new, &[finding.rule.name]);
            }
        }
        let (texts, _) = edit::apply(&data.sources, offered.iter().filter_map(|f| f.fix.as_ref()));
        if texts.is_empty() {
            return;
        }
        assert!(round < ROUNDS, "the fixes do not end");
        let rules: Vec<&str> = offered.iter().map(|finding| finding.rule.name).collect();
        for (file, new) in &texts {
            let old = data.sources.get(*file).text();
            keeps_meaning(data.sources.path(*file), old, new, &rules);
            let blob = files.iter_mut().find(|blob| blob.path == data.sources.path(*file));
            blob.expect("a file").content = Ok(new.clone().into_bytes());
        }
        let next = data.another(files.clone());
        for (before, after) in data.files.iter().zip(next.files.iter()) {
            assert!(
                !is_dropped_by(&before.verdict, &after.verdict) || adds_values(&rules),
                "{rules:?} make the service drop a file: {:?}",
                after.verdict
            );
        }
        let next_found = findings(&next);
        if errors(&next_found) > errors(&found) {
            assert!(adds_values(&rules), "{rules:?} add errors: {:?}", next_found.findings);
            return;
        }
        (data, found) = (next, next_found);
    }
});

fn findings(data: &GraphData) -> Outcome {
    let mut outcome = lint(data, None, &Request::default());
    outcome.omit_excess(&data.sources);
    outcome
}

fn errors(outcome: &Outcome) -> usize {
    outcome.findings.iter().filter(|finding| finding.severity == Severity::Error).count()
}

fn is_dropped_by(before: &LoadVerdict, after: &LoadVerdict) -> bool {
    *before == LoadVerdict::Loads
        && matches!(after, LoadVerdict::Drops { .. } | LoadVerdict::Panics)
}

/// A renamed key, or a rewritten draft, may show a fault of its value, or a conflict with another
/// file. The command discards a round that adds errors.
fn adds_values(rules: &[&str]) -> bool {
    const ADDING: [&str; 6] = [
        "draft-clusters",
        "empty-promql",
        "missing-key",
        "pruned-rule",
        "unknown-key",
        "unknown-rule-type",
    ];
    rules.iter().any(|rule| ADDING.contains(rule))
}

fn keeps_meaning(path: &str, old: &str, new: &str, rules: &[&str]) {
    if !path.ends_with(".yaml") {
        return;
    }
    let case = || format!("{path}: {rules:?}: {old:?} → {new:?}");
    assert!(yaml::parse(old).is_err() || yaml::parse(new).is_ok(), "no YAML: {}", case());
    let is_yaml = |text: &str| serde_yaml::from_str::<serde_yaml::Value>(text).is_ok();
    assert!(!is_yaml(old) || is_yaml(new), "no YAML for the service: {}", case());
    let Some(before) = Served::read(path, old) else { return };
    let Some(after) = Served::read(path, new) else {
        assert!(adds_values(rules), "the service drops it: {}", case());
        return;
    };
    let (before, after) = (before.without(rules), after.without(rules));
    assert!(after.has(&before, rules), "{before:?} became {after:?}: {}", case());
}

/// What the service reads from a file.
#[derive(Debug, PartialEq)]
enum Served {
    Block(Block),
    Risk(Risk),
    Channel(Channel),
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    to: String,
    from: String,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Risk {
    to: String,
    from: String,
    url: String,
    name: String,
    message: String,
    matching_rules: Vec<MatchingRule>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct MatchingRule {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    promql: Option<Query>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Query {
    #[serde(default)]
    promql: String,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Channel {
    name: String,
    versions: Vec<String>,
}

impl Served {
    fn read(path: &str, text: &str) -> Option<Self> {
        if path.starts_with("channels/") {
            serde_yaml::from_str(text).ok().map(Self::Channel)
        } else if path.starts_with("blocked-edges/") {
            let risk = serde_yaml::from_str(text).map(Self::Risk);
            risk.or_else(|_| serde_yaml::from_str(text).map(Self::Block)).ok()
        } else {
            None
        }
    }

    /// Without what the rules may change.
    fn without(mut self, rules: &[&str]) -> Self {
        let has = |rule: &str| rules.contains(&rule);
        match &mut self {
            Self::Block(Block { to, .. }) | Self::Risk(Risk { to, .. }) => {
                if has("invalid-version") {
                    *to = repaired(to);
                }
            }
            Self::Channel(channel) => {
                if has("invalid-version") {
                    channel.versions.iter_mut().for_each(|version| *version = repaired(version));
                }
                if has("repeated-version") {
                    let mut seen = BTreeSet::new();
                    channel.versions.retain(|version| seen.insert(version.clone()));
                }
                if has("unsorted-channel") {
                    channel.versions.sort();
                }
            }
        }
        self
    }

    /// Whether it is `before`, or what a renamed key adds to it.
    fn has(&self, before: &Self, rules: &[&str]) -> bool {
        match (before, self) {
            (Self::Risk(before), Self::Risk(after)) if adds_values(rules) => {
                let texts =
                    |r: &Risk| [&r.to, &r.from, &r.url, &r.name, &r.message].map(String::to_owned);
                texts(before) == texts(after)
                    && before.matching_rules.len() == after.matching_rules.len()
                    && before
                        .matching_rules
                        .iter()
                        .zip(&after.matching_rules)
                        .all(|(before, after)| before.is_part_of(after))
            }
            (before, after) => before == after,
        }
    }
}

impl MatchingRule {
    fn is_part_of(&self, other: &Self) -> bool {
        let query = |rule: &Self| rule.promql.as_ref().map(|query| query.promql.clone());
        let (own, others) = (query(self).unwrap_or_default(), query(other).unwrap_or_default());
        let is_known = |kind: &str| matches!(kind, "Always" | "PromQL");
        let is_corrected = !is_known(&self.kind) && is_known(&other.kind);
        // A renamed key adds a type, which can be wrong, too.
        (is_corrected || self.kind.is_empty() || self.kind == other.kind)
            && (own.is_empty() || own == others)
    }
}

/// A version as the service compares it: without white space around it, and with numbers as
/// numbers.
fn repaired(version: &str) -> String {
    let text = version.trim().trim_start_matches(['v', 'V']);
    let parts = text.split_inclusive(['.', '-', '+']);
    let number = |part: &str| {
        let plain = part.trim_end_matches(['.', '-', '+']);
        let zeros = plain.len() - plain.trim_start_matches('0').len();
        let is_number = !plain.is_empty() && plain.bytes().all(|b| b.is_ascii_digit());
        let cut = if is_number { zeros.min(plain.len() - 1) } else { 0 };
        part[cut..].to_owned()
    };
    parts.map(number).collect()
}
