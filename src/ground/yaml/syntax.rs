//! Explains why a text is not YAML: names the cause, not the rule of the grammar.

use granit_parser::{ErrorKind, ScanError};

/// A text that is not YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub cause: Cause,
    /// Where to report it, in bytes.
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
    /// More values than any reader needs.
    TooManyValues,
    /// Quoted text that is never closed.
    UnclosedQuote,
    /// A list or mapping in brackets that is never closed.
    UnclosedBracket,
    /// A backslash in double quotes that is not an escape.
    Escape,
    /// Neither a key with its `:` nor an item with its `- `.
    NeitherKeyNorItem,
    /// Text that begins with a special character of YAML.
    Indicator,
    /// Something after the closing quote or bracket.
    AfterClosing,
    /// Text that contains `: `, where no second mapping can begin.
    ColonInText,
    /// An alias without an anchor.
    UnknownAlias,
    /// Indentation that matches no line above.
    Indentation,
    /// Anything else, with the parser's message.
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
            kind => cause_of_message(&kind.to_string()),
        };
        // The parser marks the start of the broken value, or the place where it noticed.
        let offset = match cause {
            Cause::Tab => indenting_tab(source, offset).unwrap_or(offset),
            Cause::UnclosedQuote => opening_quote(source, offset).unwrap_or(offset),
            Cause::Escape => wrong_escape(source, offset).unwrap_or(offset),
            _ => offset,
        };
        Self { cause, offset }
    }
}

/// The parser has an error for each rule of the grammar. Users need the cause.
fn cause_of_message(message: &str) -> Cause {
    let says = |part: &str| message.to_lowercase().contains(part);
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
        Cause::Other(message.to_owned())
    }
}

/// Whether a quote or bracket closes right before `at`.
fn follows_closing(source: &str, at: usize) -> bool {
    source[..at].ends_with([']', '}', '"', '\''])
}

/// The last quote before `from` that opens a value.
fn opening_quote(source: &str, from: usize) -> Option<usize> {
    let before = source[..from].trim_end();
    let opens = |(at, c): &(usize, char)| {
        matches!(c, '"' | '\'') && source[..*at].ends_with([' ', '\n', '[', '{', ','])
    };
    before.char_indices().rfind(opens).map(|(at, _)| at)
}

/// The first backslash at or after `from` that is not an escape.
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

/// The first tab in the indentation of the line at `from` or a later one.
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
