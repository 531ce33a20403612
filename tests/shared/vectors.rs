//! What real programs answer: files with one case in each line, which has a name, an input, and the
//! expected answer. Any file of the same layout will do: a case that a test cannot read is unequal,
//! and the share of unequal cases decides.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::{real_data, say};

/// Of 100 cases, at least so many must be equal.
const LEAST: usize = 97;

/// The cases of a file of the real data, and its path. Without the file, the test is skipped.
pub(crate) fn cases(file: &str) -> Option<(Vec<Json>, PathBuf)> {
    let path = real_data(file)?;
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let line = |line: &str| serde_json::from_str(line).unwrap();
    Some((text.lines().map(line).collect(), path))
}

/// Compares each case with its answer. `difference` gets a case and the folder of the real data,
/// and says how the answers differ.
pub(crate) fn compare(test: &str, file: &str, difference: impl Fn(&Json, &Path) -> Option<String>) {
    let Some((cases, path)) = cases(file) else { return };
    let folder = path.parent().and_then(Path::parent).unwrap_or(&path);
    judge(test, &cases, |case| difference(case, folder));
}

/// Fails if too many cases are unequal.
pub(crate) fn judge(test: &str, cases: &[Json], difference: impl Fn(&Json) -> Option<String>) {
    let mut unequal = Vec::new();
    for case in cases {
        let found = catch_unwind(AssertUnwindSafe(|| difference(case)));
        let found =
            found.unwrap_or_else(|panic| Some(format!("cannot be read: {}", words(&*panic))));
        unequal.extend(found.map(|how| (case["name"].as_str().unwrap_or("without a name"), how)));
    }
    let (equal, all) = (cases.len() - unequal.len(), cases.len());
    say(&format!("{test}: {equal} of {all} cases equal"));
    for (name, how) in &unequal {
        say(&format!("  unequal: {name}"));
        eprintln!("{name}: {how}");
    }
    assert!(all > 0, "{test}: there are no cases");
    assert!(equal * 100 >= all * LEAST, "{test}: only {equal} of {all} cases are equal");
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
