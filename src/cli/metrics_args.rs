//! Flags that say where the series of a query come from.

use std::path::PathBuf;

use clap::Args;

use crate::metrics::{Series, Source};
use crate::promql::{self, Dialect};
use crate::session::{Failure, Note};

/// Where the series of a query come from.
#[derive(Debug, Args)]
pub(super) struct MetricsArgs {
    /// A file with series.
    #[arg(long, value_name = "FILE")]
    pub(super) metrics: Option<PathBuf>,
}

impl MetricsArgs {
    pub(super) fn source(&self) -> Result<(Source, Vec<Note>), Failure> {
        let text = std::fs::read_to_string(self.metrics.as_ref().unwrap_or(&PathBuf::new()))
            .map_err(|e| Failure::new(e.to_string()))?;
        let time = 1_755_896_700_000;
        let store = promql::read(&text, time).store;
        Ok((Source::Series(Series { store, time, cluster_id: None }, Dialect::Two), Vec::new()))
    }
}
