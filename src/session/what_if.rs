//! `--add`, `--without`, `--with`: a repository as it might be, before anyone writes it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::graph_data::{BlockedEdge, GraphData, Kind, Verdict};
use crate::text::words::counted;
use crate::tree::{self, Blob};

use super::Failure;
use super::repository::{absolute, here, nearest};

const EXAMPLE: &str = "for example: --with 'to=4.18.9 from=4[.]17[.].* name=Example'";

/// What to change in a repository for one run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WhatIf<'a> {
    /// Files to add to `blocked-edges/`.
    pub add: &'a [PathBuf],
    /// Risks to remove, by name.
    pub without: &'a [String],
    /// Declarations to add, in short.
    pub with: &'a [String],
}

impl WhatIf<'_> {
    /// Whether it changes nothing.
    fn is_idle(&self) -> bool {
        self.add.is_empty() && self.without.is_empty() && self.with.is_empty()
    }

    /// A repository as it would be.
    pub(super) fn applied_to(&self, blobs: Vec<Blob>) -> Result<GraphData, Failure> {
        if self.is_idle() {
            return Ok(GraphData::from_blobs(blobs));
        }
        let mut blobs = self.without_risks(blobs)?;
        let mut added = Vec::new();
        for path in self.add {
            let blob = read(path)?;
            let shown = path.display().to_string();
            added.push((blob.path.clone(), shown, hint(path)));
            put(&mut blobs, blob);
        }
        for (at, words) in self.with.iter().enumerate() {
            let blob = declaration(at, words)?;
            added.push((blob.path.clone(), format!("--with '{words}'"), EXAMPLE.to_owned()));
            put(&mut blobs, blob);
        }
        blobs.sort_by(|a, b| a.path.cmp(&b.path));
        let data = GraphData::from_blobs(blobs);
        for (path, shown, hint) in added {
            if let Some(why) = data.at_path(&path).and_then(|file| why_not(&file.verdict)) {
                let what = format!("the update service would not load {shown}: {why}");
                return Err(Failure::new(what).hint(hint));
            }
        }
        Ok(data)
    }

    /// What is changed, in words for the head of a report.
    #[must_use]
    pub(crate) fn in_words(&self) -> String {
        let more = match self.add.len() + self.with.len() {
            0 => String::new(),
            n => format!(", with {} more", counted(n, "declaration")),
        };
        match self.without {
            [] => more,
            risks => format!("{more}, without {}", risks.join(" and ")),
        }
    }

    fn without_risks(&self, mut blobs: Vec<Blob>) -> Result<Vec<Blob>, Failure> {
        if self.without.is_empty() {
            return Ok(blobs);
        }
        let data = GraphData::from_blobs(blobs.clone());
        let declaration = |edge: &BlockedEdge| {
            edge.name.as_ref().map(|name| (name.value.clone(), data.path(edge.file).to_owned()))
        };
        let declared: Vec<(String, String)> =
            data.blocked_edges.iter().filter_map(declaration).collect();
        let names: BTreeSet<&str> = declared.iter().map(|(name, _)| name.as_str()).collect();
        if let Some(name) = self.without.iter().find(|name| !names.contains(name.as_str())) {
            return Err(Failure::unknown("risk", name, names.into_iter()));
        }
        let gone = declared.iter().filter(|(name, _)| self.without.contains(name));
        let gone: BTreeSet<&str> = gone.map(|(_, path)| path.as_str()).collect();
        blobs.retain(|blob| !gone.contains(blob.path.as_str()));
        Ok(blobs)
    }
}

/// Why the service would not load a file, if it would not.
fn why_not(verdict: &Verdict) -> Option<&str> {
    match verdict {
        Verdict::Loads => None,
        Verdict::Drops { why, .. } => Some(why),
        Verdict::Panics => Some("reading it crashes the service"),
        Verdict::NotAsked => Some("it cannot be read"),
    }
}

/// What says more of a file that would not be loaded: `check` reads files of repositories.
fn hint(path: &Path) -> String {
    let is_inside = here().is_ok_and(|here| nearest(&absolute(&here, path)).is_some());
    if is_inside {
        format!("`exitpath check {}` says more", path.display())
    } else {
        "in `blocked-edges/` of a repository, `exitpath check FILE` says more".to_owned()
    }
}

/// Puts a file in, in place of one of the same name.
fn put(blobs: &mut Vec<Blob>, new: Blob) {
    blobs.retain(|blob| blob.path != new.path);
    blobs.push(new);
}

/// A file of `blocked-edges/` that lies anywhere.
fn read(path: &Path) -> Result<Blob, Failure> {
    let shown = path.display();
    let text = tree::read_text(path)
        .map_err(|why| Failure::new(format!("cannot read {shown}: {why}")))?
        .ok_or_else(|| Failure::new(format!("there is no file {shown}")))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let path = format!("blocked-edges/{}", name.unwrap_or_default());
    if Kind::of(&path) != Kind::BlockedEdge {
        let what = format!("{shown} is not a file of `blocked-edges/`: those end in `.yaml`");
        return Err(Failure::new(what));
    }
    Ok(Blob { path, content: Ok(text.into_bytes()) })
}

/// A declaration in short: `to=4.18.9 from=.* name=Example`. Without a name it is a block; with
/// one, a risk that affects every cluster.
fn declaration(at: usize, words: &str) -> Result<Blob, Failure> {
    let wrong = |what: String| Failure::new(what).hint(EXAMPLE);
    let (mut to, mut from, mut name) = (None, None, None);
    for word in words.split_whitespace() {
        match word.split_once('=') {
            Some(("to", value)) => to = Some(value),
            Some(("from", value)) => from = Some(value),
            Some(("name", value)) => name = Some(value),
            _ => {
                return Err(wrong(format!(
                    "`--with` knows `to=`, `from=` and `name=`, not `{word}`"
                )));
            }
        }
    }
    let (Some(to), Some(from)) = (to, from) else {
        return Err(wrong("`--with` needs `to=` and `from=`".to_owned()));
    };
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let block = format!("to: {}\nfrom: {}\n", quoted(to), quoted(from));
    let text = match name {
        None => block,
        Some(name) => format!(
            "{block}url: https://example.com/what-if\nname: {}\nmessage: What if.\n\
             matchingRules:\n- type: Always\n",
            quoted(name)
        ),
    };
    Ok(Blob { path: format!("blocked-edges/zz-what-if-{at}.yaml"), content: Ok(text.into_bytes()) })
}
