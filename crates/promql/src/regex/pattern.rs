//! What is known about the texts that a pattern matches.

use std::ops::Range;

use regex_syntax::hir::literal::{ExtractKind, Extractor, Literal};
use regex_syntax::hir::{Hir, HirKind, Look};

use super::compiled::with_syntax;

/// Whether a pattern matches the empty text, and with it series without the label.
pub fn matches_empty(text: &str) -> bool {
    with_syntax(text, is_empty_match).unwrap_or(false)
}

fn is_empty_match(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty => true,
        HirKind::Look(look) => !matches!(look, Look::WordAscii | Look::WordUnicode),
        HirKind::Literal(_) | HirKind::Class(_) => false,
        HirKind::Repetition(repetition) => repetition.min == 0 || is_empty_match(&repetition.sub),
        HirKind::Capture(capture) => is_empty_match(&capture.sub),
        HirKind::Concat(parts) => parts.iter().all(is_empty_match),
        HirKind::Alternation(arms) => arms.iter().any(is_empty_match),
    }
}

/// Every value that a pattern matches, if there are few.
pub fn values(text: &str) -> Option<Vec<String>> {
    let texts = with_syntax(text, exact)??;
    Some(texts.iter().map(|text| lossy(text)).collect())
}

/// Every text that a pattern matches, if there are few. Conditions on positions, such as `^`, count
/// as true.
fn exact(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    let literals = Extractor::new().extract(hir);
    let exact = |literal: &Literal| literal.is_exact().then(|| literal.as_bytes().to_vec());
    literals.literals()?.iter().map(exact).collect()
}

/// The alternatives of a pattern, with their positions: the parts between those `|` that are not in
/// a group.
pub fn alternatives(text: &str) -> Vec<Range<usize>> {
    let mut alternatives = Vec::new();
    let (mut start, mut depth, mut in_class, mut is_escaped) = (0, 0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b']' => in_class = false,
            _ if in_class => {}
            b'[' => in_class = true,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => {
                alternatives.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    alternatives.push(start..text.len());
    alternatives
}

/// Whether a pattern lists different names, as in `(apple|pear)[.].*`.
pub fn names_several(text: &str) -> bool {
    let prefixes = with_syntax(text, |syntax| Extractor::new().limit_class(1).extract(syntax));
    let Some(prefixes) = prefixes else { return false };
    let Some(prefixes) = prefixes.literals() else { return true };
    let first = prefixes.first().map(Literal::as_bytes).unwrap_or_default();
    prefixes.iter().any(|other| {
        // If one text begins with the other, both may be the same name.
        !other.as_bytes().starts_with(first) && !first.starts_with(other.as_bytes())
    })
}

/// The possible endings of all texts that a pattern matches, if they are known.
pub fn endings(text: &str) -> Option<Vec<String>> {
    let suffixes =
        with_syntax(text, |syntax| Extractor::new().kind(ExtractKind::Suffix).extract(syntax))?;
    Some(suffixes.literals()?.iter().map(|literal| lossy(literal.as_bytes())).collect())
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
