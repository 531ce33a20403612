//! What is written around a place, line by line. During editing, a file is seldom YAML.

use std::ops::Range;

/// Where something is to be written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Writing<'t> {
    pub slot: Slot,
    /// The keys around the place, outermost first.
    pub keys: Vec<&'t str>,
    /// The text that is replaced, in bytes of the file. It ends at the cursor or after it.
    pub range: Range<usize>,
    /// The part of it before the cursor.
    pub written: &'t str,
}

/// What belongs at a place.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// A key. `others` are those of the same mapping.
    Key { others: Vec<String> },
    /// The value of the innermost key.
    Value,
    /// An item of the list of the innermost key.
    Item,
    /// A part of a text of several lines, which is the value of the innermost key. The text before
    /// and after the cursor, without its indentation.
    Block { before: String, after: String },
}

/// A line with its parts.
#[derive(Clone, Copy)]
struct Line<'t> {
    /// The byte at which it begins.
    start: usize,
    text: &'t str,
    /// How many spaces are before anything else.
    indent: usize,
    /// How many bytes are before its content: spaces, and marks of list items.
    content_at: usize,
}

impl<'t> Line<'t> {
    fn of(start: usize, text: &'t str) -> Self {
        let text = text.trim_end_matches(['\n', '\r']);
        let indent = text.len() - text.trim_start_matches(' ').len();
        let mut content_at = indent;
        while text[content_at..].starts_with("- ") || &text[content_at..] == "-" {
            let rest = text[content_at..].trim_start_matches('-');
            content_at = text.len() - rest.trim_start_matches(' ').len();
        }
        Self { start, text, indent, content_at }
    }

    fn content(&self) -> &'t str {
        &self.text[self.content_at..]
    }

    fn is_item(&self) -> bool {
        self.content_at > self.indent
    }

    fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn is_comment(&self) -> bool {
        self.content().starts_with('#')
    }

    /// The key before a `:`, without quotes, and the byte of the line after the `:`.
    fn key(&self) -> Option<(&'t str, usize)> {
        let content = self.content();
        let colon = content.find(':')?;
        let is_end = content[colon + 1..].is_empty() || content[colon + 1..].starts_with(' ');
        let key = content[..colon].trim();
        let is_word = !key.is_empty() && !key.contains([' ', '{', '[', '#']);
        (is_end && is_word).then(|| (key.trim_matches(['"', '\'']), self.content_at + colon + 1))
    }

    /// Whether the value of its key is a text in the lines below.
    fn opens_block(&self) -> bool {
        self.key().is_some_and(|(_, after)| {
            let value = without_comment(&self.text[after..]).trim();
            value.starts_with(['|', '>']) && value.len() <= 3
        })
    }
}

/// A part of a line without the comment at its end.
pub(super) fn without_comment(text: &str) -> &str {
    let is_quoted = text.trim_start().starts_with(['"', '\'']);
    let at = text.find(" #").filter(|_| !is_quoted);
    &text[..at.unwrap_or(text.len())]
}

/// What is to be written at a byte of a text. None in a comment, and where nothing is known.
pub(super) fn writing_at(text: &str, offset: usize) -> Option<Writing<'_>> {
    let offset = text.floor_char_boundary(offset);
    let lines = lines(text);
    let at = lines.partition_point(|line| line.start <= offset).checked_sub(1)?;
    let line = lines[at];
    let column = (offset - line.start).min(line.text.len());
    if let Some(writing) = in_block(text, &lines, at, offset) {
        return Some(writing);
    }
    if line.is_comment() {
        return None;
    }
    let here = |slot, keys, within: Range<usize>| {
        let range = line.start + within.start..line.start + within.end;
        let written = &text[range.start..offset.clamp(range.start, range.end)];
        Some(Writing { slot, keys, range, written })
    };
    let end = line.content_at + without_comment(line.content()).trim_end().len();
    if column > end.max(line.content_at) && end < line.text.trim_end().len() {
        return None;
    }
    if let Some((key, after)) = line.key()
        && column >= after
    {
        let start = line.text.len() - line.text[after..].trim_start().len();
        // Without a value, there may be any number of spaces.
        let start = if start >= end { column } else { start.min(column) };
        let mut keys = parents(&lines, at, line.content_at);
        keys.push(key);
        return here(Slot::Value, keys, start..end.max(start));
    }
    let indent = if line.is_empty() { column } else { line.content_at };
    let keys = parents(&lines, at, indent);
    if line.is_item() && line.key().is_none() && holds_texts(&lines, at) {
        return here(Slot::Item, keys, indent.min(column)..end.max(column));
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let content = line.text.get(indent..).unwrap_or_default();
    let word = content.find(|c| !is_word(c)).unwrap_or(content.len());
    let rest = content[word..].trim_end();
    // If something other than a key is here, a key would replace it.
    if column < indent || column > indent + word || !rest.is_empty() && !rest.starts_with(':') {
        return None;
    }
    here(Slot::Key { others: others(&lines, at, indent) }, keys, indent..indent + word)
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let mut lines: Vec<Line<'_>> = Vec::new();
    for line in text.split_inclusive('\n') {
        lines.push(Line::of(start, line));
        start += line.len();
    }
    if text.is_empty() || text.ends_with('\n') {
        lines.push(Line::of(start, ""));
    }
    lines
}

