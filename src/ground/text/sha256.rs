//! SHA-256, as hexadecimal digits.

use std::fmt::Write;

use sha2::{Digest, Sha256};

pub(crate) fn sha256(text: impl AsRef<[u8]>) -> String {
    Sha256::digest(text).iter().fold(String::with_capacity(64), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
