//! Matches small patterns, such as `apple|pear` and `4[.][0-9]*[.].*`. Most patterns are small.
//! Interpreting such a pattern is much faster than compiling it for a few values.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

/// The most parts of a small pattern, so that no value takes long.
const MOST: usize = 96;

/// The longest value, in bytes. A set has no bits for more positions.
const LONGEST: usize = 127;

/// A set of positions in a value. Bit 0 is its start.
type Places = u128;

/// A pattern that is interpreted.
#[derive(Debug)]
pub(super) struct Small(Hir);

impl Small {
    /// None if the pattern is not small, or if it has parts that this interpreter does not support.
    pub(super) fn new(hir: Hir) -> Option<Self> {
        (parts(&hir)? <= MOST).then_some(Self(hir))
    }

    pub(super) fn syntax(&self) -> &Hir {
        &self.0
    }

    /// Whether the pattern matches. None if the value is too long.
    pub(super) fn is_match(&self, value: &str) -> Option<bool> {
        let is_short = value.len() <= LONGEST;
        is_short.then(|| ends(&self.0, value, 1) & 1 << value.len() != 0)
    }
}

/// The number of parts of a pattern. None if it has an unsupported part.
fn parts(hir: &Hir) -> Option<usize> {
    match hir.kind() {
        HirKind::Empty | HirKind::Literal(_) => Some(1),
        HirKind::Class(Class::Unicode(class)) => Some(1 + class.ranges().len()),
        HirKind::Repetition(repetition) => {
            // Only nested repetitions take long.
            let is_class = matches!(repetition.sub.kind(), HirKind::Class(_));
            let is_simple = match (repetition.min, repetition.max) {
                (0, Some(1)) => true,
                (0 | 1, None) => is_class,
                _ => false,
            };
            is_simple.then(|| parts(&repetition.sub))?
        }
        HirKind::Capture(capture) => parts(&capture.sub),
        HirKind::Concat(several) | HirKind::Alternation(several) => {
            several.iter().try_fold(0, |sum, hir| Some(sum + parts(hir)?))
        }
        HirKind::Class(Class::Bytes(_)) | HirKind::Look(_) => None,
    }
}

/// The positions where a part of a pattern can end if it starts at one of these positions.
fn ends(hir: &Hir, value: &str, starts: Places) -> Places {
    if starts == 0 {
        return 0;
    }
    match hir.kind() {
        HirKind::Empty => starts,
        HirKind::Literal(text) => {
            let found = each(starts).filter(|at| value.as_bytes()[*at..].starts_with(&text.0));
            found.fold(0, |ends, at| ends | 1 << (at + text.0.len()))
        }
        HirKind::Class(Class::Unicode(class)) => {
            each(starts).fold(0, |ends, at| ends | end_of_one(class, value, at))
        }
        HirKind::Repetition(repetition) => {
            let none = if repetition.min == 0 { starts } else { 0 };
            none | match (repetition.sub.kind(), repetition.max) {
                (HirKind::Class(Class::Unicode(class)), None) => ends_of_many(class, value, starts),
                _ => ends(&repetition.sub, value, starts),
            }
        }
        HirKind::Capture(capture) => ends(&capture.sub, value, starts),
        HirKind::Concat(several) => {
            several.iter().fold(starts, |starts, hir| ends(hir, value, starts))
        }
        HirKind::Alternation(several) => {
            several.iter().fold(0, |all, hir| all | ends(hir, value, starts))
        }
        HirKind::Class(Class::Bytes(_)) | HirKind::Look(_) => 0,
    }
}

/// The position after one character of a class.
fn end_of_one(class: &ClassUnicode, value: &str, at: usize) -> Places {
    let Some(c) = value.get(at..).and_then(|rest| rest.chars().next()) else { return 0 };
    let takes = |range: &ClassUnicodeRange| (range.start()..=range.end()).contains(&c);
    if class.ranges().iter().any(takes) { 1 << (at + c.len_utf8()) } else { 0 }
}

/// The positions after one or more characters of a class.
fn ends_of_many(class: &ClassUnicode, value: &str, starts: Places) -> Places {
    let first = starts.trailing_zeros() as usize;
    let takes_all = *class.ranges() == [ClassUnicodeRange::new('\0', char::MAX)];
    if takes_all && value.is_ascii() {
        let up_to_end = Places::MAX >> (LONGEST - value.len());
        return Places::MAX << first << 1 & up_to_end;
    }
    let mut ends = 0;
    for at in first..value.len() {
        if (starts | ends) >> at & 1 != 0 {
            ends |= end_of_one(class, value, at);
        }
    }
    ends
}

/// The positions in a set, in ascending order.
fn each(mut places: Places) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = places.trailing_zeros();
        places &= places.checked_sub(1)?;
        Some(at as usize)
    })
}
