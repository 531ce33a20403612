//! One object of a cluster, with the places of its values.

use crate::yaml::{Document, MappingEntry, NodeId, ValueKind};

/// An object, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object<'d> {
    document: &'d Document,
    node: NodeId,
    /// Where the document begins in the text.
    start: usize,
    /// The `kind` and the `apiVersion` of an item that its list has for it.
    listed: (&'d str, &'d str),
}

const KINDS: [&str; 4] = ["OperatorGroup", "Subscription", "ClusterServiceVersion", "InstallPlan"];

impl<'d> Object<'d> {
    /// The objects of a document: itself, or the items of a list.
    pub(super) fn all(document: &'d Document, start: usize) -> Vec<Self> {
        let root = Self { document, node: document.root(), start, listed: ("", "") };
        let is_list = root.kind().ends_with("List") && root.get("items").is_some();
        if !is_list {
            return vec![root];
        }
        let kind = root.kind().trim_end_matches("List");
        let listed = (kind, root.text("apiVersion").unwrap_or_default());
        root.list("items").into_iter().map(|item| Self { listed, ..item }).collect()
    }

    pub(super) fn is_of_olm(&self) -> bool {
        let api = self.text("apiVersion").unwrap_or(self.listed.1);
        KINDS.contains(&self.kind()) && api.starts_with("operators.coreos.com/")
    }

    pub(super) fn kind(&self) -> &'d str {
        self.text("kind").unwrap_or(self.listed.0)
    }

    pub(super) fn name(&self) -> Option<&'d str> {
        self.get("metadata")?.text("name").filter(|name| !name.is_empty())
    }

    pub(super) fn namespace(&self) -> Option<&'d str> {
        self.get("metadata")?.text("namespace").filter(|name| !name.is_empty())
    }

    /// Where it is in the text.
    pub(super) fn at(&self) -> usize {
        self.start + self.document.node(self.node).range().start
    }

    pub(super) fn entry(&self, key: &str) -> Option<MappingEntry> {
        self.document.entry(self.node, key)
    }

    /// Where a key is in the text.
    pub(super) fn key_at(&self, key: &str) -> Option<usize> {
        Some(self.part(self.entry(key)?.key).at())
    }

    pub(super) fn get(&self, key: &str) -> Option<Self> {
        Some(self.part(self.entry(key)?.value))
    }

    /// A value that is nested in mappings.
    pub(super) fn at_path(&self, keys: &[&str]) -> Option<Self> {
        keys.iter().try_fold(*self, |object, key| object.get(key))
    }

    /// Text, or a scalar that was meant as text.
    pub(super) fn text(&self, key: &str) -> Option<&'d str> {
        let value = self.get(key)?;
        (value.value_kind() != ValueKind::Null).then(|| value.as_text()).flatten()
    }

    pub(super) fn owned(&self, key: &str) -> String {
        self.text(key).unwrap_or_default().to_owned()
    }

    pub(super) fn as_text(&self) -> Option<&'d str> {
        self.document.text(self.node)
    }

    pub(super) fn value_kind(&self) -> ValueKind {
        self.document.kind(self.node)
    }

    pub(super) fn list(&self, key: &str) -> Vec<Self> {
        let items = self.get(key).map(|list| self.document.items(list.node)).unwrap_or_default();
        items.iter().map(|item| self.part(*item)).collect()
    }

    fn part(&self, node: NodeId) -> Self {
        Self { node, ..*self }
    }
}
