//! The real repository, where it is at hand: `EXITPATH_REAL_DATA` names a folder
//! with `graph-data.bundle` (its history) and `mistakes.jsonl` (real mistakes in
//! that history, each with the commit that has it and the one that repairs it).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use crate::exitpath;

/// A clone of the data's history, made once; none where the data is not at hand.
fn history() -> Option<&'static Path> {
    static CLONE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let clone = CLONE.get_or_init(|| {
        let bundle = data("graph-data.bundle")?;
        let clone = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graph-data.git");
        let _ = fs::remove_dir_all(&clone);
        let git =
            Command::new("git").args(["clone", "-q", "--bare"]).args([&bundle, &clone]).status();
        assert!(git.unwrap().success());
        Some(clone)
    });
    if clone.is_none() {
        eprintln!("skipped: EXITPATH_REAL_DATA names no folder with the real data");
    }
    clone.as_deref()
}

fn data(file: &str) -> Option<PathBuf> {
    let path = PathBuf::from(std::env::var_os("EXITPATH_REAL_DATA")?).join(file);
    path.exists().then_some(path)
}

fn findings(history: &Path, revision: &str) -> Vec<Value> {
    let run = exitpath([
        "check",
        "--repo",
        history.to_str().unwrap(),
        "--rev",
        revision,
        "--format",
        "json",
    ]);
    let report: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{revision}: {e}: {}", run.err));
    report["findings"].as_array().unwrap().clone()
}

fn text<'v>(finding: &'v Value, key: &str) -> &'v str {
    finding[key].as_str().unwrap_or_default()
}

/// Every finding on the newest revision, looked at by hand.
#[test]
fn the_newest_revision_has_just_what_is_known_to_be_wrong_with_it() {
    let Some(history) = history() else { return };
    let found: Vec<(String, String)> = findings(history, "master")
        .iter()
        .map(|f| (text(f, "rule").to_owned(), text(f, "path").to_owned()))
        .collect();
    let expected = [
        // 42 files say `Image` in their names where the risk says `Images`.
        ("risk-file-name", "blocked-edges/4.11.0-AWSOldBootImageLackAfterburn.yaml"),
        // `verison`
        ("risk-file-name", "blocked-edges/4.11.0-fc.0-cluster-verison-precondition-check.yaml"),
        // Here and below: no `_id=""` in the whole query, so that a hosted control plane sees all clusters.
        (
            "no-cluster-id",
            "blocked-edges/4.11.51-incomptiable-python-update-breaking-baremetal-provisioning.yaml",
        ),
        ("no-cluster-id", "blocked-edges/4.12.18-MultiNetworkAttachmentsWhereaboutsVersion.yaml"),
        // `cluster_version` without `_id=""`, `apiserver_storage_objects` with it.
        ("mixed-cluster-id", "blocked-edges/4.12.41-OVNKubeMasterDSPrestop.yaml"),
        // `group(…)` without `by` under `topk by (_id)`, on the right of `* on (_id)`, where the
        // left side keeps `_id`: in a hosted control plane the two never match.
        ("dropped-label", "blocked-edges/4.12.48-NetPolicyTimeoutsHostNetworkedPodTraffic.yaml"),
        ("no-cluster-id", "blocked-edges/4.13.0-AcceleratedNetworkingRace.yaml"),
        ("no-cluster-id", "blocked-edges/4.13.0-PerformanceProfilesCPUQuota.yaml"),
        ("no-cluster-id", "blocked-edges/4.13.9-AWSMintModeWithoutCredentials.yaml"),
        ("no-cluster-id", "blocked-edges/4.14.0-ConsoleImplicitlyEnabled.yaml"),
        ("no-cluster-id", "blocked-edges/4.15.0-rc.0-GCPMintModeRoleAdmin.yaml"),
        // `group by (name)` over seven operators, of which one cluster may run two: two samples.
        ("several-answers", "blocked-edges/4.16.58-DTK_4_16_58_KernelMismatch.yaml"),
        ("no-cluster-id", "blocked-edges/4.17.11-MCOContainerRuntimeConfigStaleFinalizer.yaml"),
        ("no-cluster-id", "blocked-edges/4.17.29-ConsoleEnabledTargetDownAlert.yaml"),
        // `type="AWS|GCP"` with `=`: the risk has never applied to any cluster.
        (
            "regex-as-text",
            "blocked-edges/4.19.0-InvalidArchitectureValueOfMachinesetsAnnotation.yaml",
        ),
        ("no-cluster-id", "blocked-edges/4.19.0-VSphereStorageMountIssues.yaml"),
        ("no-cluster-id", "blocked-edges/4.7.4-auth-connection-leak.yaml"),
        // 5.0.0-ec.0 is listed at lines 1752 and 1757.
        ("repeated-version", "internal-channels/candidate.yaml"),
    ];
    let expected: Vec<_> = expected.map(|(rule, path)| (rule.to_owned(), path.to_owned())).into();
    assert_eq!(found, expected);
}

