//! `--fleet FILE`: how many clusters run each release. clap prints the doc comments in this file as
//! help.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::analysis::ClusterCounts;
use crate::cli::common_args::CommonArgs;
use crate::cli::print;
use crate::fleet::Defaults;
use crate::graph::UpdateGraph;
use crate::session::Note;
use crate::text::Failure;
use crate::text::words::counted;

use super::read;

/// The flag that names a fleet.
#[derive(Debug, ClapArgs)]
pub(in crate::surfaces::cli) struct FleetCountArgs {
    /// Say how many clusters are affected. FILE has clusters as `exitpath fleet` reads them; their
    /// releases, channels, and counts matter. Clusters without a channel count in each.
    #[arg(long, value_name = "FILE")]
    fleet: Option<PathBuf>,
}

impl FleetCountArgs {
    pub(in crate::surfaces::cli) fn is_given(&self) -> bool {
        self.fleet.is_some()
    }

    /// How many clusters run each release. None without the flag. Clusters on a release that their
    /// channel does not have are counted in a note.
    pub(in crate::surfaces::cli) fn counts(
        &self,
        graph: &UpdateGraph,
        common: &CommonArgs,
        err: &mut dyn Write,
    ) -> Result<Option<ClusterCounts>, Failure> {
        let Some(file) = &self.fleet else { return Ok(None) };
        let mut counts = ClusterCounts::default();
        let defaults = Defaults { channel: Some(String::new()), ..Defaults::default() };
        read(file, &defaults, &mut |row| match row {
            Ok(row) => {
                counts.add(&row.class.version, &row.class.channel, row.count);
                Ok(())
            }
            Err(fault) => {
                let what = format!("{}:{}: {}", fault.file, fault.line, fault.why);
                Err(Failure::new(what))
            }
        })?;
        note(&counts, graph, common, err)
            .map_err(|error| Failure::new(format!("cannot write: {error}")))?;
        Ok(Some(counts))
    }
}

fn note(
    counts: &ClusterCounts,
    graph: &UpdateGraph,
    common: &CommonArgs,
    err: &mut dyn Write,
) -> io::Result<()> {
    let lost = usize::try_from(counts.elsewhere(graph)).unwrap_or(usize::MAX);
    if lost == 0 {
        return Ok(());
    }
    let clusters = counted(lost, "cluster");
    let text =
        format!("on a release that their channel does not have, and not counted: {clusters}");
    print::notes(&[Note { text, is_important: true }], common, err)
}
