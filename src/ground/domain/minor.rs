//! Minor versions.

use super::Version;
use super::version::parse;

/// A minor version: `4.14`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minor {
    pub major: u64,
    pub minor: u64,
}

impl Minor {
    pub fn of(version: &Version) -> Self {
        Self { major: version.major, minor: version.minor }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let version = parse(&format!("{text}.0"))?;
        (version.pre.is_empty() && version.build.is_empty()).then(|| Self::of(&version))
    }
}

impl std::fmt::Display for Minor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}
