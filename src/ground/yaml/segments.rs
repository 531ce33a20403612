//! Maps each character of a scalar to its place in the file.
//!
//! Reading resolves folding, indentation, quotes, and escapes, but visible characters keep their
//! order. So this pairs visible characters one to one. It aligns the white space between two of
//! them from both ends, because indentation is in the middle.

use std::ops::Range;

use memchr::memchr;

use crate::text::Segments;

use super::lines::{line_length, lines};
use super::{Document, NodeId, Style, Value};

/// Maps offsets in the value of a scalar to bytes of `source`. Empty if the node is not a scalar.
pub fn segments(source: &str, document: &Document, id: NodeId) -> Segments {
    let node = document.resolved(id);
    let Value::Scalar(scalar) = &node.value else { return Segments::default() };
    let value = document.text_of(*scalar);
    let by_line =
        (scalar.style == Style::Literal).then(|| literal_segments(source, node.range(), value));
    by_line.flatten().unwrap_or_else(|| aligned_segments(source, node.range(), value, scalar.style))
}

/// The map of a literal text: each line of the value is the end of a line of the file. None if
/// white space makes that uncertain.
fn literal_segments(source: &str, range: Range<usize>, value: &str) -> Option<Segments> {
    let mut segments = Segments::until(range.end);
    let (mut value_at, mut at) = (0, range.start);
    if memchr(b'\r', source.get(range.clone())?.as_bytes()).is_some() {
        return None;
    }
    for line in lines(value.trim_end_matches('\n')) {
        let rest = source.get(at..range.end)?;
        let written = &rest[..line_length(rest)];
        let indentation = written.strip_suffix(line)?;
        let ends_in_space = matches!(written.as_bytes().last(), Some(b' ' | b'\t'));
        if ends_in_space || indentation.bytes().any(|byte| byte != b' ') {
            return None;
        }
        segments.push(value_at, at + indentation.len());
        value_at += line.len() + 1;
        at += written.len() + 1;
    }
    segments.push(value.len(), range.end);
    (at > range.end).then_some(segments)
}

fn aligned_segments(source: &str, range: Range<usize>, value: &str, style: Style) -> Segments {
    let written = source.get(range.clone()).unwrap_or_default();
    let mut units = match style {
        Style::Plain | Style::Literal | Style::Folded => raw_units(written, 0),
        Style::SingleQuoted => single_quoted_units(written),
        Style::DoubleQuoted => double_quoted_units(written),
    };
    for unit in &mut units {
        unit.at += range.start;
    }
    align(value, &units, range.end)
}

/// A piece of written text for one character of the value.
#[derive(Clone, Copy, Debug)]
struct Unit {
    /// Where it begins.
    at: usize,
    stands_for: char,
    /// Whether it is white space, which folding or indentation can change.
    soft: bool,
}

fn raw_units(written: &str, base: usize) -> Vec<Unit> {
    written
        .char_indices()
        .map(|(at, c)| Unit { at: base + at, stands_for: c, soft: is_space(c) })
        .collect()
}

fn single_quoted_units(written: &str) -> Vec<Unit> {
    let inner = written.strip_prefix('\'').unwrap_or(written);
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    let mut units = raw_units(inner, 1);
    let mut previous_was_quote = false;
    units.retain(|unit| {
        let second_of_pair = unit.stands_for == '\'' && previous_was_quote;
        previous_was_quote = unit.stands_for == '\'' && !second_of_pair;
        !second_of_pair
    });
    units
}

fn double_quoted_units(written: &str) -> Vec<Unit> {
    let inner = written.strip_prefix('"').unwrap_or(written);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut units = Vec::with_capacity(inner.len());
    let mut chars = inner.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let at = at + 1;
        if c != '\\' {
            units.push(Unit { at, stands_for: c, soft: is_space(c) });
            continue;
        }
        let Some((_, escape)) = chars.next() else { break };
        if is_break(escape) {
            // An escaped break joins two lines, and removes the white space around it.
            if escape == '\r' {
                chars.next_if(|(_, c)| *c == '\n');
            }
            while chars.next_if(|(_, c)| matches!(c, ' ' | '\t')).is_some() {}
            continue;
        }
        let digits = match escape {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let code: String = chars.by_ref().take(digits).map(|(_, c)| c).collect();
        units.push(Unit { at, stands_for: unescape(escape, &code), soft: false });
    }
    units
}

fn unescape(escape: char, code: &str) -> char {
    match escape {
        'x' | 'u' | 'U' => {
            u32::from_str_radix(code, 16).ok().and_then(char::from_u32).unwrap_or('\u{FFFD}')
        }
        '0' => '\0',
        'a' => '\x07',
        'b' => '\x08',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\x0B',
        'f' => '\x0C',
        'r' => '\r',
        'e' => '\x1B',
        'N' => '\u{85}',
        '_' => '\u{A0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        other => other,
    }
}

