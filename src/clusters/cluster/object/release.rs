//! A release, as a cluster lists it.

use serde::{Deserialize, Serialize};

use super::or_default;

/// A release, as a cluster lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// `Multi`, or empty.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "String::is_empty")]
    pub architecture: String,
    /// Its version.
    #[serde(default, deserialize_with = "or_default")]
    pub version: String,
    /// Its image.
    #[serde(default, deserialize_with = "or_default")]
    pub image: String,
    /// The page about it.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// The channels that contain it.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<String>,
}

/// The digest of an image: the text after the `@`.
pub fn digest(image: &str) -> Option<&str> {
    image.rsplit_once('@').map(|(_, digest)| digest).filter(|digest| !digest.is_empty())
}
