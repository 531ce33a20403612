//! Why a text is not YAML, in words that name the cause rather than the grammar.

use granit_parser::{ErrorKind, ScanError};

/// A text that is not YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong.
    pub cause: Cause,
    /// The byte where the reader gave up.
    pub offset: usize,
}

/// What makes a text not YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A tab where only spaces may indent.
    Tab,
    /// A character that YAML forbids.
    ControlCharacter(char),
    /// Nesting deeper than any reader allows.
    TooDeep,
    /// A quoted text that is never closed.
    UnclosedQuote,
    /// A list or mapping in brackets that is never closed.
    UnclosedBracket,
    /// A backslash in double quotes that begins no escape.
    Escape,
    /// Something other than a key with its `:`, or an item with its `- `.
    NeitherKeyNorItem,
    /// Text that begins with a character that means something else in YAML.
    Indicator,
    /// Something after the closing quote or bracket.
    AfterClosing,
    /// Text with a `: ` in it, where no second mapping can begin.
    ColonInText,
    /// An alias to an anchor that is not there.
    UnknownAlias,
    /// Indentation that fits nothing above it.
    Indentation,
    /// Anything else, in the parser's words.
    Other(String),
}

impl SyntaxError {
    pub(super) fn new(source: &str, error: &ScanError) -> Self {
        let offset = error.marker().byte_offset().unwrap_or_default().min(source.len());
        let cause = match error.kind() {
            ErrorKind::UnexpectedCharacter { character } if character.is_control() => {
                Cause::ControlCharacter(*character)
            }
            ErrorKind::UnknownAnchor => Cause::UnknownAlias,
            ErrorKind::ExpectedBlockMappingKey if follows_closing(source, offset) => {
                Cause::AfterClosing
            }
            kind => by_words(&kind.to_string()),
        };
        // The parser marks the start of what is interrupted, or where it noticed.
        let offset = match cause {
            Cause::Tab => indenting_tab(source, offset).unwrap_or(offset),
            Cause::UnclosedQuote => opening_quote(source, offset).unwrap_or(offset),
            Cause::Escape => wrong_escape(source, offset).unwrap_or(offset),
            _ => offset,
        };
        Self { cause, offset }
    }
}

/// The parser tells its many kinds of error apart by grammar; people by cause.
fn by_words(words: &str) -> Cause {
    let says = |part: &str| words.to_lowercase().contains(part);
    if says("tab") {
        Cause::Tab
    } else if says("nesting") || says("recursion limit") {
        Cause::TooDeep
    } else if says("unclosed quote") || says("multiline quoted scalar") {
        Cause::UnclosedQuote
    } else if says("escape character") || says("hexadecimal") {
        Cause::Escape
    } else if says("trailing content") || says("bracket") && says("closed by") {
        Cause::AfterClosing
    } else if says("eof") || says("unclosed bracket") || says("expected ','") {
        Cause::UnclosedBracket
    } else if says("mapping values") {
        Cause::ColonInText
    } else if says("simple key") {
        Cause::NeitherKeyNorItem
    } else if says("indent") || says("<document start>") || says("did not find expected key") {
        Cause::Indentation
    } else if says("':'") || says("unexpected character") || says("anchor") || says("cannot start")
    {
        Cause::Indicator
    } else {
        Cause::Other(words.to_owned())
    }
}

/// Whether a quote or bracket closes right before `at`.
fn follows_closing(source: &str, at: usize) -> bool {
    source[..at].ends_with([']', '}', '"', '\''])
}

/// The quote that opens a value, last before `from`.
fn opening_quote(source: &str, from: usize) -> Option<usize> {
    let before = source[..from].trim_end();
    let opens = |(at, c): &(usize, char)| {
        matches!(c, '"' | '\'') && source[..*at].ends_with([' ', '\n', '[', '{', ','])
    };
    before.char_indices().rfind(opens).map(|(at, _)| at)
}

/// The first backslash of the quoted text around `from` that begins no escape.
fn wrong_escape(source: &str, from: usize) -> Option<usize> {
    let mut chars = source[from..].char_indices();
    while let Some((at, c)) = chars.next() {
        let next = || source[from + at + 1..].chars().next();
        if c == '\\' && next().is_some_and(|c| !"0abtnvfre \"/\\N_LPxuU\r\n\t".contains(c)) {
            return Some(from + at);
        }
        if c == '\\' {
            chars.next();
        }
    }
    None
}

/// The first tab at or after `from` that stands in a line's indentation.
fn indenting_tab(source: &str, from: usize) -> Option<usize> {
    let from = source[..from].rfind('\n').map_or(0, |at| at + 1);
    let mut start = from;
    for line in source[from..].split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line[..indent].find('\t') {
            return Some(start + tab);
        }
        start += line.len();
    }
    None
}
