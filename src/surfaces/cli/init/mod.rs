//! `exitpath init`: the files that let other programs run exitpath.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::domain::Named;
use crate::edit::{FileEdit, write_together};
use crate::session::Session;
use crate::text::Failure;
use crate::tree;

use super::common_args::CommonArgs;
use super::init_args::{InitArgs, Place};
use super::{Status, Stop};

impl Place {
    /// The file in the repository. None if it belongs elsewhere.
    fn path(self) -> Option<&'static str> {
        match self {
            Self::PreCommit => Some(".pre-commit-config.yaml"),
            Self::GitHub => Some(".github/workflows/exitpath.yml"),
            Self::Settings => Some("exitpath.toml"),
            Self::Helix => Some(".helix/languages.toml"),
            Self::Prow | Self::Neovim => None,
        }
    }

    /// Where the text belongs, for people.
    fn title(self) -> &'static str {
        match self {
            Self::Prow => "the ci-operator configuration of the data repository",
            Self::Neovim => "init.lua of Neovim 0.11 or newer",
            _ => self.path().unwrap_or_default(),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::PreCommit => include_str!("files/pre-commit.yaml"),
            Self::GitHub => include_str!("files/github.yml"),
            Self::Prow => include_str!("files/prow.yaml"),
            Self::Settings => include_str!("files/exitpath.toml"),
            Self::Helix => include_str!("files/helix.toml"),
            Self::Neovim => include_str!("files/neovim.lua"),
        }
    }
}

pub(super) fn run(
    args: &InitArgs,
    common: &CommonArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let mut places: Vec<Place> = Vec::new();
    for place in &args.places {
        if !places.contains(place) {
            places.push(*place);
        }
    }
    if args.write {
        let session = Session::open(args.repo.as_deref(), &[], None)?;
        let written = write(&session.repository.root, &places)?;
        for path in &written {
            writeln!(out, "wrote {path}")?;
        }
        let paths = places.iter().filter_map(|place| place.path());
        for path in paths.filter(|path| !written.contains(path) && !common.quiet) {
            writeln!(err, "exitpath: {path} already has this text")?;
        }
        return Ok(Status::Clean);
    }
    let shown = if places.is_empty() { Place::ALL } else { places.as_slice() };
    for (number, place) in shown.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let comment = if *place == Place::Neovim { "--" } else { "#" };
        write!(out, "{comment} {}: {}\n{}", place.name(), place.title(), place.text())?;
    }
    if !common.quiet {
        let names = "`exitpath init PLACE --write` writes the file of a place";
        writeln!(err, "exitpath: {names}")?;
    }
    Ok(Status::Clean)
}

/// Writes the files of some places: all, or none. Returns the paths that are new.
fn write(root: &Path, places: &[Place]) -> Result<Vec<&'static str>, Failure> {
    let mut new = Vec::new();
    for place in places {
        let Some(path) = place.path() else {
            let what = format!("`{}` has no file in the repository", place.name());
            let hint =
                format!("add the text to {}: `exitpath init {}`", place.title(), place.name());
            return Err(Failure::new(what).hint(hint));
        };
        let known = tree::read_text(&root.join(path));
        match known.map_err(|why| why.at(format!("cannot read {path}")))? {
            Some(text) if text == place.text() => {}
            Some(_) => {
                let failure = Failure::new(format!("{path} has another text; nothing is written"));
                return Err(
                    failure.hint(format!("`exitpath init {}` shows what to add", place.name()))
                );
            }
            None => new.push((path, place.text())),
        }
    }
    new.iter().try_for_each(|(path, _)| make_folders(root, path))?;
    let edits: Vec<FileEdit<'_>> = new
        .iter()
        .map(|(path, text)| FileEdit {
            path: root.join(path),
            old: None,
            new: Some(text),
            like: None,
        })
        .collect();
    write_together(&edits)?;
    Ok(new.into_iter().map(|(path, _)| path).collect())
}

/// Makes the folders of a file. A link could lead out of the repository, so it is refused.
fn make_folders(root: &Path, path: &str) -> Result<(), Failure> {
    let mut folder = root.to_owned();
    let folders = Path::new(path).parent().into_iter().flat_map(Path::components);
    for part in folders {
        folder.push(part);
        match folder.symlink_metadata() {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => {
                let what = format!("{} is not a folder", folder.display());
                return Err(Failure::new(what));
            }
            Err(_) => fs::create_dir(&folder).map_err(|error| {
                Failure::new(format!("cannot make the folder {}: {error}", folder.display()))
            })?,
        }
    }
    Ok(())
}
