//! Finds the catalog that clusters use after an update to the next OpenShift.

use std::path::{Path, PathBuf};

use crate::catalog::openshift_limit::{as_compared, next_minor};
use crate::catalog::{Loaded, Package, Places};
use crate::domain::Minor;
use crate::rules::NextCatalog;
use crate::text::Failure;

/// A folder with an optional version: `4.21=DIR`.
#[derive(Clone, Debug)]
pub(crate) struct MinorFolder {
    /// The version before the `=`.
    pub named: Option<Minor>,
    pub folder: PathBuf,
}

/// The catalog that follows another one.
#[derive(Debug)]
pub(super) struct Following {
    /// The index of the catalog among all that are read.
    at: usize,
    name: String,
    from: Option<Minor>,
}

impl MinorFolder {
    pub(crate) fn parse(text: &str) -> Self {
        let named = text
            .split_once('=')
            .and_then(|(minor, folder)| Some((Minor::parse(minor)?, PathBuf::from(folder))));
        match named {
            Some((minor, folder)) => Self { named: Some(minor), folder },
            None => Self { named: None, folder: PathBuf::from(text) },
        }
    }

    /// The version before the `=` or, without one, the version in the folder's name.
    fn minor(&self) -> Option<Minor> {
        self.named.or_else(|| of_name(&self.folder))
    }
}

impl Following {
    /// The catalog itself. `packages` are those of all catalogs that are read.
    pub(super) fn catalog<'a>(
        &self,
        loaded: &'a Loaded,
        packages: &'a [Vec<Package>],
    ) -> Option<NextCatalog<'a>> {
        let declared = &loaded.catalogs.get(self.at)?.declared;
        Some(NextCatalog {
            name: self.name.clone(),
            from: self.from,
            packages: packages.get(self.at)?,
            places: Places::of(declared),
        })
    }
}

/// For each named catalog, the one that follows it: a later one of these, or one of `next`, which
/// are read after `with` others.
pub(super) fn following(
    names: &[String],
    next: &[MinorFolder],
    with: usize,
) -> Result<Vec<Option<Following>>, Failure> {
    let own: Vec<Option<Minor>> = names.iter().map(|name| of_name(Path::new(name))).collect();
    let first = names.len() + with;
    let extra = next.iter().zip(first..).map(|(next, at)| (at, next.minor()));
    let known: Vec<(usize, Option<Minor>)> = extra.chain(own.iter().copied().enumerate()).collect();
    let mut is_used = vec![false; next.len()];
    let mut found = Vec::new();
    for from in own {
        let after = from.map(next_minor);
        let by_version =
            known.iter().find(|(_, minor)| after.is_some() && minor.map(as_compared) == after);
        let only = match (names, next) {
            ([_], [only]) => Some((first, only.minor())),
            _ => None,
        };
        found.push(only.or(by_version.copied()).map(|(at, minor)| {
            let given = at.checked_sub(first).and_then(|place| next.get(place));
            if let Some(used) = at.checked_sub(first).and_then(|place| is_used.get_mut(place)) {
                *used = true;
            }
            let path = given.map(|given| given.folder.display().to_string()).unwrap_or_default();
            let name = minor.or(from.map(next_minor)).map_or(path, |minor| minor.to_string());
            // A folder of several catalogs is not for one version.
            let before = minor.and_then(before);
            Following { at, name, from: from.or(before) }
        }));
    }
    match next.iter().zip(is_used).find(|(_, is_used)| !is_used) {
        Some((unused, _)) => {
            let folder = unused.folder.display();
            Err(Failure::new(format!("no catalog is for the OpenShift before {folder}"))
                .hint(format!("put its version in front, as in `--next-catalog 4.21={folder}`")))
        }
        None => Ok(found),
    }
}

/// The previous minor version. None if the number does not tell.
fn before(minor: Minor) -> Option<Minor> {
    let Minor { major, minor } = minor;
    minor.checked_sub(1).map(|minor| Minor { major, minor })
}

/// The OpenShift version in the name of a folder, such as `v4.21`.
fn of_name(path: &Path) -> Option<Minor> {
    let name = path.file_name()?.to_str()?;
    Minor::parse(name.strip_prefix('v').unwrap_or(name))
}
