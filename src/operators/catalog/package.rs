//! A catalog as resolvers see it: packages with their bundles, and channels with their entries.

use super::openshift_limit::OpenShiftLimit;
use super::version::BundleVersion;
use crate::go::semver::Range;

/// What one operator publishes.
#[derive(Clone, Debug, Default)]
pub struct Package {
    pub name: String,
    /// Can be empty.
    pub default_channel: String,
    /// In the order of their names.
    pub channels: Vec<CatalogChannel>,
    /// In the order of their names.
    pub bundles: Vec<Bundle>,
    /// The message of its deprecation.
    pub deprecation: Option<String>,
}

/// A stream of updates.
#[derive(Clone, Debug, Default)]
pub struct CatalogChannel {
    pub name: String,
    /// In the order written.
    pub entries: Vec<Entry>,
    /// The message of its deprecation.
    pub deprecation: Option<String>,
}

/// A bundle in a channel, and the bundles that it updates.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The name of the bundle.
    pub name: String,
    /// Can be empty.
    pub replaces: String,
    pub skips: Vec<String>,
    /// None if it is absent, or if OLM cannot read it and ignores it.
    pub skip_range: Option<Range>,
}

/// An installable version.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    pub name: String,
    /// Its position among the declared bundles. OLM v1 takes the first of equal bundles.
    pub place: usize,
    /// None if it is not a version. opm does not serve such a bundle.
    pub version: Option<BundleVersion>,
    pub provides: Vec<Gvk>,
    pub requires: Vec<Requirement>,
    /// The values of its properties `olm.label`.
    pub labels: Vec<String>,
    /// Whether it has the property `olm.deprecated`. If so, OLM v0 never installs it.
    pub is_prohibited: bool,
    /// The last OpenShift that it supports. None if only its image is known.
    pub limit: Option<OpenShiftLimit>,
    /// The message of its deprecation in `olm.deprecations`.
    pub deprecation: Option<String>,
}

/// An API.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gvk {
    pub group: String,
    pub version: String,
    pub kind: String,
}

/// What a bundle needs in its namespace.
#[derive(Clone, Debug)]
pub enum Requirement {
    /// `olm.gvk.required`
    Gvk(Gvk),
    /// `olm.package.required`, with its range as written.
    Package { name: String, range: String },
    /// `olm.label.required`
    Label(String),
    /// `olm.constraint`, as JSON.
    Constraint(serde_json::Value),
}

impl Package {
    pub fn bundle(&self, name: &str) -> Option<&Bundle> {
        let at = self.bundles.binary_search_by(|bundle| bundle.name.as_str().cmp(name)).ok()?;
        self.bundles.get(at)
    }

    pub fn channel(&self, name: &str) -> Option<&CatalogChannel> {
        self.channels.iter().find(|channel| channel.name == name)
    }
}
