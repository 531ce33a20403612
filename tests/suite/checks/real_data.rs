//! The real repository, if it is available: `EXITPATH_REAL_DATA` names a folder
//! with `graph-data.bundle` (its history) and `mistakes.jsonl` (real mistakes in
//! that history, each with the commit that has it and the one that repairs it).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;

use crate::exitpath;
pub(crate) use crate::shared::real_data as data;

/// A clone of the data's history, made once. Without the data, the running test is skipped.
pub(crate) fn history() -> Option<&'static Path> {
    data("graph-data.bundle").map(|bundle| clone_of(&bundle))
}

/// The same, for tests that also have other data.
pub(crate) fn history_if_any() -> Option<&'static Path> {
    std::env::var_os("EXITPATH_REAL_DATA").and_then(|_| history())
}

fn clone_of(bundle: &Path) -> &'static Path {
    static CLONE: OnceLock<PathBuf> = OnceLock::new();
    CLONE.get_or_init(|| {
        let clone = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graph-data");
        let _ = fs::remove_dir_all(&clone);
        let git = crate::shared::scratch::git_command()
            .args(["clone", "-q", "--no-checkout"])
            .args([bundle, &clone])
            .status();
        assert!(git.unwrap().success());
        clone
    })
}

fn findings(history: &Path, revision: &str, base: Option<&str>) -> Vec<Value> {
    let repository = history.to_str().unwrap();
    let arguments = ["check", "--repo", repository, "--rev", revision, "--format", "json"];
    let base = base.iter().flat_map(|base| ["--base", base]);
    let run = exitpath(arguments.into_iter().chain(base));
    let report: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{revision}: {e}: {}", run.err));
    report["findings"].as_array().unwrap().clone()
}

fn text<'v>(finding: &'v Value, key: &str) -> &'v str {
    finding[key].as_str().unwrap_or_default()
}

