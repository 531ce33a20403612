//! The objects of a cluster: from files, must-gathers, and standard input.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::cluster::object::{Alert, alerts};
use crate::objects::{self, ObjectError, gathered, text_at};
use crate::session::Failure;

use super::file_text::file_text;

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
        let is_input = file == Path::new("-");
        let text = if is_input { standard_input()? } else { file_text(file, LARGEST)? };
        let fail = |ObjectError(why)| {
            let name = if is_input { "<stdin>".into() } else { file.display().to_string() };
            Failure::new(format!("cannot use {name}: {why}"))
        };
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

fn standard_input() -> Result<String, Failure> {
    let fail = |why: String| Failure::new(format!("cannot read <stdin>: {why}"));
    let mut text = String::new();
    let read = std::io::stdin().lock().take(LARGEST + 1).read_to_string(&mut text);
    read.map_err(|error| fail(error.to_string()))?;
    if text.len() as u64 > LARGEST { Err(fail("it is too large".to_owned())) } else { Ok(text) }
}
