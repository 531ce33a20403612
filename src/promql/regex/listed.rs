//! Patterns that only list texts, as most do: `apple|pear`, `4[.][0-9][.].*`. To compare texts is
//! much faster than to compile a pattern for a few values.

use regex_syntax::hir::{Dot, Hir, HirKind};

use super::pattern::exact;

/// The most texts: of more, a compiled pattern tries all at once.
const MOST: usize = 32;

/// The texts that a pattern lists.
pub(crate) struct Listed(Vec<Text>);

/// A text, and what may follow it.
struct Text {
    start: Vec<u8>,
    rest: Rest,
}

#[derive(Clone, Copy)]
enum Rest {
    Nothing,
    /// Anything without a line feed.
    Line,
    Anything,
}

impl Listed {
    /// `None`: the pattern does more than list texts, or they are many.
    pub(super) fn new(hir: &Hir) -> Option<Self> {
        if !hir.properties().look_set().is_empty() {
            return None;
        }
        texts(hir).map(Self)
    }

    pub(super) fn is_match(&self, value: &str) -> bool {
        let value = value.as_bytes();
        self.0.iter().any(|text| match text.rest {
            Rest::Nothing => *value == *text.start,
            Rest::Line => {
                value.strip_prefix(&*text.start).is_some_and(|rest| !rest.contains(&b'\n'))
            }
            Rest::Anything => value.starts_with(&text.start),
        })
    }
}

fn texts(hir: &Hir) -> Option<Vec<Text>> {
    let texts = match hir.kind() {
        HirKind::Capture(capture) => texts(&capture.sub)?,
        HirKind::Repetition(repetition) if repetition.min == 0 && repetition.max.is_none() => {
            vec![Text { start: Vec::new(), rest: rest(&repetition.sub)? }]
        }
        HirKind::Alternation(arms) => {
            let mut all = Vec::new();
            for arm in arms {
                all.extend(texts(arm)?);
                if all.len() > MOST {
                    return None;
                }
            }
            all
        }
        HirKind::Concat(parts) => {
            let (last, before) = parts.split_last()?;
            let (starts, ends) = (exact(&Hir::concat(before.to_vec()))?, texts(last)?);
            if starts.len() * ends.len() > MOST {
                return None;
            }
            let after = |start: &[u8], end: &Text| Text {
                start: [start, &end.start].concat(),
                rest: end.rest,
            };
            starts.iter().flat_map(|start| ends.iter().map(|end| after(start, end))).collect()
        }
        _ => {
            let texts = exact(hir)?.into_iter();
            texts.map(|start| Text { start, rest: Rest::Nothing }).collect()
        }
    };
    (texts.len() <= MOST).then_some(texts)
}

/// What any number of characters of a class is.
fn rest(class: &Hir) -> Option<Rest> {
    let is_dot = |dot| *class == Hir::dot(dot);
    if is_dot(Dot::AnyChar) {
        return Some(Rest::Anything);
    }
    is_dot(Dot::AnyCharExceptLF).then_some(Rest::Line)
}
