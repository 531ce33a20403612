//! The objects of a cluster: from files, must-gathers, and standard input.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::cluster::object::{Alert, alerts};
use crate::objects::{self, ObjectError, gathered, text_at};
use crate::session::Failure;

use super::file_text::{file_text, named};

/// 5,000 nodes have about 100 MiB.
const LARGEST: u64 = 256 << 20;

/// The objects of a cluster, and the alerts of its Prometheus.
#[derive(Debug, Default)]
pub(super) struct ClusterObjects {
    pub(super) objects: Vec<Json>,
    /// None: nobody said which alerts there are.
    pub(super) alerts: Option<Vec<Alert>>,
    names: BTreeSet<[String; 3]>,
}

/// Which objects of a must-gather to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those that matter for updates that are to come.
    Usual,
    /// Also MachineConfigs, which are large.
    WithMachineConfigs,
}

impl ClusterObjects {
    /// Of files, of folders that `oc adm must-gather` wrote, and of standard input: `-`.
    pub(super) fn read(paths: &[PathBuf], wanted: Wanted) -> Result<Self, Failure> {
        let mut found = Self::default();
        for path in paths {
            if path.is_dir() {
                let fail = |why| Failure::new(format!("cannot use {}: {why}", path.display()));
                let files = gathered(path).map_err(fail)?;
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
        let fail = |ObjectError(why)| Failure::new(format!("cannot use {}: {why}", named(file)));
        self.add(&text).map_err(fail)
    }

    fn add(&mut self, text: &str) -> Result<(), ObjectError> {
        let objects = objects::read(text)?;
        if let [only] = objects.as_slice()
            && let Some(alerts) = alerts(only)
        {
            self.alerts.get_or_insert_default().extend(alerts?);
            return Ok(());
        }
        if objects.is_empty() {
            return Err(ObjectError("it has no objects".to_owned()));
        }
        for object in objects {
            let [kind, namespace, name] =
                ["/kind", "/metadata/namespace", "/metadata/name"].map(|at| text_at(&object, at));
            if kind.is_empty() {
                return Err(ObjectError("an object has no `kind`".to_owned()));
            }
            let id = [kind, namespace, name].map(str::to_owned);
            if !name.is_empty() && !self.names.insert(id) {
                return Err(ObjectError(format!("the {kind} `{name}` appears twice")));
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
