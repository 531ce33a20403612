//! `--add`, `--without`, `--with`: changes a repository for one run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::domain::version::without_build;
use crate::domain::{ArchSet, HashMap, Version};
use crate::graph_data::{
    BlockedEdge, Consumer, FileKind, GraphData, LoadVerdict, Matched, ReleaseId,
    tombstones_by_version,
};
use crate::text::words::{counted, listed, quoted};
use crate::text::{Failure, printable};
use crate::tree::{self, Blob};

use super::Note;
use super::repository::{absolute, nearest_repository, working_directory};

const WITH_EXAMPLE: &str = "for example: --with 'to=4.18.9 from=4[.]17[.].* name=Example'";

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WhatIf<'a> {
    pub add: &'a [PathBuf],
    /// Names of risks.
    pub without: &'a [String],
    /// Declarations such as `to=4.18.9 from=.* name=Example`.
    pub with: &'a [String],
}

impl WhatIf<'_> {
    fn is_empty(&self) -> bool {
        self.add.is_empty() && self.without.is_empty() && self.with.is_empty()
    }

    /// Parses a repository with these changes. `earlier` is another state of it.
    pub(super) fn applied_to(
        &self,
        blobs: Vec<Blob>,
        earlier: Option<&GraphData>,
    ) -> Result<(GraphData, Vec<Note>), Failure> {
        if self.is_empty() {
            let data = match earlier {
                Some(earlier) => earlier.another(blobs),
                None => GraphData::from_blobs(blobs),
            };
            return Ok((data, Vec::new()));
        }
        let mut blobs = self.without_risks(blobs)?;
        let mut added = Vec::new();
        for path in self.add {
            let blob = read_declaration_file(path)?;
            let shown = path.display().to_string();
            added.push((blob.path.clone(), shown, check_hint(path)));
            insert_or_replace(&mut blobs, blob);
        }
        let mut made_up = Vec::new();
        for (at, declaration) in self.declarations(&blobs)?.iter().enumerate() {
            let blob = declaration.blob(at);
            made_up.push((blob.path.clone(), declaration.words.clone()));
            added.push((blob.path.clone(), declaration.words.clone(), WITH_EXAMPLE.to_owned()));
            insert_or_replace(&mut blobs, blob);
        }
        blobs.sort_by(|a, b| a.path.cmp(&b.path));
        let mut data = GraphData::from_blobs(blobs);
        let mut notes = Vec::new();
        for (path, shown, hint) in added {
            let mut declared =
                data.blocked_edges.iter().filter(|edge| data.path(edge.file) == path);
            let is_read = declared.any(|edge| Consumer::default().meaning(&data, edge).is_some());
            let verdict = data.at_path(&path).map(|file| &file.verdict).filter(|_| !is_read);
            if let Some(why) = verdict.and_then(why_not_loaded) {
                let what = format!("the update service would not load {shown}: {why}");
                return Err(Failure::new(what).hint(hint));
            }
            notes.extend(why_without_effect(&data, &path).map(|why| {
                let text = format!("{shown} has no effect: {why}");
                Note { text: printable(&text).into_owned(), is_important: true }
            }));
        }
        // Reports must not name a file that does not exist.
        for (path, words) in made_up {
            let file = data.at_path(&path).map(|file| file.id);
            if let Some((file, sources)) = file.zip(Arc::get_mut(&mut data.sources)) {
                sources.rename(file, words);
            }
        }
        Ok((data, notes))
    }

    /// The declarations of `--with`. The service accepts one block for each target, so all blocks
    /// of a target are merged, including those of the repository.
    fn declarations(&self, blobs: &[Blob]) -> Result<Vec<Declaration>, Failure> {
        let given: Vec<Declaration> =
            self.with.iter().map(|words| Declaration::parse(words)).collect::<Result<_, _>>()?;
        let has_blocks = given.iter().any(|one| one.name.is_none());
        let known = has_blocks.then(|| blocks(&GraphData::from_blobs(blobs.to_vec())));
        let known = known.unwrap_or_default();
        let mut joined: Vec<Declaration> = Vec::new();
        for mut one in given {
            if one.name.is_some() {
                joined.push(one);
                continue;
            }
            let same = joined.iter_mut().find(|other| other.name.is_none() && other.to == one.to);
            if let Some(other) = same {
                other.from.append(&mut one.from);
                other.words = format!("{}, {}", other.words, one.words);
            } else {
                one.from.extend(known.get(&one.to).cloned().unwrap_or_default());
                joined.push(one);
            }
        }
        Ok(joined)
    }

    /// Describes the changes, for the header of a report.
    pub(crate) fn in_words(&self) -> String {
        let more = match self.add.len() + self.with.len() {
            0 => String::new(),
            n => format!(", plus {}", counted(n, "hypothetical declaration")),
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
            edge.name.as_ref().map(|name| (name.value.to_string(), data.path(edge.file).to_owned()))
        };
        let declared: Vec<(String, String)> =
            data.blocked_edges.iter().filter_map(declaration).collect();
        let names: BTreeSet<&str> = declared.iter().map(|(name, _)| name.as_str()).collect();
        if let Some(name) = self.without.iter().find(|name| !names.contains(name.as_str())) {
            return Err(Failure::unknown("risk", name, names.into_iter()));
        }
        let removed = declared.iter().filter(|(name, _)| self.without.contains(name));
        let removed: BTreeSet<&str> = removed.map(|(_, path)| path.as_str()).collect();
        blobs.retain(|blob| !removed.contains(blob.path.as_str()));
        Ok(blobs)
    }
}

