//! Images of releases for which no source has one.

use crate::domain::version;
#[cfg(feature = "serve")]
use crate::domain::{Arch, Named};

#[cfg(feature = "serve")]
use super::UpdateGraph;

/// The usual name of a release's image. Clusters tell releases apart by their images, so each
/// release needs one.
pub(crate) fn usual_image(version: &version::Version, architecture: &str) -> String {
    let suffix = match architecture {
        "amd64" => "x86_64",
        "arm64" => "aarch64",
        other => other,
    };
    let version = version::without_build(version);
    format!("quay.io/openshift-release-dev/ocp-release:{version}-{suffix}")
}

#[cfg(feature = "serve")]
impl UpdateGraph {
    /// Gives the usual names to unknown images. Returns whether there are any.
    pub(crate) fn name_images(&mut self) -> bool {
        let mut found = false;
        let releases = self.graph.node_weights_mut();
        for release in releases.filter(|release| !release.is_abstract && release.payload.is_none())
        {
            let arch = Arch::ALL.iter().copied().find(|arch| release.is_for(*arch));
            let arch = arch.unwrap_or_default();
            release.payload = Some(usual_image(&release.version, arch.name()).into());
            found = true;
        }
        found
    }
}
