//! Reads the clusters of files and folders.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::Value as Json;

use crate::bridge::cluster_of_objects;
use crate::cli::cluster_objects::{ClusterObjects, LARGEST, Wanted};
use crate::cli::file_text::{INPUT, file_text, named};
use crate::cli::progress::ShownFile;
use crate::fleet::{Defaults, RowFault, TakeRow, read_rows, rows_of_objects};
use crate::objects;
use crate::text::Failure;

use super::operators::OperatedCluster;

/// Reads the clusters of a file or a folder. Returns those whose operators it has, too.
pub(super) fn read(
    file: &Path,
    defaults: &Defaults,
    take: &mut TakeRow<'_>,
) -> Result<Option<OperatedCluster>, Failure> {
    let name = named(file);
    if !has_objects(file) {
        read_rows(open(file)?, &name, defaults, take)?;
        return Ok(None);
    }
    let objects = objects_of(file)?;
    let rows = rows_of_objects(&objects, defaults).map_err(|failure| failure.cannot_use(&name))?;
    let operators = cluster_of_objects(&name, &objects);
    let operated = match rows.as_slice() {
        _ if operators.installed.is_empty() => None,
        [Ok(row)] => Some(OperatedCluster { class: row.class.clone(), operators }),
        [Err(_)] => None,
        _ => {
            let failure = Failure::new("it has operators and several clusters");
            let hint = "put each cluster with its operators into a file of its own";
            return Err(failure.hint(hint).cannot_use(&name));
        }
    };
    for (number, row) in (1..).zip(rows) {
        let fault = |why: Failure| {
            let why = why.to_string();
            RowFault { file: name.clone(), line: number, column: None, why }
        };
        take(row.map_err(fault))?;
    }
    Ok(operated)
}

/// Opens a table.
fn open(file: &Path) -> Result<Box<dyn Read>, Failure> {
    if file == Path::new(INPUT) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let opened = File::open(file).map_err(|error| Failure::unreadable(&named(file), &error))?;
    Ok(Box::new(ShownFile::new(opened)))
}

fn objects_of(path: &Path) -> Result<Vec<Json>, Failure> {
    if path.is_dir() {
        return Ok(ClusterObjects::read(&[path.to_owned()], Wanted::Usual)?.objects);
    }
    let text = file_text(path, LARGEST)?;
    objects::read(&text).map_err(|failure| failure.cannot_use(&named(path)))
}

/// Whether a path has objects of Kubernetes: a must-gather, or a file by its name.
fn has_objects(path: &Path) -> bool {
    let ends = ["yaml", "yml", "json"];
    path.is_dir()
        || path.extension().and_then(|end| end.to_str()).is_some_and(|end| ends.contains(&end))
}
