//! Reads the files of a catalog as opm does, with places.

mod base64;
mod blob;
mod bundle;
mod decode;
mod property;
mod stream;
mod template;
mod value;

pub(crate) use base64::NEEDLES;
pub(super) use bundle::{
    Annotations, BundlePart, Content, Csv, Role, is_of_catalog, read_part, role,
};
#[cfg(feature = "lsp")]
pub(crate) use bundle::{is_template, may_be_of_catalog};
#[cfg(feature = "lsp")]
pub(crate) use template::SEMVER_TEMPLATE_KEYS;
pub(crate) use template::guessed_bundle;

use std::ops::Range;

use crate::go;
use crate::text::{Source, SourceId, Span};
use crate::tree::Unreadable;
use crate::yaml::{self, Cause, Document, SyntaxError, most_values};

use super::declared::{Declared, LoadCause, LoadFault};
use super::rendered::Rendered;
use stream::{Piece, StreamFault, Syntax};
use value::PlacedValue;

/// What one file has.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub declared: Declared,
    pub commented: Vec<Commented>,
}

/// A document with a comment for exitpath.
#[derive(Debug)]
pub struct Commented {
    pub document: Document,
    /// Its file.
    pub source: SourceId,
    /// Where it is in the file.
    pub range: Range<usize>,
}

/// The most documents and values of a file, and the most values of a document. A whole published
/// catalog has 15,000 documents and 4 million values; its largest document has 300,000 values.
const MOST_DOCUMENTS: usize = 50_000;
const MOST_VALUES: usize = 12_000_000;
const MOST_OF_A_DOCUMENT: usize = 2_000_000;

/// Reads one file. `id` is the id that the file will have in `Sources`.
pub(super) fn read(source: &Source, id: SourceId, rendered: &Rendered) -> Contents {
    let mut contents = Contents::default();
    let too_many = || unreadable(id, &Unreadable::TooManyValues);
    if most_values(source.text().as_bytes()) > MOST_VALUES {
        return too_many();
    }
    let (pieces, faults) = stream::pieces(source.text());
    if pieces.len() > MOST_DOCUMENTS {
        return too_many();
    }
    let mut faults = faults.into_iter().peekable();
    for piece in pieces {
        // opm stops at a fault before it decodes the document that ends there.
        while let Some(fault) = faults.next_if(|fault| fault.lost <= piece.range.start) {
            contents.declared.faults.push(fault_of_stream(fault, id));
        }
        read_piece(source, id, &piece, rendered, &mut contents);
    }
    contents.declared.faults.extend(faults.map(|fault| fault_of_stream(fault, id)));
    contents
}

/// The contents of a file that cannot be read: only a fault.
pub(super) fn unreadable(id: SourceId, why: &Unreadable) -> Contents {
    let why = reason(why);
    let cause = LoadCause::Unreadable(why.clone());
    let fault = LoadFault { span: Span::new(id, 0..0), cause, words: why };
    let declared = Declared { faults: vec![fault], ..Declared::default() };
    Contents { declared, commented: Vec::new() }
}

/// Why a file cannot be read.
pub(super) fn reason(why: &Unreadable) -> String {
    match why {
        Unreadable::TooLarge(size) => format!("it has more than {} MiB of text", size >> 20),
        Unreadable::Io(why) => why.clone(),
        Unreadable::TooManyValues => "it has far more values than any catalog".to_owned(),
        other => format!("{other:?}"),
    }
}

fn read_piece(
    source: &Source,
    id: SourceId,
    piece: &Piece,
    rendered: &Rendered,
    contents: &mut Contents,
) {
    let ParsedPiece { text, offset, document } = parsed(source, piece);
    match document {
        Ok(document) => {
            let root = PlacedValue::root(&document, piece.syntax);
            let schema = blob::read(root, piece.syntax, id, offset, &mut contents.declared);
            if let Some(reader) = schema.and_then(|schema| template::reader(&schema)) {
                let rendered = template::read(root, id, offset, reader, rendered);
                contents.declared.templates.push(rendered);
            }
            contents.commented.extend(commented(document, text, id, offset));
        }
        Err(error) => contents.declared.faults.push(syntax_fault(text, &error, id, offset)),
    }
}

