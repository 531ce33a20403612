//! Imports go down: no file uses a room above its own floor, and files do not import each other in
//! circles.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::files_below;

/// The rooms, lowest floor first. Rooms on one floor do not use each other.
const FLOORS: &[&[&str]] = &[
    &["domain", "go", "owner"],
    &["text"],
    &["git", "http", "moves"],
    // Bytes and their places.
    &["graph", "history", "metrics", "tree", "yaml"],
    &["objects"],
    &["analysis", "catalog", "cluster", "coverage", "payload", "pools", "schema"],
    &["bridge", "compare", "edit", "graph_data", "graph_file", "oc", "olm", "rollout", "scenario"],
    // The origins that each release lists, then what the repository makes of them.
    &["channel_list", "lineage", "online", "origins", "risks"],
    &["assembly", "certificate", "change", "fleet"],
    &["mirror", "telemetry"],
    &["authoring", "mirrored"],
    &["rules"],
    &["lint"],
    // What commands work on, and what they print with.
    &["draw", "report", "session"],
    &["explorer"],
    &["service", "workspace"],
    &["editor", "server"],
    &["lsp"],
    &["cli"],
];

fn floor(room: &str) -> usize {
    let found = FLOORS.iter().position(|rooms| rooms.contains(&room));
    found
        .unwrap_or_else(|| panic!("`{room}` has no floor: add it in FLOORS and in CONTRIBUTING.md"))
}

/// The folders of `src`, lowest first. A room uses rooms of its own building and of lower ones.
const BUILDINGS: &[&str] = &["ground", "data", "clusters", "operators", "checks", "surfaces"];

/// The building and the room that a file of `src` belongs to. None: it is in no room.
fn place(path: &Path) -> Option<(String, String)> {
    let mut parts = path.strip_prefix("src").unwrap().iter().map(|part| part.to_str().unwrap());
    let (building, room) = (parts.next()?, parts.next()?.trim_end_matches(".rs"));
    (room != "mod").then(|| (building.to_owned(), room.to_owned()))
}

/// The buildings of all rooms.
fn rooms() -> BTreeMap<String, usize> {
    let height = |name: &str| BUILDINGS.iter().position(|building| *building == name).unwrap();
    let places = files_below(Path::new("src")).into_iter().filter_map(|path| place(&path));
    places.map(|(building, room)| (room, height(&building))).collect()
}

#[test]
fn imports_go_down() {
    let buildings = rooms();
    let mut upward_imports = Vec::new();
    for path in files_below(Path::new("src")) {
        let Some((_, room)) = place(&path) else { continue };
        let text = fs::read_to_string(&path).unwrap();
        for (line, code) in text.lines().enumerate() {
            let imports =
                code.split("crate::").skip(1).filter_map(|after| after.split("::").next());
            for import in imports {
                let used: String =
                    import.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                // `pub(in crate::checks::rules)` is no import, and promql is a crate.
                if used == room || used == "promql" || BUILDINGS.contains(&used.as_str()) {
                    continue;
                }
                if floor(&used) >= floor(&room) || buildings[&used] > buildings[&room] {
                    let place = format!("{}:{}", path.display(), line + 1);
                    upward_imports.push(format!("{place}: {room} → {used}"));
                }
            }
        }
    }
    assert!(upward_imports.is_empty(), "these imports go up:\n{}", upward_imports.join("\n"));
}

/// rustc says nothing about a file that no module declares: its tests would not run.
#[test]
fn each_file_is_a_module() {
    let folders = ["src", "crates/promql/src", "tests/suite", "tests/catalogs", "tests/shared"];
    let files = folders.iter().flat_map(|folder| files_below(Path::new(folder)));
    let rust = files.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let is_declared = |path: &PathBuf| {
        let (mut folder, mut name) = (path.parent().unwrap(), path.file_stem().unwrap());
        match name.to_str().unwrap() {
            "main" | "lib" => return true,
            "mod" if folders.iter().any(|root| Path::new(root) == folder) => return true,
            "mod" => (folder, name) = (folder.parent().unwrap(), folder.file_name().unwrap()),
            _ => {}
        }
        let by = ["mod.rs", "main.rs", "lib.rs"].map(|name| folder.join(name));
        let beside = folder.with_extension("rs");
        let name = name.to_str().unwrap();
        let declarations = [format!("mod {name};"), format!("#[path = \"{name}.rs\"]")];
        let texts = by.iter().chain([&beside]).map(fs::read_to_string);
        texts.flatten().any(|text| declarations.iter().any(|one| text.contains(one)))
    };
    let missing: Vec<PathBuf> = rust.filter(|path| !is_declared(path)).collect();
    assert!(missing.is_empty(), "no module declares {missing:?}");
}

