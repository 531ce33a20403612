//! Imports go down: no file names a room above its own floor.

use std::fs;
use std::path::Path;

use crate::files_below;

/// The rooms, lowest floor first. Rooms on one floor do not know each other.
const FLOORS: &[&[&str]] = &[
    &["domain"],
    &["git", "text"],
    // Bytes and their places, from those; and queries.
    &["graph", "history", "promql", "tree", "yaml"],
    &["analysis", "schema"],
    &["graph_data", "graph_file"],
    // What each release says it can be updated from; then what the repository makes of that.
    &["lineage"],
    &["assembly", "change"],
    &["rules"],
    // `lint` runs the rules, `edit` applies what they propose.
    &["edit", "lint"],
    // What commands are programs over, and what they print with.
    &["draw", "report", "session"],
    &["cli"],
];

fn floor(room: &str) -> usize {
    let found = FLOORS.iter().position(|rooms| rooms.contains(&room));
    found.unwrap_or_else(|| {
        panic!("`{room}` stands on no floor: enter it in FLOORS and in CONTRIBUTING.md")
    })
}

/// The room that a file of `src` belongs to.
fn room(path: &Path) -> String {
    let first = path.strip_prefix("src").unwrap().iter().next().unwrap().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

#[test]
fn imports_go_down() {
    let mut climbing = Vec::new();
    for path in files_below(Path::new("src")) {
        let room = room(&path);
        if ["main", "lib", "testing"].contains(&room.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for (line, code) in text.lines().enumerate() {
            for after in code.split("crate::").skip(1) {
                let used: String =
                    after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if used != room && floor(&used) >= floor(&room) {
                    climbing.push(format!("{}:{}: {room} → {used}", path.display(), line + 1));
                }
            }
        }
    }
    assert!(climbing.is_empty(), "these imports climb:\n{}", climbing.join("\n"));
}

/// The folders of `promql`, lowest first: it is a crate in all but name.
const PROMQL: &[&str] = &["regex", "syntax", "meaning"];

#[test]
fn promql_stands_alone() {
    for (floor, folder) in PROMQL.iter().enumerate() {
        for path in files_below(&Path::new("src/promql").join(folder)) {
            let text = fs::read_to_string(&path).unwrap();
            assert!(!text.contains("crate::"), "{} uses another room", path.display());
            for above in &PROMQL[floor + 1..] {
                let import = format!("super::{above}::");
                assert!(!text.contains(&import), "{} uses `{above}`", path.display());
            }
        }
    }
}
