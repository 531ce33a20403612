//! One step of the test of a bundle.

use crate::catalog::package::Gvk;
use crate::go::semver::Range;
use crate::go::{self, quoted};

use super::pool::Candidate;

/// A test of a bundle, or how to combine the answers of tests.
pub(super) enum Step {
    Gvk(Gvk),
    Package(String),
    /// The range, parsed and as text.
    Version(Range, String),
    Label(String),
    /// A rule in the language CEL, which only OLM can evaluate.
    Cel {
        rule: String,
        message: String,
    },
    All(usize),
    Any(usize),
    Not(usize),
}

/// The steps that test for a package in a range of versions.
pub(super) fn package(name: &str, range: &str) -> Result<[Step; 3], go::Error> {
    let versions = Step::Version(Range::parse(range)?, range.to_owned());
    Ok([Step::Package(name.to_owned()), versions, Step::All(2)])
}

impl Step {
    pub(super) fn holds(&self, candidate: &Candidate) -> bool {
        let bundle = candidate.bundle;
        match self {
            Self::Gvk(gvk) => bundle.provides.contains(gvk),
            Self::Package(name) => candidate.package == Some(name.as_str()),
            Self::Version(range, _) => {
                bundle.version.as_ref().is_some_and(|version| range.contains(&version.version))
            }
            Self::Label(label) => bundle.labels.contains(label),
            Self::Cel { .. } | Self::All(_) | Self::Any(_) | Self::Not(_) => false,
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::Gvk(Gvk { group, version, kind }) => {
                format!("providing an API with group: {group}, version: {version}, kind: {kind}")
            }
            Self::Package(name) => format!("with package: {name}"),
            Self::Version(_, text) => format!("with version in range: {text}"),
            Self::Label(label) => format!("with label: {label}"),
            Self::Cel { rule, message } => {
                format!("with constraint: {} and message: {}", quoted(rule), quoted(message))
            }
            Self::All(_) | Self::Any(_) | Self::Not(_) => String::new(),
        }
    }
}
