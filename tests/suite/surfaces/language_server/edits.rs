//! After any edits, the diagnostics are the findings of `check` on the same text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::{Strategy, any};
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::client::{Client, position};
use super::repository;
use crate::checks::real_data;
use crate::shared::scratch::git_command;
use crate::{Scratch, cases, exitpath, files_below, git};

/// What somebody does.
#[derive(Clone, Debug)]
enum Step {
    /// Types, pastes, or removes: a part of a file, and its new text.
    Edit(Index, Index, Index, String),
    Save(Index),
    Close(Index),
    /// Removes a file from the disk.
    Delete(Index),
    /// Writes a file that did not exist.
    Create(String),
    /// Checks out the other branch.
    Switch,
}

fn step() -> impl Strategy<Value = Step> {
    let words = [
        "",
        "",
        "x",
        "\n",
        "- ",
        ": ",
        "4.14.2",
        "4.15.1",
        "from: .*\n",
        "{",
        "\"",
        "#",
        "ñ😀",
        "name: A\n",
        "type: Always\n",
        "group(up) or vector(0)",
        "\t",
        "\r\n",
        "# exitpath: allow(block): reason\n",
        "fixedIn: 4.14.3\n",
    ];
    let text = proptest::sample::select(words.map(str::to_owned).to_vec());
    let index = any::<Index>;
    proptest::prop_oneof![
        20 => (index(), index(), index(), text).prop_map(|(file, at, end, text)| Step::Edit(file, at, end, text)),
        3 => index().prop_map(Step::Save),
        2 => index().prop_map(Step::Close),
        1 => index().prop_map(Step::Delete),
        1 => "[a-z]{1,3}".prop_map(Step::Create),
        1 => proptest::strategy::Just(Step::Switch),
    ]
}

/// An editor, its repository, and the texts that are open.
struct Session {
    repository: Scratch,
    client: Client,
    open: BTreeMap<String, String>,
    is_on_other: bool,
}

impl Session {
    fn new(repository: Scratch) -> Self {
        git(repository.path(), &["checkout", "--quiet", "-b", "other"]);
        let channel = repository.path().join("channels/fast-4.15.yaml");
        if channel.exists() {
            std::fs::remove_file(channel).unwrap();
        }
        git(repository.path(), &["commit", "--quiet", "--all", "--allow-empty", "-m", "other"]);
        git(repository.path(), &["checkout", "--quiet", "-"]);
        let client = Client::new(repository.path());
        Self { repository, client, open: BTreeMap::new(), is_on_other: false }
    }

    fn files(&self) -> Vec<String> {
        let root = self.repository.path();
        let paths = files_below(root).into_iter();
        let relative =
            paths.map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
        relative.filter(|path| !path.starts_with(".git/") && path != "exitpath.toml").collect()
    }

    fn take(&mut self, step: &Step) {
        let files = self.files();
        match step {
            Step::Edit(file, at, end, new) => {
                let path: &String = file.get(&files);
                self.edit(path, *at, *end, new);
            }
            Step::Save(index) if !self.open.is_empty() => {
                let open: Vec<String> = self.open.keys().cloned().collect();
                let path = index.get(&open);
                self.repository.write(path, &self.open[path]);
                let uri = self.client.uri(path);
                self.client.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
            }
            Step::Close(index) if !self.open.is_empty() => {
                let open: Vec<String> = self.open.keys().cloned().collect();
                let path = index.get(&open);
                self.open.remove(path);
                self.client.close(path);
            }
            Step::Delete(index) => {
                let path = index.get(&files);
                std::fs::remove_file(self.repository.path().join(path)).unwrap();
                self.client.files_changed();
            }
            Step::Create(name) => {
                let text = "to: 4.14.1\nfrom: .*\n";
                self.repository.write(&format!("blocked-edges/{name}.yaml"), text);
                self.client.files_changed();
            }
            Step::Switch => {
                let branch = if self.is_on_other { "main" } else { "other" };
                git(self.repository.path(), &["checkout", "--quiet", "--force", branch]);
                self.is_on_other = !self.is_on_other;
                self.client.files_changed();
            }
            Step::Save(_) | Step::Close(_) => {}
        }
    }

