//! A hash that does not change between versions.

/// FNV-1a, because the hashers of the standard library may change between versions.
pub(crate) fn fnv_hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