/// Pairs the characters of `value` with `units`; `end` is the byte after the last unit.
fn align(value: &str, units: &[Unit], end: usize) -> Segments {
    let mut segments = Segments::until(end);
    let mut value_at = 0;
    let mut next = 0;
    while next < units.len() {
        let hard =
            units[next..].iter().position(|unit| !unit.soft).map_or(units.len(), |n| next + n);
        let gap = &units[next..hard];
        let rest = &value[value_at..];
        let gap_in_value = match units.get(hard) {
            Some(unit) => length_in_value(gap, rest, unit.stands_for),
            None => rest.len(),
        };
        let after = units.get(hard).map_or(end, |unit| unit.at);
        align_gap(&rest[..gap_in_value], value_at, gap, after, &mut segments);
        value_at += gap_in_value;
        if let Some(unit) = units.get(hard) {
            segments.push(value_at, unit.at);
            value_at += value[value_at..].chars().next().map_or(0, char::len_utf8);
        }
        next = hard + 1;
    }
    segments.push(value.len().max(value_at), end);
    segments
}

/// How many bytes of `rest` come from the gap, if `following` is the character after it.
fn length_in_value(gap: &[Unit], rest: &str, following: char) -> usize {
    let white = rest.len() - rest.trim_start_matches(is_space).len();
    if !is_space(following) {
        return white;
    }
    // An escaped space or break follows, so count how many come from the gap.
    let breaks = count_breaks(gap);
    match breaks {
        0 => gap.iter().map(|unit| unit.stands_for.len_utf8()).sum(),
        1 => 1,
        n => n - 1,
    }
    .min(white)
}

fn align_gap(value: &str, value_at: usize, gap: &[Unit], after: usize, segments: &mut Segments) {
    let has_break = gap.iter().any(|unit| is_break(unit.stands_for));
    let first_break = value.find('\n').unwrap_or(value.len());
    let last_line = value.rfind('\n').map_or(value.len(), |at| at + 1);
    if !has_break {
        for (i, unit) in gap.iter().enumerate().take(value.len()) {
            segments.push(value_at + i, unit.at);
        }
        return;
    }
    // White space before the first break is at the gap's left end, white space after the last
    // one at its right end, and the breaks are between in order.
    for (i, unit) in gap.iter().enumerate().take(first_break) {
        segments.push(value_at + i, unit.at);
    }
    let mut breaks = gap.iter().enumerate().filter(|(i, unit)| {
        is_break(unit.stands_for)
            && !(unit.stands_for == '\n' && *i > 0 && gap[i - 1].stands_for == '\r')
    });
    for (i, _) in value[..last_line].char_indices().filter(|(i, c)| *i >= first_break && *c == '\n')
    {
        let at = breaks.next().map_or(after, |(_, unit)| unit.at);
        segments.push(value_at + i, at);
    }
    let tail = value.len() - last_line;
    for i in 0..tail {
        segments.push(value_at + last_line + i, after - (tail - i).min(after));
    }
}

fn count_breaks(gap: &[Unit]) -> usize {
    let carriage_returns = gap.iter().filter(|u| u.stands_for == '\r').count();
    let line_feeds = gap.iter().filter(|u| u.stands_for == '\n').count();
    carriage_returns.max(line_feeds)
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Style, Value, aligned_segments, literal_segments};
    use crate::yaml::parse;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), cases: 2000, ..ProptestConfig::default() })]

        /// A map by lines is the map by characters.
        #[test]
        fn the_lines_of_a_literal_text_are_where_its_characters_are(
            chomp in "[-+]?",
            lines in "( {0,3}[ab\t\r]{0,3} ?\n){1,6}",
            after in "\n{0,2}",
        ) {
            let indented: String = lines.split_inclusive('\n').map(|line| {
                if line == "\n" { line.to_owned() } else { format!("  {line}") }
            }).collect();
            let text = format!("a: |{chomp}\n  x{indented}{after}");
            let document = parse(&text);
            prop_assume!(document.is_ok());
            let document = document.unwrap_or_else(|_| unreachable!());
            let node = document.top("a").unwrap_or_else(|| unreachable!());
            let node = document.node(node);
            let Value::Scalar(scalar) = &node.value else { unreachable!() };
            let value = document.text_of(*scalar);
            prop_assert_eq!(scalar.style, Style::Literal);
            if let Some(by_line) = literal_segments(&text, node.range(), value) {
                let by_character = aligned_segments(&text, node.range(), value, scalar.style);
                prop_assert_eq!(by_line, by_character, "{:?}", text);
            }
        }
    }
}
