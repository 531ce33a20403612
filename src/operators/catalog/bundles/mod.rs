//! Folders of bundles as a catalog: what opm makes if somebody adds all of them to an index.

mod channels;
mod folder;
mod index;

use rayon::prelude::*;

use crate::text::{Condensed, Source, SourceId, Span};
use crate::tree::Unreadable;

use super::declared::{Declared, LoadCause, LoadFault};
use super::read::{BundlePart, Commented, Role, is_of_catalog, read_part, role};
use channels::Channels;
use folder::Folder;

/// The bundles below a folder.
#[derive(Debug, Default)]
pub(super) struct BundleTree {
    pub sources: Vec<Source>,
    pub declared: Declared,
    pub commented: Vec<Commented>,
}

/// The result of reading one file.
struct SeenFile {
    /// None if the file plays no role in a bundle.
    file: Option<(Source, Option<Unreadable>)>,
    names_package: bool,
    is_of_catalog: bool,
}

/// Reads the files, each by its index with `read_file`, if they are folders of bundles: some
/// annotations name a package, and no file is a document of a catalog. The first file gets the id
/// `first`.
pub(super) fn read(
    prefix: &str,
    files: &[(usize, &str)],
    first: usize,
    read_file: &(impl Fn(usize) -> Result<Condensed, Unreadable> + Sync),
) -> Option<BundleTree> {
    let is_annotations = |path: &str| matches!(role(path), Some((_, Role::Annotations)));
    if !files.iter().any(|(_, path)| is_annotations(path)) {
        return None;
    }
    let seen: Vec<SeenFile> =
        files.par_iter().map(|(at, path)| look(prefix, path, read_file(*at))).collect();
    let is_tree = seen.iter().any(|seen| seen.names_package);
    if !is_tree || seen.iter().any(|seen| seen.is_of_catalog) {
        return None;
    }
    let kept = files.iter().zip(seen).filter_map(|((_, path), seen)| {
        let ((folder, role), (source, failure)) = (role(path)?, seen.file?);
        Some((folder, role, source, failure))
    });
    let kept: Vec<_> = kept.collect();
    let parts: Vec<BundlePart> = kept
        .par_iter()
        .enumerate()
        .map(|(at, (_, role, source, failure))| {
            let id = SourceId::at(first + at);
            let mut part = read_part(source, id, *role);
            part.faults.extend(failure.as_ref().map(|why| unreadable(id, why)));
            part
        })
        .collect();
    let mut tree = BundleTree::default();
    let mut folders: Vec<(&str, Folder)> = Vec::new();
    let mut order: Vec<(&str, SourceId, BundlePart)> = Vec::new();
    for (at, ((folder, _, source, _), part)) in kept.into_iter().zip(parts).enumerate() {
        tree.sources.push(source);
        order.push((folder, SourceId::at(first + at), part));
    }
    // The files of a bundle's folder are consecutive, except for those of bundles inside it.
    order.sort_by_key(|(folder, id, _)| (*folder, *id));
    for (folder, id, mut part) in order {
        tree.commented.append(&mut part.commented);
        tree.declared.faults.append(&mut part.faults);
        match folders.last_mut() {
            Some((known, open)) if *known == folder => open.add(id, part),
            _ => {
                let mut open = Folder::default();
                open.add(id, part);
                folders.push((folder, open));
            }
        }
    }
    let mut channels = Channels::default();
    for (_, folder) in folders {
        folder.declare(&mut channels, &mut tree.declared);
    }
    channels.finish(&mut tree.declared);
    Some(tree)
}

/// The folder of the bundle that a file belongs to, if any.
pub(crate) fn bundle_folder(path: &str) -> Option<&str> {
    role(path).map(|(folder, _)| folder)
}

/// The folder of the bundle that this file with annotations belongs to.
pub(crate) fn annotated_bundle(path: &str) -> Option<&str> {
    role(path).filter(|(_, role)| *role == Role::Annotations).map(|(folder, _)| folder)
}

fn look(prefix: &str, path: &str, content: Result<Condensed, Unreadable>) -> SeenFile {
    let role = role(path);
    let (source, failure) = match content {
        Ok(Condensed { bytes, cuts }) => match String::from_utf8(bytes) {
            Ok(text) => (Source::condensed(format!("{prefix}{path}"), text, cuts), None),
            Err(_) => {
                (empty(prefix, path), Some(Unreadable::Io("it is not UTF-8 text".to_owned())))
            }
        },
        Err(why) => (empty(prefix, path), Some(why)),
    };
    let text = source.text();
    let is_annotations = matches!(role, Some((_, Role::Annotations)));
    SeenFile {
        names_package: is_annotations && text.contains(folder::PACKAGE),
        is_of_catalog: is_of_catalog(text),
        file: role.is_some().then_some((source, failure)),
    }
}

fn empty(prefix: &str, path: &str) -> Source {
    Source::new(format!("{prefix}{path}"), String::new())
}

fn unreadable(id: SourceId, why: &Unreadable) -> LoadFault {
    let why = super::read::reason(why);
    LoadFault { span: Span::new(id, 0..0), cause: LoadCause::Unreadable(why.clone()), words: why }
}