    fn edit(&mut self, path: &str, at: Index, end: Index, new: &str) {
        if !self.open.contains_key(path) {
            let text =
                std::fs::read_to_string(self.repository.path().join(path)).unwrap_or_default();
            self.client.open(path, &text);
            self.open.insert(path.to_owned(), text);
        }
        let text = self.open.get_mut(path).unwrap();
        let start = cursor_place(text, at.index(text.len() + 1));
        let end = cursor_place(text, (start + end.index(12)).min(text.len()));
        let range = json!({ "start": position(text, start), "end": position(text, end) });
        self.client.change_range(path, json!([{ "range": range, "text": new }]));
        text.replace_range(start..end, new);
    }

    /// The diagnostics that the client has, as `check` would print them.
    fn told(&mut self) -> Vec<String> {
        let root = self.client.uri("");
        let told = self.client.settled();
        let mut found: Vec<String> = Vec::new();
        for (uri, diagnostics) in told {
            let path = uri.strip_prefix(&root).unwrap().replace("%20", " ");
            for one in diagnostics.as_array().unwrap() {
                let (start, end) = (&one["range"]["start"], &one["range"]["end"]);
                found.push(format!(
                    "{path}:{}:{}-{}:{} {} {} {}",
                    start["line"],
                    start["character"],
                    end["line"],
                    end["character"],
                    one["severity"],
                    one["code"].as_str().unwrap(),
                    one["message"].as_str().unwrap()
                ));
            }
        }
        found.sort();
        found
    }

    /// What `check` says of a copy of the repository with the open texts.
    fn checked(&self) -> Vec<String> {
        let root = self.repository.path();
        let copy = Scratch::copy_of("language-server-copy", root);
        for (path, text) in &self.open {
            copy.write(path, text);
        }
        findings_of(copy.path())
    }
}

fn findings_of(root: &Path) -> Vec<String> {
    let run = exitpath(["check", root.to_str().unwrap(), "--format", "json"]);
    if run.status == 2 {
        return vec![run.err];
    }
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let mut found = Vec::new();
    for one in report["findings"].as_array().unwrap() {
        let path = one["path"].as_str().unwrap();
        let text = std::fs::read(root.join(path)).unwrap_or_default();
        let place = |end: &Value| match end["offset"].as_u64() {
            // The client counts bytes of a line.
            Some(offset) => {
                let before = &text[..usize::try_from(offset).unwrap().min(text.len())];
                let is_break = |at: &usize| {
                    before[*at] == b'\n' || before[*at] == b'\r' && text.get(at + 1) != Some(&b'\n')
                };
                let breaks: Vec<usize> = (0..before.len()).filter(is_break).collect();
                let start = breaks.last().map_or(0, |at| at + 1);
                format!("{}:{}", breaks.len(), before.len() - start)
            }
            None => "0:0".to_owned(),
        };
        let severity = match one["severity"].as_str().unwrap() {
            "error" => 1,
            "warning" => 2,
            _ => 3,
        };
        let help = one["help"].as_str().map(|help| format!("\n{help}")).unwrap_or_default();
        found.push(format!(
            "{path}:{}-{} {severity} {} {}{help}",
            place(&one["start"]),
            place(&one["end"]),
            one["rule"].as_str().unwrap(),
            one["message"].as_str().unwrap()
        ));
    }
    found.sort();
    found
}

#[test]
fn diagnostics_are_the_findings_of_check() {
    let number = std::env::var("EXITPATH_EDITS").ok().and_then(|text| text.parse().ok());
    let sessions = number.unwrap_or(600u32) / 30;
    let steps = proptest::collection::vec(step(), 30);
    let mut runner = TestRunner::new(cases(sessions));
    runner
        .run(&steps, |steps| {
            let mut session = Session::new(repository());
            for (number, step) in steps.iter().enumerate() {
                session.take(step);
                if number % 3 == 0 || number + 1 == steps.len() {
                    let (told, checked) = (session.told(), session.checked());
                    // Without any file there is nothing to check, and the last answer stays.
                    if !checked.iter().any(|line| line.contains("there is no data")) {
                        proptest::prop_assert_eq!(told, checked, "after {:?}", &steps[..=number]);
                    }
                }
            }
            Ok(())
        })
        .unwrap();
}

/// The last place up to a byte where an editor can have its cursor: not within a character, and not
/// within a line break.
fn cursor_place(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    let is_within_break = text[..at].ends_with('\r') && text[at..].starts_with('\n');
    if is_within_break { at - 1 } else { at }
}

