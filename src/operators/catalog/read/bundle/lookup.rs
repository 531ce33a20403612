//! Finds values in Kubernetes objects and ignores all other fields.

use crate::text::Spanned;

use super::super::super::declared::Text;
use super::super::decode::{Decoder, FieldPlace, Struct};
use super::super::value::{JsonKind, PlacedValue};

/// A mapping, and what messages need to name it.
#[derive(Clone, Copy)]
pub(super) struct Node<'d> {
    value: PlacedValue<'d>,
    owner: &'static Struct,
}

impl<'d> Node<'d> {
    pub(super) fn new(value: PlacedValue<'d>, owner: &'static Struct) -> Self {
        Self { value, owner }
    }

    /// The value of the last key of `path`. The keys before it are only for messages.
    pub(super) fn get(self, path: &str) -> Option<PlacedValue<'d>> {
        let key = path.rsplit('.').next().unwrap_or(path);
        let fields = self.value.fields();
        fields.into_iter().find(|field| field.key == key).map(|field| field.value)
    }

    /// The value of an annotation, whose name can have dots.
    pub(super) fn annotation(self, name: &str, decoder: &mut Decoder) -> Option<Text> {
        let fields = self.value.fields();
        let value = fields.into_iter().find(|field| field.key == name)?.value;
        Some(decoder.text(value, self.place("annotations")))
    }

    /// The mapping that is the value of a key.
    pub(super) fn below(self, path: &str, decoder: &mut Decoder) -> Option<Self> {
        let value = self.get(path)?;
        match value.kind() {
            JsonKind::Mapping => Some(Self { value, ..self }),
            JsonKind::Null => None,
            _ => {
                decoder.wrong(value, self.place(path), self.owner.go, "a mapping");
                None
            }
        }
    }

    /// The mappings in the list that is the value of a key.
    pub(super) fn each(self, path: &str, decoder: &mut Decoder) -> Vec<Self> {
        let Some(value) = self.get(path) else { return Vec::new() };
        let items = decoder.list(value, self.place(path), "[]object");
        let mut nodes = Vec::new();
        for value in items {
            match value.kind() {
                JsonKind::Mapping => nodes.push(Self { value, ..self }),
                JsonKind::Null => {}
                _ => decoder.wrong(value, self.place(path), self.owner.go, "a mapping"),
            }
        }
        nodes
    }

    /// The text that is the value of a key. If it is absent, an empty text at the place of
    /// `absent`.
    pub(super) fn text(self, path: &str, absent: &Text, decoder: &mut Decoder) -> Text {
        match self.get(path) {
            Some(value) => decoder.text(value, self.place(path)),
            None => Spanned { value: String::new(), span: absent.span },
        }
    }

    pub(super) fn texts(self, path: &str, decoder: &mut Decoder) -> Vec<Text> {
        let value = self.get(path);
        value.map(|value| decoder.texts(value, self.place(path))).unwrap_or_default()
    }

    pub(super) fn place(self, keys: &str) -> FieldPlace<'_> {
        FieldPlace { owner: self.owner, keys }
    }

    pub(super) fn whole(self, decoder: &Decoder) -> Text {
        decoder.absent(self.value)
    }

    pub(super) fn value(self) -> PlacedValue<'d> {
        self.value
    }
}
