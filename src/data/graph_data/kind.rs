//! The kind of a file, which depends only on its path.

use memchr::{memchr, memrchr};

/// The kinds of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    /// A block or a risk.
    BlockedEdge,
    /// A channel that is served.
    Channel,
    /// A channel that only feeds others.
    InternalChannel,
    /// The ranges of one minor version.
    BuildSuggestions,
    /// `raw/metadata.json`.
    RawMetadata,
    /// `version`.
    SchemaVersion,
    /// A file of `risk-tests/`. Only `exitpath test` reads it.
    RiskTest,
    /// A single query. No file of a repository has this kind.
    Query,
    /// A file in a data folder that nothing reads.
    Stray,
}

/// The parts of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Location<'p> {
    /// The first folder. Empty for a file at the top.
    pub folder: &'p str,
    /// Whether the file is directly in the folder.
    pub direct: bool,
    /// The name of the file.
    pub name: &'p str,
}

impl<'p> Location<'p> {
    /// The parts of a path relative to the repository.
    pub(crate) fn of(path: &'p str) -> Self {
        // This is called several times for every file, so it must be fast.
        let (folder, rest) = match memchr(b'/', path.as_bytes()) {
            Some(at) => (&path[..at], &path[at + 1..]),
            None => ("", path),
        };
        let name = memrchr(b'/', rest.as_bytes()).map_or(rest, |at| &rest[at + 1..]);
        Self { folder, direct: name.len() == rest.len(), name }
    }

    /// The text after the last dot of the name. A dot at the start does not count.
    pub(crate) fn extension(&self) -> Option<&'p str> {
        let dot = memrchr(b'.', self.name.as_bytes()).filter(|dot| *dot > 0)?;
        Some(&self.name[dot + 1..])
    }
}

impl FileKind {
    /// Whether the service or a bot reads it.
    pub fn is_data(self) -> bool {
        !matches!(self, Self::RiskTest | Self::Query | Self::Stray)
    }

    /// Whether it is a channel, public or internal.
    pub(crate) fn is_channel(self) -> bool {
        matches!(self, Self::Channel | Self::InternalChannel)
    }

    /// Whether it says which releases there are, or which updates they list.
    pub(crate) fn is_about_releases(self) -> bool {
        matches!(
            self,
            Self::Channel | Self::InternalChannel | Self::BuildSuggestions | Self::RawMetadata
        )
    }

    /// The kind of the file at a path.
    pub fn of(path: &str) -> Self {
        let location = Location::of(path);
        let loaded = location.direct && location.extension().is_some_and(looks_like_yaml);
        match (location.folder, location.name) {
            ("", "version") => Self::SchemaVersion,
            ("raw", "metadata.json") => Self::RawMetadata,
            ("risk-tests", _) => Self::RiskTest,
            ("blocked-edges", _) if loaded => Self::BlockedEdge,
            ("channels", _) if loaded => Self::Channel,
            ("internal-channels", _) if loaded => Self::InternalChannel,
            ("build-suggestions", _) if loaded => Self::BuildSuggestions,
            _ => Self::Stray,
        }
    }
}

/// The service looks for `ya+ml` anywhere in the extension.
fn looks_like_yaml(extension: &str) -> bool {
    extension.match_indices('y').any(|(at, _)| {
        let rest = &extension[at + 1..];
        let after = rest.trim_start_matches('a');
        after.len() < rest.len() && after.starts_with("ml")
    })
}

#[cfg(test)]
mod tests {
    use super::FileKind;

    #[test]
    fn the_service_decides_by_extension() {
        assert_eq!(FileKind::of("channels/stable-4.1.yaml"), FileKind::Channel);
        assert_eq!(FileKind::of("blocked-edges/4.1.0.yaml-disabled"), FileKind::BlockedEdge);
        assert_eq!(FileKind::of("blocked-edges/4.1.0.yaaml"), FileKind::BlockedEdge);
        assert_eq!(FileKind::of("blocked-edges/4.1.0.yml"), FileKind::Stray);
        assert_eq!(FileKind::of("blocked-edges/.yaml"), FileKind::Stray);
        assert_eq!(FileKind::of("blocked-edges/old/4.1.0.yaml"), FileKind::Stray);
        assert_eq!(FileKind::of("channels/OWNERS"), FileKind::Stray);
        assert_eq!(FileKind::of("version"), FileKind::SchemaVersion);
        assert_eq!(FileKind::of("risk-tests/README.md"), FileKind::RiskTest);
    }
}
