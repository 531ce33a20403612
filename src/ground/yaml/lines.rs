//! Splits a text into lines, many bytes at a time.

use memchr::memchr;

/// The number of bytes before the line break, or before the end.
pub(super) fn line_length(text: &str) -> usize {
    memchr(b'\n', text.as_bytes()).unwrap_or(text.len())
}

/// The parts between line breaks. After a final line break, there is an empty part.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let length = line_length(text);
        rest = text.get(length + 1..);
        Some(&text[..length])
    })
}