/// Every finding on the newest revision. A person has verified each; comments say why it is right.
const KNOWN_FINDINGS: &[(&str, &str, &[&str])] = &[
    // 5.0.0-ec.0 is listed at lines 1752 and 1757.
    ("info", "repeated-version", &["internal-channels/candidate.yaml"]),
    // The same, on pre-releases that later patches do not lead to.
    (
        "info",
        "from-inside-version",
        &[
            "blocked-edges/4.15.0-rc.0-EtcdBackupMountPointStuck.yaml",
            "blocked-edges/4.19.0-ec.1-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
        ],
    ),
    // The targets' images list later releases only: the risk stops nothing.
    (
        "info",
        "from-never-applies",
        &[
            "blocked-edges/4.15.0-CephCapDropPanic.yaml",
            "blocked-edges/4.17.2-OVNLocalnetWithNoSubnets.yaml",
            "blocked-edges/4.19.0-ConsoleEnabledTargetDownAlert.yaml",
        ],
    ),
    // Unanchored, and without `[+]` behind the last digit: `17[.]([0-9]|1[01])` is found in 4.17.12 to
    // 4.17.56, and clusters there see a risk that they do not have.
    (
        "warning",
        "from-inside-version",
        &[
            "blocked-edges/4.15.45-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
            "blocked-edges/4.16.31-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
            "blocked-edges/4.17.12-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
            "blocked-edges/4.18.1-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
        ],
    ),
    // `50]`: clusters on 4.12.50 are offered the update without the risk.
    (
        "warning",
        "from-idle-branch",
        &[
            "blocked-edges/4.12.51-HighNodeStatusReportFrequency.yaml",
            "blocked-edges/4.13.33-HighNodeStatusReportFrequency.yaml",
        ],
    ),
    // Three files for releases that were never published.
    (
        "info",
        "unserved-target",
        &[
            "blocked-edges/4.14.47-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
            "blocked-edges/4.16.31-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
            "blocked-edges/4.18.0-KubeletStartFailingFromRestoreconTimeout.yaml",
        ],
    ),
    // Blocks and risks that hold clusters on one bad release back from the next, equally bad.
    (
        "info",
        "from-names-target",
        &[
            "blocked-edges/4.10.15-release-data-with-hyphen-prefix.yaml",
            "blocked-edges/4.11.27-leaked-machineconfig.yaml",
            "blocked-edges/4.11.52-incomptiable-python-update-breaking-baremetal-provisioning.yaml",
            "blocked-edges/4.11.7-ovn-namespace.yaml",
            "blocked-edges/4.12.12-PatchesOlderRelease.yaml",
            "blocked-edges/4.12.19-DualStackNeedsController.yaml",
            "blocked-edges/4.12.19-MultiNetworkAttachmentsWhereaboutsVersion.yaml",
            "blocked-edges/4.12.2-OVNCrashOnMigratedDualStack.yaml",
            "blocked-edges/4.12.49-RHELKernelHighLoadIOWait.yaml",
            "blocked-edges/4.13.0-ec.2-ConsoleAvailableUpdatesNull.yaml",
            "blocked-edges/4.13.26-AROBrokenDNSMasq.yaml",
            "blocked-edges/4.14.0-ARODNSWrongBootSequence.yaml",
            "blocked-edges/4.14.0-ec.1-PreRelease.yaml",
            "blocked-edges/4.14.0-rc.4-NetworkNodeIdentityWebhookUserConflict.yaml",
            "blocked-edges/4.14.30-OpenStackAvailabilityZoneOutOfRange.yaml",
            "blocked-edges/4.14.49-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
            "blocked-edges/4.15.0-AWSCustomDomainNodesNotReady.yaml",
            "blocked-edges/4.15.45-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
            "blocked-edges/4.16.0-rc.4-TechPreviewSignatureStoresInDefault.yaml",
            "blocked-edges/4.16.32-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
            "blocked-edges/4.17.12-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
            "blocked-edges/4.17.17-HostedClusterIsProgressingStuckCondition.yaml",
            "blocked-edges/4.17.44-RuncShareProcessNamespace.yaml",
            "blocked-edges/4.18.1-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
            "blocked-edges/4.18.11-MetallbBgpBfdFrrRpm.yaml",
            "blocked-edges/4.18.2-CRIOLayerCompressionPulls.yaml",
            "blocked-edges/4.18.23-CrunConflictsWithNVIDIA.yaml",
            "blocked-edges/4.19.13-MachineConfigNodesV1AlphaControlPlaneLabels.yaml",
            "blocked-edges/4.19.13-OSUpdateFailureDueToImagePullPolicy.yaml",
            "blocked-edges/4.19.28-PrecisionTimeProtocolDPLLPins.yaml",
            "blocked-edges/4.2.23.yaml",
            "blocked-edges/4.20.24-ControlPlaneStatusGreyIcon.yaml",
            "blocked-edges/4.3.1.yaml",
            "blocked-edges/4.5.2.yaml",
            "blocked-edges/4.6.23.yaml",
            "blocked-edges/4.6.7.yaml",
            "blocked-edges/4.7.15.yaml",
            "blocked-edges/4.9.39.yaml",
        ],
    ),
    // 42 files say `Image` where the risk says `Images`; `verison`.
    (
        "info",
        "risk-file-name",
        &[
            "blocked-edges/4.11.0-AWSOldBootImageLackAfterburn.yaml",
            "blocked-edges/4.11.0-fc.0-cluster-verison-precondition-check.yaml",
        ],
    ),
    // etcd 3.5.26 is meant.
    ("warning", "message-version", &["blocked-edges/4.21.0-EtcdStorageVersion3Migration.yaml"]),
    // Old risks that end without `fixedIn`, most of them from before there was one.
    (
        "info",
        "risk-not-extended",
        &[
            "blocked-edges/4.10.16-parallel-ceph_fsync.yaml",
            "blocked-edges/4.10.18-release-data-with-hyphen-prefix.yaml",
            "blocked-edges/4.10.38-node-creation-fails.yaml",
            "blocked-edges/4.11.0-fc.0-cluster-verison-precondition-check.yaml",
            "blocked-edges/4.11.1-rpm-ostree-timeout.yaml",
            "blocked-edges/4.11.2-PodmanTermStorageCorruption.yaml",
            "blocked-edges/4.11.3-stale-selinux-policies.yaml",
            "blocked-edges/4.11.4-stale-insights-run-level-label.yaml",
            "blocked-edges/4.11.9-ovn-namespace.yaml",
            "blocked-edges/4.12.51-AMD19hFirmware.yaml",
            "blocked-edges/4.13.50-ARODNSWrongBootSequence.yaml",
            "blocked-edges/4.14.37-ARODNSWrongBootSequence.yaml",
            "blocked-edges/4.7.4-auth-connection-leak.yaml",
            "blocked-edges/4.7.4-vsphere-hw-17-cross-node-networking.yaml",
            "blocked-edges/4.7.4-zz-vsphere-hostnames-changing.yaml",
        ],
    ),
    // 4.14.67 and 4.19.8 are tombstones.
    (
        "info",
        "fixed-in-unserved",
        &[
            "blocked-edges/4.14.66-MultusUpgradeBlocked.yaml",
            "blocked-edges/4.19.7-AROMissingInternalLBSAN.yaml",
        ],
    ),
    // `^4[.]16[.]0.*` for five targets and `^4[.]16[.].*` for three; `ec.3` has a line of its own.
    (
        "info",
        "from-disagrees",
        &[
            "blocked-edges/4.17.0-OVNLocalnetWithNoSubnets.yaml",
            "blocked-edges/4.18.0-ec.3-CMOSuddenStrictConfigValidation.yaml",
        ],
    ),
    // 4.8.6, and 4.7.10 to 4.7.20: tombstones that were promoted with whole lists, in 2021.
    (
        "info",
        "ahead-of-feeder",
        &["channels/candidate-4.8.yaml", "channels/fast-4.8.yaml", "channels/stable-4.8.yaml"],
    ),
    // 4.2.14 for amd64 in fast, for all in candidate.
    ("info", "mixed-architecture", &["channels/fast-4.2.yaml"]),
    // 4.13.56 and 4.13.57 are in stable-4.14 and not in stable-4.13, since 2025.
    ("info", "missing-from-own-minor", &["channels/stable-4.14.yaml"]),
    // A line or two out of place in files that are in order.
    (
        "info",
        "unsorted-channel",
        &[
            "channels/candidate-4.2.yaml",
            "channels/fast-4.15.yaml",
            "channels/fast-4.2.yaml",
            "channels/stable-4.2.yaml",
        ],
    ),
    // `minor_min: 4.22.0-rc.0`, and 4.22 has been available for weeks.
    ("warning", "suggestions-stale-floor", &["build-suggestions/5.0.yaml"]),
    // `type="AWS|GCP"` with `=`: the risk has never applied to any cluster.
    (
        "error",
        "regex-as-text",
        &["blocked-edges/4.19.0-InvalidArchitectureValueOfMachinesetsAnnotation.yaml"],
    ),
    // Every fallback rests on a metric that few clusters lack: the risk is Unknown there.
    (
        "warning",
        "no-answer",
        &[
            "blocked-edges/4.12.18-MultiNetworkAttachmentsWhereaboutsVersion.yaml",
            "blocked-edges/4.14.15-AzureRegistryImageMigrationUserProvisioned.yaml",
            "blocked-edges/4.14.34-SRIOVFailedToConfigureVF.yaml",
            "blocked-edges/4.18.1-OVNEgressIPFailure.yaml",
            "blocked-edges/4.18.10-MetallbBgpBfdFrrRpm.yaml",
            "blocked-edges/4.19.0-NoCloudConfConfigMap.yaml",
            "blocked-edges/4.19.13-NetworkManagerOVNBridgeMapping.yaml",
        ],
    ),
    // Targets that are not supported any more, and updates from before a capability.
    (
        "info",
        "no-answer",
        &[
            "blocked-edges/4.11.0-KeepalivedMulticastSkew.yaml",
            "blocked-edges/4.14.0-AzureRegistryImagePreservation.yaml",
        ],
    ),
    // Tombstones that the channels serve without the risks of the release before.
    (
        "info",
        "risk-not-extended",
        &["channels/candidate-4.11.yaml", "channels/candidate-4.15.yaml"],
    ),
    // While the operator is updated, there are two ClusterServiceVersions.
    (
        "info",
        "several-answers",
        &[
            "blocked-edges/4.17.0-OVNLocalnetWithNoSubnets.yaml",
            "blocked-edges/4.18.10-MetallbBgpBfdFrrRpm.yaml",
            "blocked-edges/4.18.22-CrunConflictsWithNVIDIA.yaml",
            "blocked-edges/4.19.13-NetworkManagerOVNBridgeMapping.yaml",
            "blocked-edges/4.19.27-PrecisionTimeProtocolDPLLPins.yaml",
        ],
    ),
    // `group(csv_succeeded{_id=""})`: packageserver is there wherever OLM runs.
    ("warning", "never-unaffected", &["blocked-edges/4.15.0-OLMOperatorsInFailedState.yaml"]),
    // So the other side is not needed; and every cluster has `cluster_installer`, and a master.
    (
        "info",
        "unreachable-arm",
        &[
            "blocked-edges/4.14.0-rc.3-NetworkNodeIdentityWebhookUserConflict.yaml",
            "blocked-edges/4.15.0-OLMOperatorsInFailedState.yaml",
            "blocked-edges/4.19.12-MachineConfigNodesV1AlphaControlPlaneLabels.yaml",
        ],
    ),
    // `-1 * …`, on purpose.
    (
        "info",
        "answer-not-0-or-1",
        &[
            "blocked-edges/4.14.0-OVNInterConnectTransitionIPsec.yaml",
            "blocked-edges/4.14.40-OVNlibreswan.yaml",
        ],
    ),
    // `group(…)` without `by` under `topk by (_id)`, on the right of `* on (_id)`, where the left
    // side keeps `_id`: in a hosted control plane the two never match.
    (
        "warning",
        "dropped-label",
        &["blocked-edges/4.12.48-NetPolicyTimeoutsHostNetworkedPodTraffic.yaml"],
    ),
    // `group by (name)` over seven operators, of which one cluster may run two: two samples.
    ("warning", "several-answers", &["blocked-edges/4.16.58-DTK_4_16_58_KernelMismatch.yaml"]),
    // No `_id=""` in the whole query: a hosted control plane sees all clusters.
    (
        "info",
        "no-cluster-id",
        &[
            "blocked-edges/4.11.51-incomptiable-python-update-breaking-baremetal-provisioning.yaml",
            "blocked-edges/4.12.18-MultiNetworkAttachmentsWhereaboutsVersion.yaml",
            "blocked-edges/4.13.0-AcceleratedNetworkingRace.yaml",
            "blocked-edges/4.13.0-PerformanceProfilesCPUQuota.yaml",
            "blocked-edges/4.13.9-AWSMintModeWithoutCredentials.yaml",
            "blocked-edges/4.14.0-ConsoleImplicitlyEnabled.yaml",
            "blocked-edges/4.15.0-rc.0-GCPMintModeRoleAdmin.yaml",
            "blocked-edges/4.17.11-MCOContainerRuntimeConfigStaleFinalizer.yaml",
            "blocked-edges/4.17.29-ConsoleEnabledTargetDownAlert.yaml",
            "blocked-edges/4.19.0-VSphereStorageMountIssues.yaml",
            "blocked-edges/4.7.4-auth-connection-leak.yaml",
        ],
    ),
    // `cluster_version` without `_id=""`, `apiserver_storage_objects` with it.
    ("warning", "mixed-cluster-id", &["blocked-edges/4.12.41-OVNKubeMasterDSPrestop.yaml"]),
    // `4.16.` next to `[.]` in the same pattern.
    (
        "info",
        "from-unescaped-dot",
        &[
            "blocked-edges/4.18.1-LabeledMachineConfigAndContainerRuntimeConfigBlocksMCO.yaml",
            "blocked-edges/4.19.0-HCPMetallbCNOCannotDeployFRRK8S.yaml",
            "blocked-edges/4.19.0-HCPServiceHealthCheckDisruption.yaml",
        ],
    ),
    // OCPBUGS issues. The other risks have an issue for the impact statement.
    (
        "info",
        "bug-as-url",
        &[
            "blocked-edges/4.10.38-node-creation-fails.yaml",
            "blocked-edges/4.11.0-fc.0-stale-insights-run-level-label.yaml",
            "blocked-edges/4.11.0-fc.0-stale-selinux-policies.yaml",
            "blocked-edges/4.11.2-PodmanTermStorageCorruption.yaml",
            "blocked-edges/4.11.6-ovn-namespace.yaml",
            "blocked-edges/4.14.65-MultusUpgradeBlocked.yaml",
            "blocked-edges/4.16.58-DTK_4_16_58_KernelMismatch.yaml",
            "blocked-edges/4.18.0-ec.3-CMOSuddenStrictConfigValidation.yaml",
        ],
    ),
    // The release candidates of other minors say `fixedIn`.
    (
        "info",
        "prerelease-risk-without-fix",
        &[
            "blocked-edges/4.14.0-rc.7-PreRelease.yaml",
            "blocked-edges/4.15.0-rc.8-PreRelease.yaml",
            "blocked-edges/4.17.0-rc.6-PreRelease.yaml",
            "blocked-edges/4.19.0-rc.5-PreRelease.yaml",
        ],
    ),
    // Edited by hand.
    (
        "info",
        "no-final-line-break",
        &[
            "blocked-edges/4.18.22-CrunConflictsWithNVIDIA.yaml",
            "blocked-edges/4.18.23-CrunConflictsWithNVIDIA.yaml",
            "internal-channels/candidate.yaml",
        ],
    ),
    // `the the whereabouts shim`.
    (
        "warning",
        "doubled-word",
        &["blocked-edges/4.18.1-WhereaboutsControllerCreateContainerError.yaml"],
    ),
    // `kublet` and `KubletConfigs`.
    (
        "warning",
        "misspelled-word",
        &[
            "blocked-edges/4.11.0-MachineConfigRenderingChurn.yaml",
            "blocked-edges/4.13.46-AzureSystemDLooping.yaml",
        ],
    ),
    // `Upgrade to 4.19 will complete due to an absent cloud-conf ConfigMap`: a `not` is missing.
    ("warning", "reassuring-message", &["blocked-edges/4.19.0-NoCloudConfConfigMap.yaml"]),
];

