//! Reads input that can be larger than anybody meant.

use std::io::{self, Read};

/// All of it, or None if it has more bytes.
pub(crate) fn read_up_to(most: u64, input: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}
