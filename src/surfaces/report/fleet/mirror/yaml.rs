//! Entries for a configuration of oc-mirror. They are not wrapped, so that they can be copied.

use std::io::{self, Write};

use crate::domain::Named;
use crate::edit::scalar;
use crate::mirror::MirrorEntries;
use crate::mirrored::PackageAddition;
use crate::text::printable;

pub(super) fn entries(entries: &MirrorEntries, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n  mirror:\n    platform:")?;
    if !entries.archs.is_empty() {
        writeln!(out, "      # in place of those that are there\n      architectures:")?;
        for arch in &entries.archs {
            writeln!(out, "      - {}", arch.name())?;
        }
    }
    if !entries.channels.is_empty() {
        writeln!(out, "      # in addition, or in place of the same channel\n      channels:")?;
    }
    for channel in &entries.channels {
        line(out, "      - name", &channel.name)?;
        line(out, "        minVersion", &channel.min_version)?;
        line(out, "        maxVersion", &channel.max_version)?;
        for (key, is_set) in [("shortestPath", channel.shortest_path), ("full", channel.full)] {
            if is_set {
                writeln!(out, "        {key}: true")?;
            }
        }
    }
    Ok(())
}

pub(super) fn package(addition: &PackageAddition, out: &mut dyn Write) -> io::Result<()> {
    let PackageAddition { catalog, package, .. } = addition;
    writeln!(out, "\n  mirror:\n    operators:")?;
    line(out, "    - catalog", catalog)?;
    writeln!(out, "      packages:")?;
    line(out, "      - name", &package.name)?;
    line(out, "        defaultChannel", &package.default_channel)?;
    line(out, "        minVersion", &package.min_version)?;
    line(out, "        maxVersion", &package.max_version)?;
    if !package.channels.is_empty() {
        writeln!(out, "        channels:")?;
    }
    for channel in &package.channels {
        line(out, "        - name", &channel.name)?;
        line(out, "          minVersion", &channel.min_version)?;
        line(out, "          maxVersion", &channel.max_version)?;
    }
    Ok(())
}

/// A key with its value. None if the value is empty.
fn line(out: &mut dyn Write, key: &str, value: &str) -> io::Result<()> {
    if value.is_empty() { Ok(()) } else { writeln!(out, "{key}: {}", printable(&scalar(value))) }
}

#[cfg(test)]
mod tests {
    use super::entries;
    use crate::domain::Arch;
    use crate::mirror::{MirrorEntries, MirroredChannel};

    #[test]
    fn what_looks_like_a_number_is_quoted() {
        let mut channel = MirroredChannel::only("5.1", "5.1.0");
        channel.shortest_path = true;
        let all = MirrorEntries {
            channels: vec![channel],
            archs: vec![Arch::Amd64],
            releases: Vec::new(),
        };
        let mut out = Vec::new();
        assert!(entries(&all, &mut out).is_ok());
        assert_eq!(
            String::from_utf8_lossy(&out),
            "
  mirror:
    platform:
      # in place of those that are there
      architectures:
      - amd64
      # in addition, or in place of the same channel
      channels:
      - name: '5.1'
        minVersion: 5.1.0
        maxVersion: 5.1.0
        shortestPath: true
"
        );
    }
}
