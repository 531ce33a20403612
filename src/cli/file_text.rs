//! Files that flags name.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::session::Failure;

/// The text of a file.
pub(super) fn file_text(file: &Path, most: u64) -> Result<String, Failure> {
    let name = file.display();
    let fail = |error: std::io::Error| Failure::new(format!("cannot read {name}: {error}"));
    let mut text = String::new();
    let opened = File::open(file).map_err(fail)?;
    opened.take(most + 1).read_to_string(&mut text).map_err(fail)?;
    if text.len() as u64 > most {
        let most = most >> 20;
        return Err(Failure::new(format!("cannot use {name}: it has more than {most} MiB")));
    }
    Ok(text)
}
