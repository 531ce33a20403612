//! Reads the file with the token that a client sends to a server.

use std::fs::File;
use std::path::Path;

use crate::text::{Failure, read_up_to};

/// The most bytes of a file with a token or a certificate.
const MOST: u64 = 4 << 20;

/// The token in a file.
pub(crate) fn token(path: &Path, notes: &mut Vec<String>) -> Result<String, Failure> {
    let name = path.display();
    let token = String::from_utf8(read(path)?).unwrap_or_default();
    let token = token.trim();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Failure::new(format!("{name} has no token"))
            .hint("`oc whoami --show-token` prints one"));
    }
    if is_readable_by_all(path) {
        notes.push(format!("every user of this machine can read the token in {name}"));
    }
    Ok(token.to_owned())
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = path.display().to_string();
    let unreadable = |error| Failure::unreadable(&name, &error);
    if path.metadata().map_err(unreadable)?.is_dir() {
        return Err(Failure::new(format!("{name} is a folder")));
    }
    let bytes = File::open(path).and_then(|file| read_up_to(MOST, file)).map_err(unreadable)?;
    bytes.ok_or_else(|| Failure::new(format!("{name} has more than {} MiB", MOST >> 20)))
}

#[cfg(unix)]
fn is_readable_by_all(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o004 != 0)
}

#[cfg(not(unix))]
fn is_readable_by_all(_: &Path) -> bool {
    false
}
