//! Files with expected output.

use std::fs;
use std::path::Path;

use exitpath::testing::edit::unified_diff;

/// Compares `actual` with the file, or rewrites the file.
pub(crate) fn golden(path: impl AsRef<Path>, actual: &str) {
    let path = path.as_ref();
    if std::env::var_os("EXITPATH_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, actual).unwrap();
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected != actual {
        let name = path.display().to_string();
        let diff = unified_diff(&name, expected.as_str(), actual);
        panic!("{name} is not up to date. EXITPATH_BLESS=1 rewrites it. The difference:\n{diff}");
    }
}
