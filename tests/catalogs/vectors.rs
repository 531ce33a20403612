//! What real programs answer: files of cases, each with a name, an input, and an expected answer.

use std::fs;
use std::path::PathBuf;

use serde_json::Value as Json;

/// The cases of a file. None without the data.
pub(crate) fn cases(file: &str) -> Option<Vec<Json>> {
    let Some(folder) = std::env::var_os("EXITPATH_REAL_DATA") else {
        eprintln!("skipped: EXITPATH_REAL_DATA names no folder with real data");
        return None;
    };
    let path = PathBuf::from(folder).join("olm-vectors").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Compares each case with its answer. `difference` says how they differ. Cases in `exempt` may.
pub(crate) fn compare(
    file: &str,
    exempt: &[(&str, &str)],
    difference: impl Fn(&Json) -> Option<String>,
) {
    let Some(cases) = cases(file) else { return };
    let (mut equal, mut differ) = (0, Vec::new());
    for case in &cases {
        match difference(case) {
            None => equal += 1,
            Some(why) => differ.push((case["name"].as_str().unwrap(), why)),
        }
    }
    eprintln!("{file}: {equal} of {} cases equal", cases.len());
    differ.retain(|(name, _)| exempt.iter().all(|(known, _)| known != name));
    let texts: Vec<String> = differ.iter().map(|(name, why)| format!("{name}: {why}")).collect();
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), texts.join("\n"));
    assert!(exempt.len() * 50 <= cases.len(), "at most 2 % may be exempt");
}