/// The keys around a line whose content has this indentation, outermost first.
fn parents<'t>(lines: &[Line<'t>], at: usize, indent: usize) -> Vec<&'t str> {
    let mut keys = Vec::new();
    let mut limit = indent;
    let mut is_item = lines[at].is_item();
    if is_item {
        limit = lines[at].indent;
    }
    for line in lines[..at].iter().rev().filter(|line| !line.is_empty() && !line.is_comment()) {
        let Some((key, _)) = line.key() else { continue };
        // `key:` and the items of its list can have the same indentation.
        let holds =
            line.content_at < limit || is_item && line.content_at == limit && !line.is_item();
        if holds {
            keys.push(key);
            limit = line.content_at;
            is_item = false;
        }
        if line.is_item() && line.indent < limit.max(1) && line.content_at >= limit
            || holds && line.is_item()
        {
            limit = line.indent;
            is_item = true;
        }
        if limit == 0 && !is_item {
            break;
        }
    }
    keys.reverse();
    keys
}

/// The other keys of the mapping of a line.
fn others(lines: &[Line<'_>], at: usize, indent: usize) -> Vec<String> {
    let mut keys = Vec::new();
    let mut take = |line: &Line<'_>, goes_down: bool| {
        if line.is_empty() || line.is_comment() {
            return true;
        }
        let begins_item = line.is_item() && line.content_at == indent;
        if goes_down && begins_item || line.indent < indent && !begins_item {
            return false;
        }
        if let Some((key, _)) = line.key().filter(|_| line.content_at == indent) {
            keys.push(key.to_owned());
        }
        !begins_item
    };
    if !lines[at].is_item() {
        let _ = lines[..at].iter().rev().all(|line| take(line, false));
    }
    let _ = lines[at + 1..].iter().all(|line| take(line, true));
    keys
}

/// Whether the other items of a list are texts.
fn holds_texts(lines: &[Line<'_>], at: usize) -> bool {
    let indent = lines[at].indent;
    let neighbors = lines[..at].iter().rev().take(1).chain(lines[at + 1..].iter().take(1));
    let mut items = neighbors.filter(|line| line.is_item() && line.indent == indent);
    let parents = parents(lines, at, indent);
    let is_known = ["versions", "tombstones", "without", "platforms", "capabilities", "skips"];
    items.any(|item| item.key().is_none())
        || parents.last().is_some_and(|parent| is_known.contains(parent))
}

/// The writing in a text of several lines.
fn in_block<'t>(
    text: &'t str,
    lines: &[Line<'t>],
    at: usize,
    offset: usize,
) -> Option<Writing<'t>> {
    let column = offset - lines[at].start;
    let depth = if lines[at].is_empty() { column } else { lines[at].indent };
    let is_above = |line: &Line<'_>| !line.is_empty() && line.indent < depth;
    let opening = (0..at).rev().find(|above| is_above(&lines[*above]))?;
    let opening = (0..=opening).rev().find(|above| {
        lines[*above].opens_block() || !lines[*above].is_empty() && lines[*above].indent == 0
    })?;
    let key_line = lines[opening];
    let indent = key_line.content_at;
    let body: Vec<usize> = (opening + 1..lines.len())
        .take_while(|line| lines[*line].is_empty() || lines[*line].indent > indent)
        .collect();
    if !key_line.opens_block() || !body.contains(&at) {
        return None;
    }
    let first = body.iter().map(|line| lines[*line]).find(|line| !line.is_empty());
    let cut = first.map_or(column, |line| line.indent);
    let without_indent = |line: &Line<'t>| line.text.get(cut..).unwrap_or_default();
    let (mut before, mut after) = (String::new(), String::new());
    for number in &body {
        let line = &lines[*number];
        let own = without_indent(line);
        match number.cmp(&at) {
            std::cmp::Ordering::Less => {
                before.push_str(own);
                before.push('\n');
            }
            std::cmp::Ordering::Equal => {
                let place = own.floor_char_boundary(column.saturating_sub(cut).min(own.len()));
                before.push_str(&own[..place]);
                after.push_str(&own[place..]);
            }
            std::cmp::Ordering::Greater => {
                after.push('\n');
                after.push_str(own);
            }
        }
    }
    let mut keys = parents(lines, opening, key_line.content_at);
    keys.extend(key_line.key().map(|(key, _)| key));
    let range = word_around(text, offset);
    let written = &text[range.start..offset];
    Some(Writing { slot: Slot::Block { before, after }, keys, range, written })
}

