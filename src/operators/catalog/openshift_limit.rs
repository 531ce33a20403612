//! `olm.maxOpenShiftVersion`: the last minor version of OpenShift that a bundle supports. OLM
//! blocks updates of a cluster to later minor versions, and never blocks patches.

use std::fmt;

use crate::domain::Minor;

use crate::go::semver::Version;

/// What OLM reads from the properties of a bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OpenShiftLimit {
    /// The bundle does not have the property.
    #[default]
    Absent,
    UpTo(Minor),
    /// OLM cannot read the property, and blocks every update to another minor version.
    Invalid(InvalidLimit),
}

/// Why OLM cannot read the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidLimit {
    Repeated,
    Empty,
    /// The value, as JSON, is not a minor version: for example a patch, a pre-release, or not a
    /// version.
    NotMinor(String),
    /// The annotation of the ClusterServiceVersion with the properties is not a list.
    Annotation,
}

impl OpenShiftLimit {
    /// Reads the values of all properties of this type. Each is JSON, as OLM sees it.
    pub fn of_values<'j>(values: impl IntoIterator<Item = &'j str>) -> Self {
        let mut values = values.into_iter();
        match (values.next(), values.next()) {
            (None, _) => Self::Absent,
            (Some(only), None) => Self::of_value(only),
            (Some(_), Some(_)) => Self::Invalid(InvalidLimit::Repeated),
        }
    }

    fn of_value(json: &str) -> Self {
        let text = json.trim_matches('"');
        if text.is_empty() {
            return Self::Invalid(InvalidLimit::Empty);
        }
        match Version::parse_tolerant(text) {
            Ok(version) if version.patch() == 0 && !version.has_pre_release() => {
                Self::UpTo(Minor { major: version.major(), minor: version.minor() })
            }
            _ => Self::Invalid(InvalidLimit::NotMinor(json.to_owned())),
        }
    }

    /// Whether a cluster of this minor version can be updated to the next one.
    pub fn allows_updates_from(&self, cluster: Minor) -> bool {
        match self {
            Self::Absent => true,
            Self::UpTo(last) => as_compared(*last) >= next_minor(cluster),
            Self::Invalid(_) => false,
        }
    }
}

impl fmt::Display for InvalidLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated => f.write_str("it has `olm.maxOpenShiftVersion` more than once"),
            Self::Empty => f.write_str("its `olm.maxOpenShiftVersion` is empty"),
            Self::NotMinor(value) => {
                write!(f, "its `olm.maxOpenShiftVersion` is {value}, which is not `major.minor`")
            }
            Self::Annotation => {
                f.write_str("its annotation `operatorframework.io/properties` is not a list")
            }
        }
    }
}

/// The next minor version, as OLM counts.
pub(crate) fn next_minor(cluster: Minor) -> Minor {
    let Minor { major, minor } = as_compared(cluster);
    as_compared(Minor { major, minor: minor.saturating_add(1) })
}

/// The version that OLM compares: 5.0 instead of 4.23, because OLM treats the two as equal.
pub(crate) fn as_compared(minor: Minor) -> Minor {
    match minor {
        Minor { major: 4, minor: 23 } => Minor { major: 5, minor: 0 },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{InvalidLimit, OpenShiftLimit};
    use crate::domain::Minor;

    fn limit(value: &str) -> OpenShiftLimit {
        OpenShiftLimit::of_values([value])
    }

    fn allows(cluster: (u64, u64), last: &str) -> bool {
        let (major, minor) = cluster;
        limit(&format!("\"{last}\"")).allows_updates_from(Minor { major, minor })
    }

    #[test]
    fn a_cluster_goes_as_far_as_the_limit() {
        for last in ["1.1.0", "1.1.0+build", "2.0.0", "1.1", "v1.1", "01.1", "2"] {
            assert!(allows((1, 0), last), "{last}");
        }
        for last in ["1.0.0", "1.0", "0.1.0", "1.1.0-pre", "bad_version", "1.1.1", ""] {
            assert!(!allows((1, 0), last), "{last}");
        }
        assert!(!allows((1, 1), "1.1.0"));
        assert!(OpenShiftLimit::Absent.allows_updates_from(Minor { major: 4, minor: 20 }));
    }

    #[test]
    fn the_last_version_4_is_the_first_version_5() {
        for (cluster, allowed) in [
            ((4, 21), &["4.22", "4.23", "5.0", "5.1"][..]),
            ((4, 22), &["4.23", "5.0", "5.1"]),
            ((4, 23), &["5.1"]),
            ((5, 0), &["5.1"]),
            ((5, 1), &[]),
        ] {
            for last in ["4.21", "4.22", "4.23", "5.0", "5.1"] {
                assert_eq!(allows(cluster, last), allowed.contains(&last), "{cluster:?} {last}");
            }
        }
    }

    #[test]
    fn values_are_json() {
        let up_to = |major, minor| OpenShiftLimit::UpTo(Minor { major, minor });
        assert_eq!(limit("\"4.20\""), up_to(4, 20));
        assert_eq!(limit("4.2"), up_to(4, 2), "a number");
        assert_eq!(limit("\" 4.20 \""), up_to(4, 20));
        assert_eq!(limit("\"\""), OpenShiftLimit::Invalid(InvalidLimit::Empty));
        assert_eq!(limit("null"), OpenShiftLimit::Invalid(InvalidLimit::NotMinor("null".into())));
        let quotes_inside = "\"\\\"4.20\\\"\"";
        assert_eq!(
            limit(quotes_inside),
            OpenShiftLimit::Invalid(InvalidLimit::NotMinor(quotes_inside.into()))
        );
        let twice = OpenShiftLimit::of_values(["\"4.20\"", "\"4.20\""]);
        assert_eq!(twice, OpenShiftLimit::Invalid(InvalidLimit::Repeated));
        assert_eq!(OpenShiftLimit::of_values([]), OpenShiftLimit::Absent);
    }
}
