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
    /// A quoted text, list or mapping that is never closed.
    Unclosed,
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
            kind => by_words(&kind.to_string()),
        };
        // The parser marks the start of what the tab interrupts.
        let offset = match cause {
            Cause::Tab => indenting_tab(source, offset).unwrap_or(offset),
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
    } else if says("nesting") || says("nested") || says("too deep") {
        Cause::TooDeep
    } else if says("end of stream") || says("eof") || says("unclosed") {
        Cause::Unclosed
    } else if says("mapping value") {
        Cause::ColonInText
    } else if says("indentation") {
        Cause::Indentation
    } else {
        Cause::Other(words.to_owned())
    }
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
