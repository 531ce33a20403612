//! Known findings, which reports hide.
//!
//! A finding is identified by its rule, its file, and a fingerprint of its text, with a count. So
//! other lines of the file can change. A finding about several files of one risk is identified
//! without its files, because their number can change.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::domain::Severity;
use crate::graph_data::Renames;
use crate::rules::{Finding, Place};
use crate::text::{Failure, Sources, fnv_hash};
use crate::tree::read_text;

use super::path_of;

/// How many times each finding is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<FindingKey, Known>);

/// How many times a finding is known, and the worst severity. None if the baseline comes from a
/// file, which has no severities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Known {
    count: usize,
    worst: Option<Severity>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FindingKey {
    path: String,
    rule: String,
    fingerprint: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    findings: Vec<WrittenFinding>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFinding {
    path: String,
    rule: String,
    fingerprint: String,
    count: usize,
}

impl Baseline {
    /// Reads a baseline. The error says what is wrong with the file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = read_text(path)
            .and_then(|text| text.ok_or_else(|| Failure::new("there is no such file")))
            .map_err(|why| why.at(format!("cannot read the baseline {}", path.display())))?;
        Self::parse(path, &text)
    }

    /// Like [`Self::read`], with the text of the file.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, Failure> {
        let written: Written = serde_json::from_str(text)
            .map_err(|e| format!("the baseline {} cannot be used: {e}", path.display()))?;
        if written.version != 1 {
            return Err(Failure::new(format!(
                "the baseline {} has version {}, but exitpath knows only version 1",
                path.display(),
                written.version
            )));
        }
        let known = written.findings.into_iter().map(|finding| {
            let WrittenFinding { path, rule, fingerprint, count } = finding;
            (FindingKey { path, rule, fingerprint }, Known { count, worst: None })
        });
        Ok(Self(known.collect()))
    }

    /// How many more findings another baseline hides than this one.
    pub(crate) fn newly_hidden(&self, after: &Self) -> usize {
        let known = |finding| self.0.get(finding).map_or(0, |known| known.count);
        after.0.iter().map(|(finding, after)| after.count.saturating_sub(known(finding))).sum()
    }

    pub fn of(sources: &Sources, findings: &[Finding]) -> Self {
        let mut known: BTreeMap<FindingKey, Known> = BTreeMap::new();
        for finding in findings {
            let one = known.entry(key(sources, finding)).or_default();
            one.count += 1;
            one.worst = one.worst.max(Some(finding.severity));
        }
        Self(known)
    }

    /// Follows the renames of files.
    pub(super) fn renamed(self, renames: &Renames) -> Self {
        let moved = |mut known: FindingKey| {
            known.path = renames.path_after(&known.path).to_owned();
            known
        };
        let mut known: BTreeMap<FindingKey, Known> = BTreeMap::new();
        for (finding, one) in self.0 {
            let merged = known.entry(moved(finding)).or_default();
            merged.count += one.count;
            merged.worst = merged.worst.max(one.worst);
        }
        Self(known)
    }

    pub fn to_json(&self) -> String {
        let findings = self.0.iter().map(|(known, Known { count, .. })| WrittenFinding {
            path: known.path.clone(),
            rule: known.rule.clone(),
            fingerprint: known.fingerprint.clone(),
            count: *count,
        });
        let written = Written { version: 1, findings: findings.collect() };
        let mut text = serde_json::to_string_pretty(&written).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Removes the known findings, and returns their number.
    pub(crate) fn remove_known(&self, sources: &Sources, findings: &mut Vec<Finding>) -> usize {
        if self.0.is_empty() {
            return 0;
        }
        let mut remaining = self.0.clone();
        let before = findings.len();
        findings.retain(|finding| match remaining.get_mut(&key(sources, finding)) {
            // A finding whose severity got worse is new.
            Some(known)
                if known.count > 0 && known.worst.is_none_or(|worst| finding.severity <= worst) =>
            {
                known.count -= 1;
                false
            }
            _ => true,
        });
        before - findings.len()
    }
}

fn key(sources: &Sources, finding: &Finding) -> FindingKey {
    FindingKey {
        path: if finding.is_grouped {
            String::new()
        } else {
            path_of(sources, &finding.place).to_owned()
        },
        rule: finding.rule.name.to_owned(),
        fingerprint: fingerprint(sources, finding),
    }
}

/// A hash that changes only if the subject of the finding changes.
pub(crate) fn fingerprint(sources: &Sources, finding: &Finding) -> String {
    let text = match (&finding.about, &finding.place) {
        (Some(about), _) => about,
        (None, Place::Text(span)) => sources.slice(*span),
        (None, Place::File(_) | Place::Absent(_)) => &finding.message,
    };
    format!("{:016x}", fnv_hash(text.as_bytes()))
}