/// The folders of the crate `promql`, lowest first.
const PROMQL: &[&str] = &["regex", "syntax", "layout", "meaning", "value"];

#[test]
fn the_folders_of_promql_have_floors() {
    for (floor, folder) in PROMQL.iter().enumerate() {
        for path in files_below(&Path::new("crates/promql/src").join(folder)) {
            let text = fs::read_to_string(&path).unwrap();
            for above in &PROMQL[floor + 1..] {
                let import = format!("super::{above}::");
                assert!(!text.contains(&import), "{} uses `{above}`", path.display());
            }
        }
    }
}

/// The files of exitpath by module, such as `report::change`, and those of its crate `promql`. The
/// file of a folder is its `mod.rs`. As in imports, the building is not named.
fn modules() -> BTreeMap<String, PathBuf> {
    let named = |below: &Path, path: &Path| {
        let name = path.strip_prefix(below).unwrap().with_extension("");
        name.to_str().unwrap().replace('/', "::").trim_end_matches("::mod").to_owned()
    };
    let module = |path: PathBuf| {
        let (building, _) = place(&path)?;
        Some((named(&Path::new("src").join(building), &path), path))
    };
    let in_promql = |path: PathBuf| {
        let name = format!("promql::{}", named(Path::new("crates/promql/src"), &path));
        (name.trim_end_matches("::lib").to_owned(), path)
    };
    let promql = files_below(Path::new("crates/promql/src")).into_iter().map(in_promql);
    files_below(Path::new("src")).into_iter().filter_map(module).chain(promql).collect()
}

/// Every path in a file, with the lists of `use` written out.
fn paths(text: &str) -> Vec<String> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = format!(" {}", code.collect::<Vec<_>>().join(" "));
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = code.split(|c| !is_part(c)).filter(|word| word.contains("::"));
    let mut paths: Vec<String> = words.map(str::to_owned).collect();
    for statement in code.split(';') {
        if let Some((_, tree)) = statement.rsplit_once(" use ") {
            write_out(tree, &mut paths);
        }
    }
    paths
}

fn write_out(tree: &str, paths: &mut Vec<String>) {
    let Some((prefix, rest)) = tree.split_once('{') else {
        paths.push(tree.trim().to_owned());
        return;
    };
    let list = rest.rsplit_once('}').map_or(rest, |(list, _)| list);
    let mut depth = 0;
    let items = list.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    for item in items {
        write_out(&format!("{}{}", prefix.trim(), item.trim()), paths);
    }
}

/// The deepest module on a path: the file that has or re-exports the item.
fn imported(modules: &BTreeMap<String, PathBuf>, from: &str, path: &str) -> Option<String> {
    let mut place: Vec<&str> = from.split("::").collect();
    let mut parts = path.split("::").peekable();
    if parts.next_if_eq(&"crate").is_some() {
        place.truncate(usize::from(place[0] == "promql"));
    }
    let _ = parts.next_if_eq(&"self");
    while parts.next_if_eq(&"super").is_some() {
        place.pop();
    }
    for part in parts {
        place.push(part);
        if !modules.contains_key(&place.join("::")) {
            place.pop();
            break;
        }
    }
    let found = place.join("::");
    (found != from && modules.contains_key(&found)).then_some(found)
}

/// The `mod.rs` of a folder and the files in it may use each other: the model of a report is in
/// `mod.rs`, for example, and its writers are beside it.
#[test]
fn files_do_not_import_each_other_in_circles() {
    let modules = modules();
    let mut graph = DiGraph::<&str, ()>::new();
    let nodes: BTreeMap<&str, NodeIndex> =
        modules.keys().map(|name| (name.as_str(), graph.add_node(name.as_str()))).collect();
    for (name, path) in &modules {
        let text = fs::read_to_string(path).unwrap();
        let others = paths(&text).into_iter().filter_map(|path| imported(&modules, name, &path));
        for other in others.filter(|other| !name.starts_with(&format!("{other}::"))) {
            graph.update_edge(nodes[name.as_str()], nodes[other.as_str()], ());
        }
    }
    assert!(graph.edge_count() > modules.len(), "the imports of most files are found");
    let circles = tarjan_scc(&graph).into_iter().filter(|files| files.len() > 1);
    let circles: Vec<Vec<&str>> =
        circles.map(|files| files.into_iter().map(|file| graph[file]).collect()).collect();
    assert!(circles.is_empty(), "these files import each other in a circle: {circles:#?}");
}
