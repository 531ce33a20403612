//! Phrases that several messages share.

/// The beginning of a text, so that a long query does not make a message long.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

pub(super) fn counted(n: usize, noun: &str) -> String {
    match n {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        _ => format!("{n} {noun}s"),
    }
}

pub(super) fn not_a_literal(text: &str) -> String {
    format!("`{}` is neither a number nor a duration", shortened(text))
}

pub(super) fn experimental(name: &str) -> String {
    format!("`{name}` is experimental; clusters do not enable it")
}

pub(super) const DURATION_ARITHMETIC: &str =
    "calculating with durations is experimental; clusters do not enable it";
