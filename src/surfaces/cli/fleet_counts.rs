//! `--fleet FILE`: how many clusters run each release. clap prints the doc comments in this file as
//! help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::analysis::ClusterCounts;
use crate::fleet::{Defaults, read_rows};
use crate::text::Failure;

use super::file_text::named;
use super::fleet;

/// The flag that names a fleet.
#[derive(Debug, ClapArgs)]
pub(super) struct FleetCountArgs {
    /// Say how many clusters are concerned. FILE is a table as `exitpath fleet` reads it; the
    /// columns `version`, `channel`, and `count` matter. Clusters without a channel count in each.
    #[arg(long, value_name = "FILE")]
    fleet: Option<PathBuf>,
}

impl FleetCountArgs {
    pub(super) fn is_given(&self) -> bool {
        self.fleet.is_some()
    }

    /// How many clusters run each release. None without the flag.
    pub(super) fn counts(&self) -> Result<Option<ClusterCounts>, Failure> {
        let Some(file) = &self.fleet else { return Ok(None) };
        let mut counts = ClusterCounts::default();
        let defaults = Defaults { channel: Some(String::new()), ..Defaults::default() };
        let name = named(file);
        read_rows(fleet::open(file)?, &name, &defaults, &mut |row| match row {
            Ok(row) => {
                counts.add(&row.class.version, &row.class.channel, row.count);
                Ok(())
            }
            Err(fault) => Err(Failure::new(format!("{name}:{}: {}", fault.line, fault.why))),
        })?;
        Ok(Some(counts))
    }
}
