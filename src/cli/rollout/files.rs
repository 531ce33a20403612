//! The objects of a cluster, from files.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::cli::file_text::file_text;
use crate::rollout::Objects;
use crate::session::Failure;

/// 5,000 nodes have about 100 MiB.
const LARGEST: u64 = 256 << 20;

pub(super) fn objects(files: &[PathBuf]) -> Result<Objects, Failure> {
    let mut objects = Objects::default();
    for file in files {
        let name =
            if file == Path::new("-") { "<stdin>".to_owned() } else { file.display().to_string() };
        let text = if file == Path::new("-") { stdin()? } else { file_text(file, LARGEST)? };
        let fail = |why: String| Failure::new(format!("cannot use {name}: {why}"));
        objects.add(&text).map_err(fail)?;
    }
    objects.finish().map_err(|why| {
        Failure::new(why)
            .hint("write them with `oc get clusterversion,clusteroperators,mcp,nodes -o yaml`")
    })
}

fn stdin() -> Result<String, Failure> {
    let fail = |why: String| Failure::new(format!("cannot read <stdin>: {why}"));
    let mut text = String::new();
    let read = std::io::stdin().lock().take(LARGEST + 1).read_to_string(&mut text);
    read.map_err(|error| fail(error.to_string()))?;
    if text.len() as u64 > LARGEST { Err(fail("it is too large".to_owned())) } else { Ok(text) }
}