/// The mistakes that structure or a query alone shows, by the class that the list gives them.
const VISIBLE: &[(&str, &str)] = &[
    ("channel-bad-version", "unusual-prerelease"),
    ("channel-duplicate", "repeated-version"),
    ("channel-yaml-key", "unknown-key"),
    ("filename-extension", "risk-file-name"),
    ("filename-vs-name", "risk-file-name"),
    ("promql-label-regex", "image-regex-without-path"),
    ("promql-many-series", "several-answers"),
    ("promql-missing-id", "no-cluster-id"),
    ("promql-wrong-label", "unknown-label"),
    ("schema-mixed-block-and-risk-keys", "neither-block-nor-risk"),
    ("schema-unknown-rule-type", "unknown-rule-type"),
    ("url-wrong", "vague-url"),
    ("yaml-conflict-markers", "merge-conflict"),
];

#[test]
fn real_mistakes_are_found_where_they_were_and_gone_where_they_were_repaired() {
    let (Some(history), Some(list)) = (history(), data("mistakes.jsonl")) else { return };
    let mut held = BTreeSet::new();
    for line in fs::read_to_string(list).unwrap().lines() {
        let mistake: Value = serde_json::from_str(line).unwrap();
        let class = text(&mistake, "class");
        let Some((class, rule)) = VISIBLE.iter().find(|(known, _)| *known == class) else {
            continue;
        };
        let paths: Vec<&str> =
            mistake["paths"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let told = |revision: &str| {
            let here = |f: &&Value| {
                let related = f["related"].as_array().unwrap();
                text(f, "rule") == *rule
                    && (paths.contains(&text(f, "path"))
                        || related.iter().any(|r| paths.contains(&text(r, "path"))))
            };
            findings(history, revision).iter().filter(here).count()
        };
        assert!(told(text(&mistake, "bad")) > 0, "{}: not found", text(&mistake, "id"));
        assert_eq!(told(text(&mistake, "fixed")), 0, "{}: still found", text(&mistake, "id"));
        held.insert(*class);
    }
    assert_eq!(held.len(), VISIBLE.len(), "the list has no mistake of some class: {held:?}");
}

/// Revisions from all of the history: what is called an error there was one.
#[test]
fn errors_in_the_history_are_true_ones() {
    let Some(history) = history() else { return };
    // Looked at by hand, each: a copy that kept its `to`, a block with `fixedIn`, the first
    // weeks, when the repository was not yet what it is, a channel of releases never published,
    // and a query with `type="AWS|GCP"`.
    let known = [
        ("duplicate-risk", "blocked-edges/4.12."),
        ("neither-block-nor-risk", "blocked-edges/4.14.0.yaml"),
        ("missing-part", "blocked-edges"),
        ("missing-part", "raw/metadata.json"),
        ("missing-part", "version"),
        ("regex-as-text", "blocked-edges/4.19."),
    ];
    let git = Command::new("git")
        .arg("-C")
        .arg(history)
        .args(["rev-list", "--first-parent", "master"])
        .output();
    let revisions = String::from_utf8(git.unwrap().stdout).unwrap();
    for revision in revisions.lines().step_by(150) {
        for finding in findings(history, revision) {
            let is_known = known.iter().any(|(rule, path)| {
                text(&finding, "rule") == *rule && text(&finding, "path").starts_with(path)
            });
            assert!(is_known || text(&finding, "severity") != "error", "{revision}: {finding:#}");
        }
    }
}
