//! Cuts a file into its documents, as opm's decoder does: JSON values, or YAML documents between
//! lines that begin with `---`.

use std::ops::Range;

use crate::go::json;

/// A document of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub range: Range<usize>,
    pub syntax: Syntax,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Json,
    Yaml,
}

/// A place where opm cannot read the next document, with opm's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StreamFault {
    pub range: Range<usize>,
    /// The beginning of the document that opm loses because of it.
    pub lost: usize,
    pub words: String,
}

/// The documents of a file, and the faults between them. After a fault, cutting continues where the
/// next document is clear.
pub(super) fn pieces(text: &str) -> (Vec<Piece>, Vec<StreamFault>) {
    let mut cutter = Cutter { text, pieces: Vec::new(), faults: Vec::new() };
    if text.trim_start().starts_with('{') {
        cutter.json();
    } else {
        cutter.yaml(0);
    }
    (cutter.pieces, cutter.faults)
}

struct Cutter<'t> {
    text: &'t str,
    pieces: Vec<Piece>,
    faults: Vec<StreamFault>,
}

impl Cutter<'_> {
    /// Cuts JSON values. If the second one is not JSON, the rest is YAML.
    fn json(&mut self) {
        let mut at = 0;
        loop {
            at = self.text.len() - self.text[at..].trim_start().len();
            if at == self.text.len() {
                return;
            }
            match json::value_end(&self.text[at..]) {
                Ok(end) => {
                    let range = at..at + end;
                    self.pieces.push(Piece { range, syntax: Syntax::Json });
                    at += end;
                }
                Err(fault) if fault.is_end() => {
                    let range = at..self.text.len();
                    let words = "unexpected EOF".into();
                    return self.faults.push(StreamFault { range, lost: at, words });
                }
                Err(_) if self.pieces.len() < 2 => return self.yaml(at),
                Err(fault) => {
                    let wrong = at + fault.read - 1;
                    let words = format!("json: offset {}: {}", at + fault.read, fault.words);
                    let range = self.text.floor_char_boundary(wrong)..wrong + 1;
                    let range = range.start..self.text.ceil_char_boundary(range.end);
                    return self.faults.push(StreamFault { range, lost: at, words });
                }
            }
        }
    }

    fn yaml(&mut self, start: usize) {
        let mut begin = start;
        for separator in separators(self.text, start) {
            let end =
                self.text[separator..].find('\n').map_or(self.text.len(), |at| separator + at);
            let after = self.text[separator + 3..end].trim();
            if !after.is_empty() && !after.starts_with('#') {
                let words = format!("invalid Yaml document separator: {after}");
                self.faults.push(StreamFault { range: separator..end, lost: begin, words });
            }
            // A separator with nothing before it belongs to the document behind it.
            if separator > begin {
                self.pieces.push(Piece { range: begin..separator, syntax: Syntax::Yaml });
                begin = (end + 1).min(self.text.len());
            }
        }
        if begin < self.text.len() {
            self.pieces.push(Piece { range: begin..self.text.len(), syntax: Syntax::Yaml });
        }
    }
}

/// The offsets of lines that begin with `---`.
fn separators(text: &str, start: usize) -> impl Iterator<Item = usize> {
    let first = text[start..].starts_with("---").then_some(start);
    let others = text[start..].match_indices("\n---").map(move |(at, _)| start + at + 1);
    first.into_iter().chain(others)
}

#[cfg(test)]
mod tests {
    use super::pieces;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text).0.into_iter().map(|piece| &text[piece.range]).collect()
    }

    fn words(text: &str) -> Vec<String> {
        pieces(text).1.into_iter().map(|fault| fault.words).collect()
    }

    #[test]
    fn yaml_is_cut_at_separators() {
        assert_eq!(cut("a: 1\n---\nb: 2\n"), ["a: 1\n", "b: 2\n"]);
        assert_eq!(cut("---\na: 1\n--- # next\nb: 2\n"), ["---\na: 1\n", "b: 2\n"]);
        assert_eq!(cut("a: 1\n---\n---\nb: 2\n"), ["a: 1\n", "---\nb: 2\n"]);
        assert_eq!(cut("a: 1\n---\n"), ["a: 1\n"]);
        assert_eq!(cut("a: 1\n---\n---\n"), ["a: 1\n", "---\n"]);
        assert_eq!(cut("a: 1\n---\n\n---\nb: 2\n"), ["a: 1\n", "\n", "b: 2\n"]);
        assert_eq!(words("a: 1\n--- b\n"), ["invalid Yaml document separator: b"]);
    }

    #[test]
    fn json_values_need_nothing_between_them() {
        assert_eq!(cut("{}{\"a\": 1}\n null"), ["{}", "{\"a\": 1}", "null"]);
        assert_eq!(words("{} {"), ["unexpected EOF"]);
        assert_eq!(
            words("{} {} x"),
            ["json: offset 7: invalid character 'x' looking for beginning of value"]
        );
    }

    #[test]
    fn a_stream_can_change_to_yaml_after_one_value() {
        assert_eq!(cut("{\"a\": 1}\n---\nb: 2\n"), ["{\"a\": 1}", "---\nb: 2\n"]);
        assert_eq!(cut("{a: 1,}\n"), ["{a: 1,}\n"]);
    }
}