/// The word of a query around a place.
pub(super) fn word_around(text: &str, offset: usize) -> Range<usize> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let start = offset - (text[..offset].len() - text[..offset].trim_end_matches(is_word).len());
    let end = offset + (text[offset..].len() - text[offset..].trim_start_matches(is_word).len());
    start..end
}

#[cfg(test)]
mod tests {
    use super::{Slot, writing_at};

    /// The place of `¦` in a text.
    fn keys_and_slot(marked: &str) -> Option<(Vec<String>, Slot, String)> {
        let offset = marked.find('¦').unwrap_or_default();
        let text = marked.replace('¦', "");
        let writing = writing_at(&text, offset)?;
        let keys = writing.keys.iter().map(|key| (*key).to_owned()).collect();
        let replaced = text[writing.range.clone()].to_owned();
        Some((keys, writing.slot, replaced))
    }

    fn key(others: &[&str]) -> Slot {
        Slot::Key { others: others.iter().map(|key| (*key).to_owned()).collect() }
    }

    #[test]
    fn a_place_knows_the_keys_around_it() {
        let cases: [(&str, &[&str], Slot, &str); 11] = [
            ("to: 4.18.1\nfr¦\nname: X\n", &[], key(&["to", "name"]), "fr"),
            ("to: 4.1¦\n", &["to"], Slot::Value, "4.1"),
            ("to: ¦", &["to"], Slot::Value, ""),
            ("matchingRules:\n- ty¦\n", &["matchingRules"], key(&[]), "ty"),
            ("matchingRules:\n- type: PromQL\n  pr¦\n", &["matchingRules"], key(&["type"]), "pr"),
            (
                "matchingRules:\n- type: PromQL\n  promql:\n    pro¦\n",
                &["matchingRules", "promql"],
                key(&[]),
                "pro",
            ),
            ("matchingRules:\n- type: P¦\n", &["matchingRules", "type"], Slot::Value, "P"),
            ("name: a\nversions:\n- 4.1.1\n- 4.1¦\n", &["versions"], Slot::Item, "4.1"),
            ("feeder:\n  de¦\nname: a\n", &["feeder"], key(&[]), "de"),
            ("to: 4.18.1\n¦: .*\n", &[], key(&["to"]), ""),
            ("to: 4.18.1\nfr¦om: .*\n", &[], key(&["to"]), "from"),
        ];
        for (text, keys, slot, replaced) in cases {
            let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
            assert_eq!(keys_and_slot(text), Some((keys, slot, replaced.to_owned())), "{text}");
        }
    }

    #[test]
    fn a_query_is_read_without_its_indentation() {
        let text = "matchingRules:\n- type: PromQL\n  promql:\n    promql: |\n      max(\n        up¦ == 1)\n";
        let keys = ["matchingRules", "promql", "promql"].map(str::to_owned).to_vec();
        let slot = Slot::Block { before: "max(\n  up".to_owned(), after: " == 1)\n".to_owned() };
        assert_eq!(keys_and_slot(text), Some((keys, slot, "up".to_owned())));
    }

    #[test]
    fn nothing_is_written_in_a_comment() {
        assert_eq!(keys_and_slot("# t¦\nto: x\n"), None);
    }
}
