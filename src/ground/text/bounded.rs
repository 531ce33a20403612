//! Reads input with a limit, because it can be larger than intended.

use std::io::{self, Read};

/// The complete input. None if it has more bytes than `most`.
pub(crate) fn read_up_to(most: u64, input: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}
