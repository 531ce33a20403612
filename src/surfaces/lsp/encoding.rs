//! Positions as clients count them. The protocol counts units of UTF-16 unless the client also
//! counts bytes.

use lsp_types::{ClientCapabilities, Position, PositionEncodingKind, Range};

use crate::text::Source;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

impl Encoding {
    /// The better one of those that a client knows.
    pub(super) fn agreed(client: &ClientCapabilities) -> Self {
        let known = client.general.as_ref().and_then(|general| general.position_encodings.as_ref());
        let has_utf8 = known.is_some_and(|known| known.contains(&PositionEncodingKind::UTF8));
        if has_utf8 { Self::Utf8 } else { Self::Utf16 }
    }

    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    pub(super) fn range(self, source: &Source, range: std::ops::Range<usize>) -> Range {
        Range::new(self.position(source, range.start), self.position(source, range.end))
    }

    pub(super) fn position(self, source: &Source, offset: usize) -> Position {
        let text = source.text();
        let offset = text.floor_char_boundary(offset);
        let line = source.line_of(offset);
        let start = source.line_range(line).start;
        // Editors do not show a byte order mark.
        let before = text[start..offset.max(start)].trim_start_matches('\u{FEFF}');
        let character = match self {
            Self::Utf16 if !before.is_ascii() => before.encode_utf16().count(),
            Self::Utf16 | Self::Utf8 => before.len(),
        };
        Position::new(number(line - 1), number(character))
    }

    /// How many units a part of a line has.
    pub(super) fn width(self, source: &Source, range: std::ops::Range<usize>) -> u32 {
        let text = source.text().get(range).unwrap_or_default();
        number(match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        })
    }

    /// The byte of a position. A position beyond the end of its line is that end, and a line beyond
    /// the last one is the end of the text.
    pub(super) fn offset(self, source: &Source, position: Position) -> usize {
        let line = position.line as usize;
        // A line break at the end begins another line, in editors.
        let (text, lines) = (source.text(), source.line_count());
        if line >= lines {
            return text.len();
        }
        let range = source.line_range(line + 1);
        let mut left = position.character as usize;
        for (at, c) in text[range.clone()].char_indices() {
            let width = match (c, self) {
                ('\u{FEFF}', _) if at == 0 && line == 0 => 0,
                (_, Self::Utf8) => c.len_utf8(),
                (_, Self::Utf16) => c.len_utf16(),
            };
            if left < width || left == 0 && width > 0 {
                return range.start + at;
            }
            left -= width;
        }
        range.end
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use lsp_types::Position;

    use super::Encoding;
    use crate::text::Source;

    /// Line, units of UTF-16, and bytes of each place of a text.
    #[test]
    fn positions_count_what_was_agreed_on() {
        let source = Source::new(String::new(), "a😀ñb\r\nc\n".to_owned());
        for (offset, line, utf16, utf8) in
            [(0, 0, 0, 0), (1, 0, 1, 1), (5, 0, 3, 5), (7, 0, 4, 7), (10, 1, 0, 0), (12, 2, 0, 0)]
        {
            for (encoding, character) in [(Encoding::Utf16, utf16), (Encoding::Utf8, utf8)] {
                let position = Position::new(line, character);
                assert_eq!(encoding.position(&source, offset), position, "{encoding:?} {offset}");
                assert_eq!(encoding.offset(&source, position), offset, "{encoding:?} {position:?}");
            }
        }
    }

    #[test]
    fn a_position_outside_the_text_is_moved_into_it() {
        let source = Source::new(String::new(), "a😀\nb".to_owned());
        for (line, character, offset) in [(0, 99, 5), (9, 0, 7), (1, 99, 7), (0, 2, 1)] {
            let position = Position::new(line, character);
            assert_eq!(Encoding::Utf16.offset(&source, position), offset, "{position:?}");
        }
    }
}
