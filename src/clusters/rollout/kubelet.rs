//! How old kubelets may be: the rule behind the condition `KubeletMinorVersionUpgradeable` of
//! kube-apiserver.

use crate::domain::Minor;

/// The last minor version of OpenShift 4. It is the same release as the first minor version of
/// OpenShift 5.
const LAST_OF_4: u64 = 23;

/// How many minor versions older than the API server kubelets may be.
pub(crate) fn supported_skew(minor: Minor) -> u64 {
    match minor.major {
        ..=4 if minor.minor.is_multiple_of(2) => 2,
        ..=4 => 1,
        _ => 1 + minor.minor % 3,
    }
}

/// How many minor versions one is after another. 4.23 and 5.0 count as one release.
fn distance(from: Minor, to: Minor) -> u64 {
    let place = |minor: Minor| minor.major.saturating_sub(4) * LAST_OF_4 + minor.minor;
    place(to).saturating_sub(place(from))
}

/// The most minor versions that paused nodes skip. Nobody tests larger steps.
const MOST_PAUSED: u64 = 2;

/// Whether nodes of a minor version can stay there while the control plane is updated to another.
pub(crate) fn can_stay(nodes: Minor, control_plane: Minor) -> bool {
    distance(nodes, control_plane) <= supported_skew(control_plane).min(MOST_PAUSED)
}

/// For each update of a path, whether paused nodes must be updated after it: before an update for
/// which they would be too old, and after the last update. `minors` are the minor versions before,
/// between, and after the updates.
pub(crate) fn ends_of_pauses(minors: &[Minor]) -> Vec<bool> {
    let Some(mut nodes) = minors.first().copied() else { return Vec::new() };
    let after = minors.get(1..).unwrap_or_default();
    let ends = after.iter().enumerate().map(|(at, minor)| {
        let next = after.get(at + 1);
        let is_end = next.is_none_or(|next| !can_stay(nodes, *next));
        if is_end {
            nodes = *minor;
        }
        is_end
    });
    ends.collect()
}

#[cfg(test)]
mod tests {
    use super::{can_stay, ends_of_pauses, supported_skew};
    use crate::domain::Minor;

    fn minor(text: &str) -> Minor {
        Minor::parse(text).unwrap_or(Minor { major: 0, minor: 0 })
    }

    /// The numbers are those of the operator's function
    /// `minSupportedKubeletSkewForOpenShiftVersion`.
    #[test]
    fn the_skew_is_that_of_kube_apiserver() {
        let skews = [
            ("4.8", 2),
            ("4.9", 1),
            ("4.22", 2),
            ("4.23", 1),
            ("4.24", 2),
            ("5.0", 1),
            ("5.1", 2),
            ("5.2", 3),
            ("5.3", 1),
        ];
        for (version, skew) in skews {
            assert_eq!(supported_skew(minor(version)), skew, "{version}");
        }
    }

    /// `KubeletMinorVersionUnsupportedNextUpgrade`: if the control plane has an even version,
    /// kubelets that are one version older prevent the next update.
    #[test]
    fn nodes_stay_for_two_minor_versions_at_most() {
        assert!(can_stay(minor("4.16"), minor("4.17")) && can_stay(minor("4.16"), minor("4.18")));
        assert!(!can_stay(minor("4.16"), minor("4.19")) && !can_stay(minor("4.17"), minor("4.19")));
        assert!(can_stay(minor("4.22"), minor("5.0")) && can_stay(minor("4.22"), minor("5.1")));
        assert!(!can_stay(minor("4.21"), minor("5.0")) && !can_stay(minor("4.22"), minor("5.2")));
        assert!(can_stay(minor("4.23"), minor("5.0")) && can_stay(minor("5.0"), minor("4.23")));
    }

    #[test]
    fn pauses_end_before_nodes_are_too_old() {
        let ends = |path: &[&str]| {
            let minors: Vec<Minor> = path.iter().map(|text| minor(text)).collect();
            ends_of_pauses(&minors)
        };
        assert_eq!(ends(&["4.16", "4.17", "4.18", "4.19", "4.20"]), [false, true, false, true]);
        assert_eq!(ends(&["4.13", "4.14", "4.15"]), [true, true]);
        assert_eq!(ends(&["4.16", "4.16", "4.17", "4.18", "4.18"]), [false, false, false, true]);
        assert_eq!(ends(&["4.22", "5.0", "5.1", "5.2"]), [false, true, true]);
        assert_eq!(ends(&["4.18"]), [] as [bool; 0]);
    }
}
