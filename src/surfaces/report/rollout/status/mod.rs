//! The report of `rollout status`: the progress of a cluster's update, and what it waits for.

mod human;
mod json;
mod nodes;

use std::io::{self, Write};

use crate::domain::Format;
use crate::payload::{Mode, Slot};
use crate::report::printed::{Printed, Writer};
use crate::report::{Style, wrapped};
use crate::rollout::{Held, Hold, Objects, OldVersion, PoolView, UpdateStatus};

#[derive(Debug)]
pub(crate) struct StatusReport<'a> {
    pub objects: &'a Objects,
    pub status: UpdateStatus<'a>,
    pub pools: Vec<PoolView<'a>>,
}

impl Printed for StatusReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => Self::write_human,
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl<'a> StatusReport<'a> {
    pub(crate) fn of(objects: &'a Objects, status: UpdateStatus<'a>) -> Self {
        Self { objects, status, pools: PoolView::all(objects) }
    }

    /// Whether the update waits for something.
    pub(crate) fn waits(&self) -> bool {
        !self.status.holds.is_empty()
            || self.objects.cluster_version.is_some() && self.status.mode != Mode::Reconciling
            || self.pools.iter().any(|view| view.is_updating() || view.hold().is_some())
    }

    fn write_human(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        wrapped(style, out, |out| human::write_update(self, style, out))?;
        human::write_table(self, out)?;
        nodes::write_table(self, out)?;
        wrapped(style, out, |out| {
            nodes::write_pools(self, style, out)?;
            human::write_missing(self, out)
        })
    }

    /// The level of a ClusterOperator. None if it is unknown.
    fn level(&self, held: &Held) -> Option<&str> {
        let progress = self.status.progress.as_ref()?;
        let file = &progress.payload.manifests[held.manifest?].file;
        Slot::of(file).map(|slot| slot.level)
    }
}

/// Why a ClusterOperator holds the update, to follow a colon.
fn why(hold: &Hold) -> String {
    match hold {
        Hold::NoVersions => "the payload declares no versions for it".to_owned(),
        Hold::Missing => "the cluster has no such ClusterOperator".to_owned(),
        Hold::NotAvailable => "not available".to_owned(),
        Hold::Degraded => "degraded".to_owned(),
        Hold::OldVersions(old) => {
            let version = |old: &OldVersion| {
                let current = old.current.as_deref().unwrap_or("missing");
                format!("{} is {current}, not {}", old.name, old.expected)
            };
            let versions: Vec<String> = old.iter().map(version).collect();
            format!("versions not reached ({})", versions.join("; "))
        }
    }
}
