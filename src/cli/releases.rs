//! `--releases`: where the updates that releases list come from.

use std::io::Write;
use std::path::Path;

use crate::graph_data::{ARCHITECTURES, GraphData};
use crate::history::Cache;
use crate::lineage::{Given, Lineage, Past, SourceError};
use crate::text::printable;

use super::Failure;
use super::args::{Common, Releases};

impl Releases {
    /// What the sources say of the releases of some architectures. Given answers of the service
    /// are for `arch`.
    pub(super) fn read(
        &self,
        data: &GraphData,
        (root, revision): (&Path, Option<&str>),
        arch: &str,
        architectures: &[&str],
    ) -> Result<Lineage, Failure> {
        let cache = if self.no_cache { Cache::none() } else { Cache::of_user() };
        let past = || Past::read(root, revision, &cache);
        let is_history = |path: &&std::path::PathBuf| path.as_os_str() == "history";
        let given = self.releases.iter().filter(|path| !is_history(path));
        let given: Vec<Given> = given.map(|path| Given::read(path)).collect::<Result<_, _>>()?;
        if given.is_empty() {
            return Ok(Lineage::predicted(data, &past(), architectures));
        }
        Ok(Lineage::of(&given, arch, data, architectures, past))
    }
}

/// Says on the side where the updates come from, and what is to be known of that.
pub(super) fn tell(lineage: &Lineage, common: &Common, err: &mut dyn Write) -> Result<(), Failure> {
    // A few notes are read; a page of them is not.
    const MOST: usize = 8;
    if common.quiet {
        return Ok(());
    }
    for note in lineage.notes.iter().take(MOST) {
        writeln!(err, "exitpath: {}", printable(note))?;
    }
    if lineage.notes.len() > MOST {
        writeln!(err, "exitpath: and {} more of that kind", lineage.notes.len() - MOST)?;
    }
    if common.verbose {
        writeln!(err, "exitpath: updates come from {}", printable(&lineage.source))?;
    }
    Ok(())
}

/// Every architecture, or the one that is asked for.
pub(super) fn architectures(asked: Option<&str>) -> Result<Vec<&str>, Failure> {
    match asked {
        None => Ok(ARCHITECTURES.to_vec()),
        Some(arch) if ARCHITECTURES.contains(&arch) => Ok(vec![arch]),
        Some(arch) => {
            let failure = Failure::new(format!("there is no architecture `{arch}`"));
            Err(failure.hint(format!("there are: {}", ARCHITECTURES.join(", "))))
        }
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        let failure = Self::new(error.what);
        match error.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}
