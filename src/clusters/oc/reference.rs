//! How `oc` reads the pull spec of an image.

use crate::go::image::Reference;

/// The parts of a pull spec that `oc` looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PullSpec<'a> {
    /// Whether it says where the image is, by a registry or a repository.
    pub(super) is_located: bool,
    /// Whether it has a tag.
    pub(super) is_tagged: bool,
    /// The digest, with its algorithm.
    pub(super) digest: Option<&'a str>,
}

impl<'a> PullSpec<'a> {
    /// Reads a pull spec, or says what is wrong with it.
    pub(super) fn read(text: &'a str) -> Result<Self, &'static str> {
        let Reference { name, tag, digest } = Reference::read(text)?;
        if let Some(digest) = digest {
            digest.check()?;
        }
        // A name without a slash that looks like a host is a registry, and a port follows the colon
        // instead of a tag.
        let is_path = name.contains('/');
        let is_registry = !is_path && (name.contains('.') || name.starts_with("localhost"));
        Ok(Self {
            is_located: is_path || is_registry,
            is_tagged: tag.is_some() && !is_registry,
            digest: digest.map(|digest| digest.0),
        })
    }
}
