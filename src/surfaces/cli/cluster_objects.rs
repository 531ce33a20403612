//! The objects of a cluster: from files, must-gathers, and standard input.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::cluster::object::{Alert, alerts};
use crate::objects::{self, gathered, text_at};
use crate::text::Failure;

use super::file_text::{file_text, named};

/// The largest file, in bytes. The objects of 5,000 nodes have about 100 MiB.
pub(super) const LARGEST: u64 = 256 << 20;

/// The objects of a cluster, and the alerts of its Prometheus.
#[derive(Debug, Default)]
pub(super) struct ClusterObjects {
    pub(super) objects: Vec<Json>,
    /// None if the alerts are unknown.
    pub(super) alerts: Option<Vec<Alert>>,
    names: BTreeSet<[String; 3]>,
}

/// Which objects of a must-gather to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The objects that matter for future updates.
    Usual,
    /// Also MachineConfigs, which are large.
    WithMachineConfigs,
}

impl ClusterObjects {
    /// Reads files, folders that `oc adm must-gather` wrote, and standard input (`-`).
    pub(super) fn read(paths: &[PathBuf], wanted: Wanted) -> Result<Self, Failure> {
        let mut found = Self::default();
        for path in paths {
            if path.is_dir() {
                let files = gathered(path).map_err(|failure| failure.cannot_use(&named(path)))?;
                let configs = match wanted {
                    Wanted::Usual => &[][..],
                    Wanted::WithMachineConfigs => &files.machine_configs,
                };
                for file in files.objects.iter().chain(configs).chain(&files.alerts) {
                    found.add_file(file)?;
                }
            } else {
                found.add_file(path)?;
            }
        }
        Ok(found)
    }

    fn add_file(&mut self, file: &Path) -> Result<(), Failure> {
        let text = file_text(file, LARGEST)?;
        self.add(&text).map_err(|failure| failure.cannot_use(&named(file)))
    }

    fn add(&mut self, text: &str) -> Result<(), Failure> {
        let objects = objects::read(text)?;
        if let [only] = objects.as_slice()
            && let Some(alerts) = alerts(only)
        {
            self.alerts.get_or_insert_default().extend(alerts?);
            return Ok(());
        }
        if objects.is_empty() {
            return Err(Failure::new("it has no objects".to_owned()));
        }
        for object in objects {
            let [kind, namespace, name] =
                ["/kind", "/metadata/namespace", "/metadata/name"].map(|at| text_at(&object, at));
            if kind.is_empty() {
                return Err(Failure::new("an object has no `kind`".to_owned()));
            }
            let id = [kind, namespace, name].map(str::to_owned);
            if !name.is_empty() && !self.names.insert(id) {
                return Err(Failure::new(format!("the {kind} `{name}` appears twice")));
            }
            self.objects.push(object);
        }
        Ok(())
    }

    /// The objects of a kind.
    pub(super) fn of_kind(&self, kind: &'static str) -> impl Iterator<Item = &Json> {
        self.objects.iter().filter(move |object| object["kind"] == kind)
    }
}
