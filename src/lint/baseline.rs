//! Findings that a repository has agreed to live with.
//!
//! A finding is known by its rule, its file and a fingerprint of the text it
//! stands on, counted: lines may come and go around it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::rules::{Finding, Place};
use crate::text::Sources;
use crate::tree::read_text;

use super::path_of;

/// The known findings, and how often each stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<Known, usize>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
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
    /// Reads a baseline file; the error says what is wrong with it.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = read_text(path)
            .and_then(|text| text.ok_or_else(|| "there is no such file".to_owned()))
            .map_err(|why| format!("cannot read the baseline {}: {why}", path.display()))?;
        let written: Written = serde_json::from_str(&text)
            .map_err(|e| format!("the baseline {} cannot be used: {e}", path.display()))?;
        if written.version != 1 {
            return Err(format!(
                "the baseline {} has version {}, and 1 is known",
                path.display(),
                written.version
            ));
        }
        let known = written.findings.into_iter().map(|finding| {
            let WrittenFinding { path, rule, fingerprint, count } = finding;
            (Known { path, rule, fingerprint }, count)
        });
        Ok(Self(known.collect()))
    }

    /// The baseline that knows all of `findings`.
    #[must_use]
    pub fn of(sources: &Sources, findings: &[Finding]) -> Self {
        let mut known = BTreeMap::new();
        for finding in findings {
            *known.entry(key(sources, finding)).or_default() += 1;
        }
        Self(known)
    }

    /// The same findings, in files that have other names by now.
    #[must_use]
    pub(super) fn renamed(self, renames: &BTreeMap<String, String>) -> Self {
        let moved = |mut known: Known| {
            if let Some(path) = renames.get(&known.path) {
                known.path.clone_from(path);
            }
            known
        };
        let mut known = BTreeMap::new();
        for (finding, count) in self.0 {
            *known.entry(moved(finding)).or_default() += count;
        }
        Self(known)
    }

    /// The file's text.
    #[must_use]
    pub fn to_json(&self) -> String {
        let findings = self.0.iter().map(|(known, count)| WrittenFinding {
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

    /// Takes away the findings that are known, and counts them.
    pub(super) fn remove_known(&self, sources: &Sources, findings: &mut Vec<Finding>) -> usize {
        if self.0.is_empty() {
            return 0;
        }
        let mut left = self.0.clone();
        let before = findings.len();
        findings.retain(|finding| match left.get_mut(&key(sources, finding)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
        before - findings.len()
    }
}

fn key(sources: &Sources, finding: &Finding) -> Known {
    Known {
        path: path_of(sources, &finding.place).to_owned(),
        rule: finding.rule.name.to_owned(),
        fingerprint: fingerprint(sources, finding),
    }
}

/// A short text that stays the same as long as what the finding is about does.
#[must_use]
pub(crate) fn fingerprint(sources: &Sources, finding: &Finding) -> String {
    let text = match (&finding.about, &finding.place) {
        (Some(about), _) => about,
        (None, Place::Text(span)) => sources.slice(*span),
        (None, Place::File(_) | Place::Absent(_)) => &finding.message,
    };
    // FNV-1a: stable for ever, which the standard library's hashers do not promise to be.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
