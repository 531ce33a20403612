//! Objects with the places of their values.

use crate::text::Failure;
use crate::yaml::{self, Document, MappingEntry, NodeId, Value, ValueKind};

use super::{csv, not_yaml};

/// The documents of a text, and where each of them begins.
#[derive(Debug)]
pub(crate) struct Documents(Vec<(usize, Document)>);

/// An object, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'d> {
    document: &'d Document,
    node: NodeId,
    /// Where the document begins in the text.
    start: usize,
    /// The `kind` and the `apiVersion` that an item has because of its list.
    listed: (&'d str, &'d str),
}

impl Documents {
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        let mut documents = Vec::new();
        for (at, part) in yaml::parts(text) {
            let parsed = yaml::parse(part).map_err(|error| not_yaml(text, at + error.offset))?;
            if parsed.nodes().any(|(_, node)| matches!(node.value, Value::Alias(_))) {
                return Err(Failure::new("it has aliases, which `oc` never writes".to_owned()));
            }
            documents.push((at, parsed));
        }
        Ok(Self(documents))
    }

    /// The objects of all documents. The items of a list are separate objects.
    pub(crate) fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        self.0.iter().flat_map(|(start, document)| Object::all(document, *start))
    }
}

impl<'d> Object<'d> {
    /// The objects of a document: the object itself, or the items of a list.
    fn all(document: &'d Document, start: usize) -> Vec<Self> {
        let root = Self { document, node: document.root(), start, listed: ("", "") };
        let is_list = root.kind().ends_with("List") && root.get("items").is_some();
        if !is_list {
            return vec![root];
        }
        let kind = root.kind().trim_end_matches("List");
        let listed = (kind, root.text("apiVersion").unwrap_or_default());
        root.list("items").into_iter().map(|item| Self { listed, ..item }).collect()
    }

    pub(crate) fn api_version(&self) -> &'d str {
        self.text("apiVersion").unwrap_or(self.listed.1)
    }

    /// Whether a CSV is a copy that OLM made.
    pub(crate) fn is_copied(&self) -> bool {
        let text = |keys: &[&str]| self.at_path(keys).and_then(|value| value.as_text());
        csv::is_copied(
            text(&["metadata", "namespace"]),
            text(&["metadata", "annotations", csv::NAMESPACE]),
            self.at_path(&["metadata", "labels", csv::COPIED_FROM]).is_some(),
            text(&["status", "reason"]),
        )
    }

    pub(crate) fn kind(&self) -> &'d str {
        self.text("kind").unwrap_or(self.listed.0)
    }

    pub(crate) fn name(&self) -> Option<&'d str> {
        self.get("metadata")?.text("name").filter(|name| !name.is_empty())
    }

    pub(crate) fn namespace(&self) -> Option<&'d str> {
        self.get("metadata")?.text("namespace").filter(|name| !name.is_empty())
    }

    /// Where it is in the text.
    pub(crate) fn at(&self) -> usize {
        self.start + self.document.node(self.node).range().start
    }

    pub(crate) fn entry(&self, key: &str) -> Option<MappingEntry> {
        self.document.entry(self.node, key)
    }

    /// Where a key is in the text.
    pub(crate) fn key_at(&self, key: &str) -> Option<usize> {
        Some(self.part(self.entry(key)?.key).at())
    }

    pub(crate) fn get(&self, key: &str) -> Option<Self> {
        Some(self.part(self.entry(key)?.value))
    }

    /// A value that is nested in mappings.
    pub(crate) fn at_path(&self, keys: &[&str]) -> Option<Self> {
        keys.iter().try_fold(*self, |object, key| object.get(key))
    }

    /// The text under a key. Other scalars count as text, too.
    pub(crate) fn text(&self, key: &str) -> Option<&'d str> {
        let value = self.get(key)?;
        (value.value_kind() != ValueKind::Null).then(|| value.as_text()).flatten()
    }

    pub(crate) fn owned(&self, key: &str) -> String {
        self.text(key).unwrap_or_default().to_owned()
    }

    pub(crate) fn as_text(&self) -> Option<&'d str> {
        self.document.text(self.node)
    }

    pub(crate) fn value_kind(&self) -> ValueKind {
        self.document.kind(self.node)
    }

    pub(crate) fn list(&self, key: &str) -> Vec<Self> {
        let items = self.get(key).map(|list| self.document.items(list.node)).unwrap_or_default();
        items.iter().map(|item| self.part(*item)).collect()
    }

    fn part(&self, node: NodeId) -> Self {
        Self { node, ..*self }
    }
}