#[test]
fn the_newest_revision_has_exactly_the_known_findings() {
    let Some(history) = history() else { return };
    let found = findings(history, "master", None);
    let found: BTreeSet<_> =
        found.iter().map(|f| (text(f, "severity"), text(f, "rule"), text(f, "path"))).collect();
    let expected = KNOWN_FINDINGS
        .iter()
        .flat_map(|(severity, rule, paths)| paths.iter().map(|path| (*severity, *rule, *path)));
    assert_eq!(found, expected.collect());
}

/// The rules for each class of mistakes in the list.
const ABOUT: &[(&str, &[&str])] = &[
    ("build-suggestions-stale-floor", &["suggestions-stale-floor"]),
    ("channel-bad-version", &["unusual-prerelease"]),
    ("channel-duplicate", &["repeated-version"]),
    ("channel-filter", &["filter-unlike-siblings"]),
    ("channel-missing-promotion", &["passed-over"]),
    ("channel-not-in-feeder", &["ahead-of-feeder", "missing-from-own-minor"]),
    ("channel-unsorted", &["unsorted-channel"]),
    ("channel-version-removed", &["removed-version"]),
    ("channel-wrong-arch", &["mixed-architecture"]),
    ("channel-yaml-key", &["unknown-key"]),
    ("filename-extension", &["risk-file-name"]),
    ("filename-vs-name", &["risk-file-name"]),
    ("fixedIn-missing", &["risk-not-extended"]),
    ("from-missing-anchor", &["from-inside-version"]),
    ("from-missing-arch-suffix", &["from-idle-branch"]),
    ("from-regex-typo", &["from-matches-nothing", "from-idle-branch"]),
    ("from-too-broad", &["from-names-target", "from-disagrees"]),
    ("message-wrong", &["message-version"]),
    ("promql-label-regex", &["image-regex-without-path"]),
    ("promql-many-series", &["several-answers"]),
    ("promql-missing-id", &["no-cluster-id"]),
    ("promql-wrong-label", &["unknown-label"]),
    ("risk-diverges", &["risk-disagrees", "auto-extend-missing"]),
    ("risk-not-extended", &["risk-not-extended"]),
    ("schema-mixed-block-and-risk-keys", &["neither-block-nor-risk"]),
    ("schema-unknown-rule-type", &["unknown-rule-type"]),
    ("unconditional-vs-conditional", &["block-beside-risk"]),
    ("url-wrong", &["vague-url"]),
    ("yaml-conflict-markers", &["merge-conflict"]),
];