/// The real repository at a revision.
fn real_clone(name: &str, revision: &str) -> Option<(Scratch, PathBuf)> {
    let history = real_data::history()?;
    let clone = Scratch::new(name);
    let real = clone.path().join("graph-data");
    git(clone.path(), &["clone", "--quiet", history.to_str().unwrap(), real.to_str().unwrap()]);
    git(&real, &["checkout", "--quiet", "--detach", revision]);
    Some((clone, real))
}

/// The paths and messages of all diagnostics.
fn messages_told(client: &mut Client) -> Vec<String> {
    let root = client.uri("");
    let mut told = Vec::new();
    for (uri, diagnostics) in client.settled() {
        let path = uri.strip_prefix(&root).unwrap();
        for one in diagnostics.as_array().unwrap() {
            told.push(format!("{path} {}", one["message"].as_str().unwrap()));
        }
    }
    told.sort();
    told
}

fn messages_of_check(root: &Path) -> Vec<String> {
    let run = exitpath(["check", root.to_str().unwrap(), "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let message = |one: &Value| {
        let help = one["help"].as_str().map(|help| format!("\n{help}")).unwrap_or_default();
        format!("{} {}{help}", one["path"].as_str().unwrap(), one["message"].as_str().unwrap())
    };
    let mut messages: Vec<String> =
        report["findings"].as_array().unwrap().iter().map(message).collect();
    messages.sort();
    messages
}

#[test]
fn diagnostics_of_the_real_repository_are_the_findings_of_check() {
    let Some((_clone, real)) = real_clone("language-server-real", "HEAD") else { return };
    let told = messages_told(&mut Client::new(&real));
    assert!(!told.is_empty());
    assert_eq!(told, messages_of_check(&real));
}

const FOLDERS: [&str; 4] = ["blocked-edges", "build-suggestions", "channels", "internal-channels"];

#[test]
fn real_commits_of_declarations_have_the_findings_of_check() {
    type_commits("declarations", &FOLDERS[..1], 40);
}

#[test]
fn real_commits_of_channels_have_the_findings_of_check() {
    type_commits("channels", &FOLDERS[2..], 40);
}

#[test]
fn real_commits_of_build_suggestions_have_the_findings_of_check() {
    type_commits("build-suggestions", &FOLDERS[1..2], 8);
}

/// Types what the maintainers committed to some folders into one editor, file by file, and holds
/// each commit against `check`. `EXITPATH_COMMITS` sets how many commits instead of `usual`.
fn type_commits(name: &str, of: &[&str], usual: usize) {
    let Some(history) = real_data::history() else { return };
    let number = std::env::var("EXITPATH_COMMITS").ok().and_then(|text| text.parse().ok());
    let newest = format!("-{}", number.unwrap_or(usual) + 1);
    let mut arguments = vec!["rev-list", "--first-parent", "--reverse", &newest, "master", "--"];
    arguments.extend(of);
    let commits = asked(history, &arguments);
    let commits: Vec<&str> = commits.lines().collect();
    let clone =
        |what: &str| real_clone(&format!("language-server-{name}-{what}"), commits[0]).unwrap();
    let ((_clone, edited), (_copy, saved)) = (clone("edited"), clone("saved"));
    let mut client = Client::new(&edited);
    let mut open = BTreeSet::new();
    for pair in commits.windows(2) {
        let [before, commit] = pair else { continue };
        let range = format!("{before}..{commit}");
        let mut arguments = vec!["diff", "--no-renames", "--name-only", &range, "--"];
        arguments.extend(FOLDERS);
        for path in asked(&saved, &arguments).lines() {
            let text = asked(&saved, &["show", &format!("{commit}:{path}")]);
            let (on_disk, here) = (edited.join(path), saved.join(path));
            if text.is_empty() {
                if open.remove(path) {
                    client.close(path);
                }
                let _ = fs::remove_file(on_disk);
                client.files_changed();
                fs::remove_file(here).unwrap();
            } else {
                if open.insert(path.to_owned()) {
                    client.open(path, &text);
                } else {
                    client.change(path, &text);
                }
                fs::write(here, text).unwrap();
            }
            client.settled();
        }
        assert_eq!(messages_told(&mut client), messages_of_check(&saved), "at {commit}");
    }
}

fn asked(folder: &Path, arguments: &[&str]) -> String {
    let output = git_command().arg("-C").arg(folder).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}
