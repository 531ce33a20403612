//! The base64 of bundle objects: whether Go can decode it, and the content of the objects that
//! matter.

/// Go's error for the first byte that is not base64.
pub(super) fn fault(text: &str) -> Option<String> {
    // Go ignores line breaks.
    let bytes: Vec<(usize, u8)> =
        text.bytes().enumerate().filter(|(_, byte)| !matches!(byte, b'\r' | b'\n')).collect();
    let padding = bytes.iter().rev().take_while(|(_, byte)| *byte == b'=').count().min(2);
    let digits = &bytes[..bytes.len() - padding];
    let wrong = digits.iter().find(|(_, byte)| value(*byte).is_none()).map(|(at, _)| *at);
    let wrong =
        wrong.or_else(|| (!bytes.len().is_multiple_of(4)).then(|| text.len() - bytes.len() % 4));
    let wrong = wrong.or_else(|| (padding == 2 && digits.len() % 4 == 3).then(|| text.len() - 1));
    wrong.map(|at| format!("illegal base64 data at input byte {at}"))
}

/// The content of an object that may name what its bundle substitutes for. All other objects,
/// nearly all bytes of a catalog, stay encoded.
pub(super) fn decoded(text: &str) -> Option<Vec<u8>> {
    let can_name = NEEDLES.iter().any(|needle| text.contains(needle));
    can_name.then(|| {
        let digits = text.bytes().filter_map(value);
        let mut decoded = Vec::with_capacity(text.len() / 4 * 3);
        let (mut bits, mut count) = (0_u32, 0);
        for digit in digits {
            bits = bits << 6 | u32::from(digit);
            count += 6;
            if count >= 8 {
                count -= 8;
                decoded.push(u8::try_from(bits >> count & 0xff).unwrap_or_default());
            }
        }
        decoded
    })
}

/// What base64 makes of `substitutesFor`. Base64 encodes three bytes at a time, so there are three
/// texts, one for each offset. The characters that also depend on the bytes around are omitted.
pub(crate) const NEEDLES: [&str; 3] =
    ["c3Vic3RpdHV0ZXNGb3", "N1YnN0aXR1dGVzRm9y", "zdWJzdGl0dXRlc0Zvc"];

fn value(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}
