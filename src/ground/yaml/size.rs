//! How many values a text can have, before it is read.

/// An upper bound for the number of keys and values in a YAML text. Each needs a character of its
/// own, or shares one with the other half of an entry.
pub(crate) fn most_values(text: &[u8]) -> usize {
    let mut marks = 0;
    // Without a condition for each byte, the compiler checks many at once.
    for chunk in text.chunks(128) {
        let of_chunk: u8 = chunk.iter().map(|byte| u8::from(is_mark(*byte))).sum();
        marks += usize::from(of_chunk);
    }
    2 * marks + 2
}

fn is_mark(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b',' | b':' | b'?' | b'-' | b'[' | b'{')
}

#[cfg(test)]
mod tests {
    use super::most_values;
    use crate::yaml;

    #[test]
    fn no_text_has_more_values_than_counted() {
        for text in [
            "",
            "a",
            "a: b",
            "?",
            "?\n?\n?\n",
            "-\n-\n",
            "[,,]",
            "[a, b]",
            "{a, b}",
            "{a: {b: c}}",
            "- - - a",
            "- a: b\n  c: d",
            "? a\n: b",
            "{? a : b, ?}",
            "a:\r  - b\r  - c",
            "[[[[]]]]",
        ] {
            let Ok(document) = yaml::parse(text) else { continue };
            assert!(document.nodes().len() <= most_values(text.as_bytes()), "{text:?}");
        }
    }
}
