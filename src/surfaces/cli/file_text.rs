//! Texts that the user names: files, and standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::text::{Failure, read_up_to};

/// What stands for standard input on the command line.
pub(super) const INPUT: &str = "-";

/// The text of a file, or of standard input.
pub(super) fn file_text(file: &Path, most: u64) -> Result<String, Failure> {
    let name = named(file);
    if is_input(file) {
        return text_of(io::stdin().lock(), &name, most);
    }
    let opened = File::open(file).map_err(|error| Failure::unreadable(&name, &error))?;
    text_of(opened, &name, most)
}

/// How messages name a file.
pub(super) fn named(file: &Path) -> String {
    if is_input(file) { "<stdin>".to_owned() } else { file.display().to_string() }
}

fn is_input(file: &Path) -> bool {
    file == Path::new(INPUT)
}

fn text_of(input: impl Read, name: &str, most: u64) -> Result<String, Failure> {
    let bytes = read_up_to(most, input).map_err(|error| Failure::unreadable(name, &error))?;
    let bytes = bytes.ok_or_else(|| {
        let most = most >> 20;
        Failure::new(format!("cannot use {name}: it has more than {most} MiB"))
    })?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::new(format!("cannot read {name}: it is not UTF-8 text")))
}
