//! `--releases`: where the updates that releases list come from.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use crate::graph_data::{self, ARCHITECTURES, GraphData};
use crate::history::Cache;
use crate::lineage::{Given, Lineage, Past, SourceError};
use crate::text::printable;

use super::Failure;
use super::args::{Common, Releases};

impl Releases {
    /// A repository, and what the sources say of the releases of some architectures. Given
    /// answers of the service are for `arch`.
    pub(super) fn read(
        &self,
        root: &Path,
        revision: Option<&str>,
        arch: &str,
        architectures: &[&str],
    ) -> Result<(GraphData, Lineage), Failure> {
        let is_history = |path: &&PathBuf| path.as_os_str() == "history";
        let given = self.releases.iter().filter(|path| !is_history(path));
        let given: Vec<Given> = given.map(|path| Given::read(path)).collect::<Result<_, _>>()?;
        let needs_past = given.is_empty() || given.iter().any(Given::is_answer);
        let cache = if self.no_cache { Cache::none() } else { Cache::of_user() };
        // git and the files are read side by side.
        let (data, past) = thread::scope(|scope| {
            let past = scope.spawn(|| match needs_past {
                true => Past::read(root, revision, &cache),
                false => Past::none(),
            });
            let data = graph_data::blobs(root, revision).map(GraphData::from_blobs);
            (data, past.join().unwrap_or_else(|_| Past::none()))
        });
        let data = data?;
        let lineage = if given.is_empty() {
            Lineage::predicted(&data, &past, architectures)
        } else {
            Lineage::of(&given, arch, &data, architectures, &past)
        };
        Ok((data, lineage))
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