/// Why a declaration changes no update, if the repository alone shows that.
fn why_without_effect(data: &GraphData, path: &str) -> Option<String> {
    let edge = data.blocked_edges.iter().find(|edge| data.path(edge.file) == path)?;
    let (to, target, from) = (edge.to.as_ref()?, edge.target.as_ref()?, edge.from.as_ref()?);
    if edge.release.is_none() {
        let meant = data.releases.nearest_release(target);
        let rest = if tombstones_by_version(data).contains_key(target) {
            ": it is a tombstone".to_owned()
        } else if data.releases.is_expected(target) {
            " yet".to_owned()
        } else {
            meant.map_or_else(String::new, |meant| format!(". Did you mean {meant}?"))
        };
        return Some(format!("no channel has {}{rest}", to.value));
    }
    if data.reached(edge)?.is_empty() {
        let (from, to) = (&from.value, &to.value);
        return Some(format!("`{from}` matches no release that can be updated to {to}"));
    }
    let risks = edge.is_block().then(|| risks_of_all(data, edge, target)).flatten()?;
    Some(format!(
        "every update to {} that it matches is conditional because of {}, and the service ignores blocks of conditional updates",
        to.value,
        listed(&quoted(&risks), "and")
    ))
}

/// The names of the risks that make all updates conditional that a block matches. None if some of
/// these updates stay unconditional.
fn risks_of_all<'d>(
    data: &'d GraphData,
    block: &BlockedEdge,
    target: &Version,
) -> Option<Vec<&'d str>> {
    let blocked = data.matched(block);
    let mut conditional: HashMap<ReleaseId, ArchSet> = HashMap::default();
    let mut names = BTreeSet::new();
    let target = without_build(target);
    let is_for_target = |edge: &&BlockedEdge| {
        edge.target.as_ref().is_some_and(|own| without_build(own) == target)
            && data.file(edge.file).verdict == LoadVerdict::Loads
    };
    for risk in data.blocked_edges.iter().filter(is_for_target) {
        let Some(name) = &risk.name else { continue };
        for both in Matched::in_both(&blocked, &data.matched(risk)) {
            let known = conditional.entry(both.origin).or_default();
            *known = known.or(both.architectures);
            names.insert(name.value.as_str());
        }
    }
    let is_conditional = |update: &Matched| {
        let known = conditional.get(&update.origin);
        known.is_some_and(|known| known.has_all(update.architectures))
    };
    blocked.iter().all(is_conditional).then(|| names.into_iter().collect())
}

