//! Versions in the names of bundles and in the tags of images.

use crate::go::semver::Version;

/// Longer texts are neither names nor tags.
const LONGEST: usize = 512;

/// The version in the name of a bundle, as in `example.v1.2.3`.
pub(super) fn version_of_name(name: &str) -> Option<Version> {
    versioned(name).map(|(_, version)| version)
}

/// The text before `.v1.2.3` or `-v1.2.3`, and the version. After `-v`, what looks like a
/// pre-release could be a release, so the version is unknown.
fn versioned(text: &str) -> Option<(&str, Version)> {
    if text.len() > LONGEST {
        return None;
    }
    text.match_indices('v').find_map(|(at, _)| {
        let before = &text[..at];
        let version = Version::parse(&text[at + 1..]).ok()?;
        let is_clear = before.ends_with('.') || before.ends_with('-') && !version.has_pre_release();
        is_clear.then(|| (&before[..at - 1], version))
    })
}

/// What the pull spec of an image tells of its bundle.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tagged {
    pub package: String,
    pub name: String,
    pub version: Version,
}

/// Reads the tag of an image: a version, or the name of a bundle.
pub(super) fn of_image(image: &str) -> Option<Tagged> {
    if image.len() > LONGEST {
        return None;
    }
    let image = image.split('@').next().unwrap_or(image);
    let last = image.rsplit('/').next().unwrap_or(image);
    let (repository, tag) = last.split_once(':')?;
    let plain = Version::parse(tag.strip_prefix('v').unwrap_or(tag));
    if let Ok(version) = plain {
        let package = package_of(repository);
        return Some(Tagged { name: format!("{package}.v{version}"), package, version });
    }
    let (before, version) = versioned(tag)?;
    let is_name = tag.len() > before.len() && tag[before.len()..].starts_with('.');
    if is_name && !before.is_empty() {
        return Some(Tagged { package: package_of(before), name: tag.to_owned(), version });
    }
    let package = package_of(repository);
    Some(Tagged { name: format!("{package}.v{version}"), package, version })
}

/// Guesses the name of a package from the name of a repository.
fn package_of(repository: &str) -> String {
    let stem = repository.strip_suffix("bundle").map(|stem| stem.trim_end_matches(['-', '_']));
    let stem = stem.filter(|stem| !stem.is_empty()).unwrap_or(repository);
    let lower = stem.to_ascii_lowercase();
    lower.replace(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit(), "-")
}

#[cfg(test)]
mod tests {
    use super::{of_image, version_of_name};

    #[test]
    fn names_have_versions() {
        let version = |name| version_of_name(name).map(|version| version.to_string());
        assert_eq!(version("example.v1.2.3").as_deref(), Some("1.2.3"));
        assert_eq!(version("example.v1.2.3-rc.1").as_deref(), Some("1.2.3-rc.1"));
        assert_eq!(version("v-1.example.v1.2.3+4").as_deref(), Some("1.2.3+4"));
        assert_eq!(version("example-v1.2.3").as_deref(), Some("1.2.3"));
        for name in ["example-v1.2.3-1", "example.v1.2", "example", "v", "examplev1.2.3", ""] {
            assert_eq!(version(name), None, "{name}");
        }
    }

    #[test]
    fn tags_are_versions_or_names() {
        let told = |image| of_image(image).map(|told| format!("{} {}", told.package, told.name));
        for (image, expected) in [
            ("quay.io/a/example-operator-bundle:1.2.3", "example-operator example-operator.v1.2.3"),
            ("localhost:5000/example:v1.2.3", "example example.v1.2.3"),
            ("quay.io/a/olm:example.v1.2.3", "example example.v1.2.3"),
            ("quay.io/a/Example_x:bundle-v1.2.3", "example-x example-x.v1.2.3"),
            ("quay.io/a/example:v1.2.3@sha256:00", "example example.v1.2.3"),
        ] {
            assert_eq!(told(image).as_deref(), Some(expected), "{image}");
        }
        for image in ["quay.io:443/a/b", "a@sha256:00", "a:latest", "a:v1.2", "a:", ":", ""] {
            assert_eq!(told(image), None, "{image}");
        }
    }
}