/// The schema of the first document of a text. None if there is no document. Empty if the document
/// has no schema.
pub fn first_schema(source: &Source) -> Option<String> {
    let (pieces, _) = stream::pieces(source.text());
    let piece = pieces.first()?;
    let document = parsed(source, piece).document.ok()?;
    let fields = PlacedValue::root(&document, piece.syntax).fields();
    let field = fields.into_iter().find(|field| go::names_field(&field.key, "schema"));
    let schema = field.and_then(|field| field.value.to_json());
    Some(schema.and_then(|schema| schema.as_str().map(str::to_owned)).unwrap_or_default())
}

/// The document at a place, as JSON.
pub(crate) fn document_as_json(source: &Source, place: Span) -> Option<serde_json::Value> {
    let (pieces, _) = stream::pieces(source.text());
    let piece = pieces.iter().find(|piece| piece.range.contains(&place.start))?;
    let document = parsed(source, piece).document.ok()?;
    PlacedValue::root(&document, piece.syntax).to_json()
}

/// A document of a file.
struct ParsedPiece<'s> {
    text: &'s str,
    /// Where it begins in the file.
    offset: usize,
    document: Result<Document, SyntaxError>,
}

fn parsed<'s>(source: &'s Source, piece: &Piece) -> ParsedPiece<'s> {
    let text = &source.text()[piece.range.clone()];
    // A byte order mark is not part of the first document.
    let mark = text.len() - text.trim_start_matches('\u{FEFF}').len();
    let text = &text[mark..];
    let document = match piece.syntax {
        _ if most_values(text.as_bytes()) > MOST_OF_A_DOCUMENT => {
            Err(SyntaxError { cause: Cause::TooManyValues, offset: 0 })
        }
        Syntax::Json => yaml::parse_json(text),
        Syntax::Yaml => yaml::parse_first(text),
    };
    ParsedPiece { text, offset: piece.range.start + mark, document }
}

fn commented(document: Document, text: &str, id: SourceId, offset: usize) -> Option<Commented> {
    let is_commented = text.contains("exitpath:") && !document.comments().is_empty();
    let range = offset..offset + text.len();
    is_commented.then_some(Commented { document, source: id, range })
}

fn fault_of_stream(fault: StreamFault, id: SourceId) -> LoadFault {
    let cause = LoadCause::Syntax(fault.words.clone());
    LoadFault { span: Span::new(id, fault.range), cause, words: fault.words }
}

fn syntax_fault(text: &str, error: &SyntaxError, id: SourceId, offset: usize) -> LoadFault {
    let words = go::yaml_words(text).unwrap_or_else(|| "yaml: unknown problem".to_owned());
    let at = offset + error.offset;
    let end = text[error.offset..].find(['\n', '\r']).map_or(offset + text.len(), |end| at + end);
    let why = explained(&error.cause);
    LoadFault {
        span: Span::new(id, at..end),
        cause: LoadCause::Syntax(why),
        words: format!("error converting YAML to JSON: {words}"),
    }
}

/// What is wrong. It follows the words "is not YAML: ".
fn explained(cause: &Cause) -> String {
    match cause {
        Cause::Tab => "a tab indents this line, and YAML allows only spaces".to_owned(),
        Cause::ControlCharacter(_) => "it contains a control character".to_owned(),
        Cause::TooDeep => "it is nested too deeply".to_owned(),
        Cause::TooManyValues => "it has more than a million values".to_owned(),
        Cause::UnclosedQuote => "a quote is never closed".to_owned(),
        Cause::UnclosedBracket => "a bracket is never closed".to_owned(),
        Cause::Escape => "there is no such escape after a backslash".to_owned(),
        Cause::NeitherKeyNorItem => {
            "this line has neither a key with `:` nor an item with `- `".to_owned()
        }
        Cause::Indicator => "text that begins with this character needs quotes".to_owned(),
        Cause::AfterClosing => "something follows a closing quote or bracket".to_owned(),
        Cause::ColonInText => "text with `: ` in it needs quotes".to_owned(),
        Cause::UnknownAlias => "no anchor has this name".to_owned(),
        Cause::Indentation => "the indentation matches no line above".to_owned(),
        Cause::Other(message) => message.clone(),
    }
}
