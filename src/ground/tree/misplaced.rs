//! Finds files that look like data next to the folders that are read: a block in the top folder, or
//! in `blocked_edges/`.

use super::WantedPaths;

/// A folder name with at most this many wrong letters counts as misspelled.
const SLIPS: usize = 2;

/// Whether an entry of the top folder may hold data that nothing reads.
pub(super) fn may_hold_data(name: &str, is_folder: bool, wanted: WantedPaths) -> bool {
    if !is_folder {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        let is_yaml = extension.is_some_and(|extension| extension == "yaml" || extension == "yml");
        return is_yaml && !name.starts_with('.');
    }
    let is_meant = |folder: &&&str| is_slip(name, folder);
    !wanted.folders.contains(&name) && wanted.folders.iter().any(|folder| is_meant(&folder))
}

/// Whether a name is a misspelled name of a folder.
fn is_slip(name: &str, folder: &str) -> bool {
    // The comparison takes time proportional to the product of the lengths.
    if name.len() > folder.len() + SLIPS {
        return false;
    }
    strsim::osa_distance(&name.to_ascii_lowercase(), folder) <= SLIPS
}

#[cfg(test)]
mod tests {
    use super::super::WantedPaths;
    use super::may_hold_data;

    const WANTED: WantedPaths =
        WantedPaths { folders: &["blocked-edges", "channels", "risk-tests"], files: &[] };

    #[test]
    fn a_misspelled_folder_may_hold_data() {
        for folder in ["blocked_edges", "blocked-edge", "Blocked-Edges", "channel", "risk_tests"] {
            assert!(may_hold_data(folder, true, WANTED), "{folder}");
        }
        for folder in ["blocked-edges", "hack", "docs", "raw", ".github", "charts"] {
            assert!(!may_hold_data(folder, true, WANTED), "{folder}");
        }
        for (file, may) in
            [("4.14.3.yaml", true), ("x.yml", true), (".x.yaml", false), ("OWNERS", false)]
        {
            assert_eq!(may_hold_data(file, false, WANTED), may, "{file}");
        }
    }
}
