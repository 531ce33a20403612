//! Cuts a text into documents.

/// The documents of a text, and where each begins: the parts between lines that begin with `---`.
pub(crate) fn parts(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let is_separator = line.trim_end() == "---" || line.starts_with("--- ");
        if is_separator {
            parts.push((start, text.get(start..at).unwrap_or_default()));
            start = at + if line.starts_with("--- ") { 4 } else { line.len() };
        }
        at += line.len();
    }
    parts.push((start, text.get(start..).unwrap_or_default()));
    parts.retain(|(_, part)| !part.trim().is_empty());
    parts
}
