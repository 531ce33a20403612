//! Files that the user names.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::session::Failure;

/// A namespace with thousands of CSVs, and their annotations.
const LARGEST: u64 = 64 << 20;

/// The text of a file, or of standard input.
pub(super) fn read_text(file: &Path, path: &str) -> Result<String, Failure> {
    let fail = |error: io::Error| Failure::new(format!("cannot read {path}: {error}"));
    let mut text = String::new();
    if path == "<stdin>" {
        io::stdin().lock().take(LARGEST + 1).read_to_string(&mut text).map_err(fail)?;
    } else {
        let opened = File::open(file).map_err(fail)?;
        opened.take(LARGEST + 1).read_to_string(&mut text).map_err(fail)?;
    }
    if text.len() as u64 > LARGEST {
        let most = LARGEST >> 20;
        return Err(Failure::new(format!("cannot use {path}: it has more than {most} MiB")));
    }
    Ok(text)
}
