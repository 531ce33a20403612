//! Decodes values into types, and says in Go's words what has the wrong type.

use std::ops::Range;

use crate::go::names_field;
use crate::text::{SourceId, Span, Spanned};

use super::super::declared::{LoadCause, LoadFault, Oddity, OddityKind, Text};
use super::base64;
use super::value::{Field, JsonKind, PlacedValue};

/// A Go type of opm: its name in messages, and its fields.
pub(super) struct Struct {
    /// The name with its package, such as `declcfg.Channel`.
    pub go: &'static str,
    /// What people call a value of this type.
    pub noun: &'static str,
    pub fields: &'static [&'static str],
}

impl Struct {
    fn short(&self) -> &'static str {
        self.go.rsplit('.').next().unwrap_or(self.go)
    }
}

/// Where a value is: the type around it, and the keys that lead to it.
#[derive(Clone, Copy)]
pub(super) struct FieldPlace<'a> {
    pub owner: &'a Struct,
    pub keys: &'a str,
}

/// Decodes one document. opm reads all values, and then reports the first one of a wrong type.
pub(super) struct Decoder {
    pub source: SourceId,
    /// Where the document begins in the file.
    pub offset: usize,
    pub faults: Vec<LoadFault>,
    pub oddities: Vec<Oddity>,
}

impl Decoder {
    pub(super) fn span(&self, range: &Range<usize>) -> Span {
        Span::new(self.source, range.start + self.offset..range.end + self.offset)
    }

    pub(super) fn absent(&self, owner: PlacedValue<'_>) -> Text {
        Spanned { value: String::new(), span: self.span(&owner.beginning()) }
    }

    /// The fields of a value whose type is known. Keys that the type does not have become oddities.
    pub(super) fn fields<'d>(
        &mut self,
        value: PlacedValue<'d>,
        of: &Struct,
    ) -> Vec<(&'static str, PlacedValue<'d>)> {
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for Field { key, key_range, value } in value.fields() {
            match of.fields.iter().find(|field| names_field(&key, field)) {
                Some(field) => known.push((*field, value)),
                None => unknown.push((key, key_range, value)),
            }
        }
        for (key, key_range, value) in unknown {
            let is_absent = |field: &&str| known.iter().all(|(known, _)| known != field);
            let absent = of.fields.iter().copied().filter(is_absent);
            let fitting = absent.filter(|field| takes(field, value)).collect();
            let kind = OddityKind::UnknownKey { key, owner: of.noun, known: of.fields, fitting };
            self.oddities.push(Oddity { span: self.span(&key_range), kind });
        }
        known
    }

    /// The fields of a value that must be a struct. None if it is not one. Null is an empty struct.
    pub(super) fn object<'d>(
        &mut self,
        value: PlacedValue<'d>,
        place: FieldPlace<'_>,
        of: &Struct,
    ) -> Vec<(&'static str, PlacedValue<'d>)> {
        match value.kind() {
            JsonKind::Mapping => self.fields(value, of),
            JsonKind::Null => Vec::new(),
            _ => {
                self.wrong(value, place, of.go, "a mapping");
                Vec::new()
            }
        }
    }

    pub(super) fn text(&mut self, value: PlacedValue<'_>, place: FieldPlace<'_>) -> Text {
        let span = self.span(&value.range());
        match value.kind() {
            JsonKind::Text(text) => Spanned { value: text.to_owned(), span },
            JsonKind::Null => Spanned { value: String::new(), span },
            _ => {
                self.wrong(value, place, "string", "text");
                Spanned { value: String::new(), span }
            }
        }
    }

    /// The text of a value that must be base64. None if it is absent or wrong.
    pub(super) fn bytes<'d>(
        &mut self,
        value: PlacedValue<'d>,
        place: FieldPlace<'_>,
    ) -> Option<&'d str> {
        let JsonKind::Text(text) = value.kind() else {
            if !matches!(value.kind(), JsonKind::Null) {
                self.wrong(value, place, "[]uint8", "text");
            }
            return None;
        };
        let Some(words) = base64::fault(text) else { return Some(text) };
        let key = place.keys.rsplit('.').next().unwrap_or_default().to_owned();
        let cause = LoadCause::WrongType { key, expected: "base64", found: "text" };
        self.faults.push(LoadFault { span: self.span(&value.range()), cause, words });
        None
    }

    /// The items of a value that must be a list.
    pub(super) fn list<'d>(
        &mut self,
        value: PlacedValue<'d>,
        place: FieldPlace<'_>,
        go: &str,
    ) -> Vec<PlacedValue<'d>> {
        match value.kind() {
            JsonKind::List => value.items().collect(),
            JsonKind::Null => Vec::new(),
            _ => {
                self.wrong(value, place, go, "a list");
                Vec::new()
            }
        }
    }

    pub(super) fn texts(&mut self, value: PlacedValue<'_>, place: FieldPlace<'_>) -> Vec<Text> {
        let items = self.list(value, place, "[]string");
        items.into_iter().map(|item| self.text(item, place)).collect()
    }

    pub(super) fn wrong(
        &mut self,
        value: PlacedValue<'_>,
        place: FieldPlace<'_>,
        go: &str,
        expected: &'static str,
    ) {
        let found = value.word();
        let words = if place.keys.is_empty() {
            format!("json: cannot unmarshal {found} into Go value of type {go}")
        } else {
            let owner = place.owner.short();
            let keys = place.keys;
            format!(
                "json: cannot unmarshal {found} into Go struct field {owner}.{keys} of type {go}"
            )
        };
        let key = place.keys.rsplit('.').next().unwrap_or_default().to_owned();
        let cause = LoadCause::WrongType { key, expected, found: noun(value) };
        self.faults.push(LoadFault { span: self.span(&value.range()), cause, words });
    }
}

/// Whether a field can have this kind of value.
fn takes(field: &str, value: PlacedValue<'_>) -> bool {
    match field {
        "bundles" | "entries" | "properties" | "relatedImages" | "skips" | "substitutions" => {
            matches!(value.kind(), JsonKind::List)
        }
        "candidate" | "fast" | "icon" | "reference" | "stable" => {
            matches!(value.kind(), JsonKind::Mapping)
        }
        "generateMajorChannels" | "generateMinorChannels" => {
            matches!(value.kind(), JsonKind::Boolean)
        }
        _ => matches!(value.kind(), JsonKind::Text(_)),
    }
}

/// What kind of value it is, for messages.
pub(super) fn noun(value: PlacedValue<'_>) -> &'static str {
    match value.kind() {
        JsonKind::Null => "nothing",
        JsonKind::Boolean => "a boolean",
        JsonKind::Number => "a number",
        JsonKind::Text(_) => "text",
        JsonKind::List => "a list",
        JsonKind::Mapping => "a mapping",
    }
}