/// A rule for the class of each mistake reports it in the revision that has it, and not in the
/// revision that repairs it.
#[test]
fn real_mistakes_have_findings_until_they_are_repaired() {
    let Some(history) = history() else { return };
    let Some(list) = data("mistakes.jsonl") else { return };
    let (mut missed, mut held) = (Vec::new(), BTreeSet::new());
    for line in fs::read_to_string(list).unwrap().lines() {
        let mistake: Value = serde_json::from_str(line).unwrap();
        let (class, bad) = (text(&mistake, "class"), text(&mistake, "bad"));
        let about = ABOUT.iter().find(|(known, _)| *known == class);
        let Some((class, rules)) = about else { panic!("a new class: {class}") };
        let paths: Vec<&str> =
            mistake["paths"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let found = |revision: &str, base: Option<&str>| -> BTreeSet<(String, String)> {
            let found = findings(history, revision, base);
            let here = found.iter().filter(|f| rules.contains(&text(f, "rule")));
            let here = here.filter(|f| is_about(f, &paths));
            here.map(|f| (text(f, "path").to_owned(), text(f, "message").to_owned())).collect()
        };
        // Only the change that removes something can show that it is missing.
        let before = format!("{bad}^");
        let base = class.ends_with("-removed").then_some(before.as_str());
        let (wrong, repaired) = (found(bad, base), found(text(&mistake, "fixed"), None));
        if wrong.is_subset(&repaired) {
            missed.push(text(&mistake, "id").to_owned());
        }
        held.insert(*class);
    }
    assert_eq!(missed, Vec::<String>::new(), "missed");
    assert_eq!(held.len(), ABOUT.len(), "the list has no mistake of some class: {held:?}");
}

/// Whether a finding or one of its related places is in one of the files.
fn is_about(finding: &Value, paths: &[&str]) -> bool {
    let related = finding["related"].as_array().unwrap().iter();
    related.chain([finding]).any(|place| paths.contains(&text(place, "path")))
}

pub(crate) fn revisions(history: &Path, arguments: &[&str]) -> Vec<String> {
    let mut git = crate::shared::scratch::git_command();
    git.arg("-C").arg(history).args(["rev-list", "--first-parent"]).args(arguments).arg("master");
    let answer = git.output().unwrap();
    String::from_utf8(answer.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Revisions from the whole history.
#[test]
fn errors_in_the_history_are_real_mistakes() {
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
        ("never-affected", "blocked-edges/4.19."),
        // `type=~"VSphere|None"` without `group`: 0 on the platform None.
        ("wrong-value", "blocked-edges/4.7.4-vsphere-hw-17-"),
        ("wrong-value", "blocked-edges/4.12.0-OldBootImagesPodmanMissingAuthFlag.yaml"),
        // No answer without the NMState operator: repaired a month later.
        ("no-answer", "blocked-edges/4.19.13-NetworkManagerOVNBridgeMapping.yaml"),
        // Blocks of the newest releases, and releases promoted before the one that they lead to.
        ("stranded-release", "blocked-edges/"),
        ("stranded-release", "channels/"),
    ];
    // What the presubmit of today refuses, and earlier ones did not.
    let refused_today = ["risk-disagrees", "risk-file-name", "risk-name", "vague-url"];
    for revision in revisions(history, &[]).iter().step_by(150) {
        for finding in findings(history, revision, None) {
            if refused_today.contains(&text(&finding, "rule")) {
                continue;
            }
            let is_known = known.iter().any(|(rule, path)| {
                text(&finding, "rule") == *rule && text(&finding, "path").starts_with(path)
            });
            assert!(is_known || text(&finding, "severity") != "error", "{revision}: {finding:#}");
        }
    }
}

/// Ordinary merges from the whole history, mostly promotions and extensions.
#[test]
fn ordinary_merges_have_no_findings() {
    let Some(history) = history() else { return };
    // It promoted a release without a risk that was extended to it a few days later.
    let caught = "cf12546ca881";
    for merge in revisions(history, &["--merges"]).iter().step_by(400) {
        let before = format!("{merge}^1");
        let mut found = findings(history, merge, Some(&before));
        found.retain(|finding| text(finding, "severity") != "info");
        // Authors of new risks see which releases they strand. Promotions strand none.
        let is_of_a_risk = |finding: &Value| {
            text(finding, "rule") == "newly-stranded"
                && text(finding, "path").starts_with("blocked-edges/")
        };
        found.retain(|finding| !is_of_a_risk(finding));
        assert_eq!(found.is_empty(), !merge.starts_with(caught), "{merge}: {found:#?}");
    }
}