fn why_not_loaded(verdict: &LoadVerdict) -> Option<&str> {
    match verdict {
        LoadVerdict::Loads => None,
        LoadVerdict::Drops { why, .. } => Some(why),
        LoadVerdict::Panics => Some("reading it crashes the service"),
        LoadVerdict::NotAsked => Some("it cannot be read"),
    }
}

/// A hint on where to find details. `check` reads only files in repositories.
fn check_hint(path: &Path) -> String {
    let is_inside =
        working_directory().is_ok_and(|here| nearest_repository(&absolute(&here, path)).is_some());
    if is_inside {
        format!("`exitpath check {}` explains why", path.display())
    } else {
        "put it into `blocked-edges/` of a repository, where `exitpath check FILE` explains why"
            .to_owned()
    }
}

fn insert_or_replace(blobs: &mut Vec<Blob>, new: Blob) {
    blobs.retain(|blob| blob.path != new.path);
    blobs.push(new);
}

/// Reads a file from anywhere as if it were in `blocked-edges/`.
fn read_declaration_file(path: &Path) -> Result<Blob, Failure> {
    let shown = path.display();
    let text = tree::read_text(path)
        .map_err(|why| why.at(format!("cannot read {shown}")))?
        .ok_or_else(|| Failure::new(format!("there is no file {shown}")))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let path = format!("blocked-edges/{}", name.unwrap_or_default());
    if FileKind::of(&path) != FileKind::BlockedEdge {
        let what =
            format!("{shown} cannot be a file of `blocked-edges/`: its name must end in `.yaml`");
        return Err(Failure::new(what));
    }
    Ok(Blob::new(path, Ok(text.into_bytes())))
}

/// The patterns of the repository's blocks, by target.
fn blocks(data: &GraphData) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let loaded = data.blocked_edges.iter().filter(|edge| edge.is_block());
    for edge in loaded.filter(|edge| data.file(edge.file).verdict == LoadVerdict::Loads) {
        if let (Some(to), Some(from)) = (&edge.to, &edge.from) {
            found.entry(to.value.to_string()).or_default().push(from.value.to_string());
        }
    }
    found
}

/// A declaration of `--with`.
struct Declaration {
    to: String,
    /// The patterns of its origins. An origin must match one of them.
    from: Vec<String>,
    /// None for a block.
    name: Option<String>,
    /// The declaration as the user wrote it.
    words: String,
}

impl Declaration {
    /// Parses `to=4.18.9 from=.* name=Example`. Without a name, it is a block. With a name, it is a
    /// risk that affects all clusters.
    fn parse(words: &str) -> Result<Self, Failure> {
        let wrong = |what: String| Failure::new(what).hint(WITH_EXAMPLE);
        let (mut to, mut from, mut name) = (None, None, None);
        for word in words.split_whitespace() {
            match word.split_once('=') {
                Some(("to", value)) => to = Some(value),
                Some(("from", value)) => from = Some(value),
                Some(("name", value)) => name = Some(value),
                _ => {
                    return Err(wrong(format!(
                        "`--with` takes `to=`, `from=`, and `name=`, not `{word}`"
                    )));
                }
            }
        }
        let (Some(to), Some(from)) = (to, from) else {
            return Err(wrong("`--with` needs `to=` and `from=`".to_owned()));
        };
        Ok(Self {
            to: to.to_owned(),
            from: vec![from.to_owned()],
            name: name.map(str::to_owned),
            words: format!("--with '{words}'"),
        })
    }

    fn blob(&self, at: usize) -> Blob {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
        let from = match self.from.as_slice() {
            [only] => only.clone(),
            several => format!("(?:{})", several.join(")|(?:")),
        };
        let block = format!("to: {}\nfrom: {}\n", quoted(&self.to), quoted(&from));
        let text = match &self.name {
            None => block,
            Some(name) => format!(
                "{block}url: https://example.com/what-if\nname: {}\nmessage: What if.\n\
                 matchingRules:\n- type: Always\n",
                quoted(name)
            ),
        };
        Blob::new(format!("blocked-edges/zz-what-if-{at}.yaml"), Ok(text.into_bytes()))
    }
}
