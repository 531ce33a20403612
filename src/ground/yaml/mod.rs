//! Parses YAML, and keeps the byte range of every key and value. No other room uses a YAML
//! parser.
//!
//! A document is a flat list of nodes. One string has all their texts. Aliases are not expanded, so
//! a small file cannot need much memory.

mod builder;
mod from_json;
mod json;
mod library;
mod lines;
mod parse;
mod parts;
mod plain;
mod segments;
mod service;
mod size;
mod syntax;

pub(crate) use from_json::parse_json;
pub use parse::parse;
pub(crate) use parse::parse_first;
#[cfg(feature = "testing")]
pub use parse::parse_with_library;
pub(crate) use parts::parts;
#[cfg(feature = "testing")]
pub use plain::read_plain;
pub use segments::segments;
pub(crate) use service::read_as_service;
pub(crate) use size::most_values;
pub(crate) use syntax::{Cause, SyntaxError};

use std::ops::Range;

use crate::domain::HashMap;

/// A node of one [`Document`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

#[derive(Clone, Debug, Default)]
pub struct Document {
    nodes: Vec<Node>,
    /// The texts of all scalars.
    texts: String,
    /// The items of all lists. Those of one list are neighbors.
    items: Vec<NodeId>,
    /// The entries of all mappings. Those of one mapping are neighbors.
    entries: Vec<MappingEntry>,
    root: NodeId,
    comments: Vec<Comment>,
    second: Option<usize>,
    is_ordinary: bool,
    is_plain: bool,
}

#[derive(Clone, Debug)]
pub struct Node {
    place: Range32,
    /// The value.
    pub value: Value,
    /// Whether a tag (`!!str`) makes it text.
    tagged_text: bool,
}

impl Node {
    fn new(range: Range<usize>, value: Value) -> Self {
        Self { place: Range32::of(range), value, tagged_text: false }
    }

    /// Its range in bytes. A block scalar ranges from its first character to its last.
    pub fn range(&self) -> Range<usize> {
        self.place.range()
    }

    /// Whether the tag `!!str` makes it text.
    pub fn is_tagged_text(&self) -> bool {
        self.tagged_text
    }

    /// Whether it is a scalar without quotes.
    pub fn is_plain(&self) -> bool {
        matches!(&self.value, Value::Scalar(scalar) if scalar.style == Style::Plain)
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// Text, a number, or another scalar.
    Scalar(Scalar),
    /// A list.
    Sequence(Items),
    /// Keys and values, in the order written, duplicates included.
    Mapping(Entries),
    /// The node that it refers to. None if the alias is inside that node.
    Alias(Option<NodeId>),
}

/// The items of one list, among those of a document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Items(Range32);

/// The entries of one mapping, among those of a document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entries(Range32);

/// The range of a part of a file, or of the texts, items, or entries of its document. The readers
/// of files refuse files that are too large for 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Range32 {
    start: u32,
    end: u32,
}

impl Range32 {
    fn of(range: Range<usize>) -> Self {
        let place = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        Self { start: place(range.start), end: place(range.end) }
    }

    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MappingEntry {
    pub key: NodeId,
    /// The value.
    pub value: NodeId,
}

/// A scalar, whose text is among those of a document.
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    text: Range32,
    pub style: Style,
}

/// The notations of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No quotes.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// A comment, from its `#` to the end of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    pub range: Range<usize>,
    /// Whether something else is on the line before it.
    pub trailing: bool,
}

/// The type of a value, for a YAML reader without a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// An absent value, `~`, or `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// An integer or a float.
    Number,
    /// Text.
    Text,
    /// A list.
    List,
    /// Keys and values.
    Mapping,
}

impl ValueKind {
    /// The name for messages, with an article.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::Text => "text",
            Self::List => "a list",
            Self::Mapping => "a mapping",
        }
    }
}

impl Document {
    /// The outermost node. An empty scalar if the file has only white space and comments.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The first byte of a second document.
    pub fn second_document(&self) -> Option<usize> {
        self.second
    }

    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// Whether the document has only block collections, and no anchors, tags or directives.
    pub fn is_ordinary(&self) -> bool {
        self.is_ordinary
    }

    /// Whether the text is in the plain notation, which all YAML parsers read alike.
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether it has the same nodes and comments as another document, in the same places.
    #[cfg(feature = "testing")]
    pub fn has_content_of(&self, other: &Self) -> bool {
        self.nodes.len() == other.nodes.len()
            && self.nodes.iter().zip(&other.nodes).all(|(one, two)| self.is_alike(one, other, two))
            && self.root == other.root
            && self.comments == other.comments
            && self.second == other.second
            && self.is_ordinary == other.is_ordinary
    }

    #[cfg(feature = "testing")]
    fn is_alike(&self, one: &Node, other: &Self, two: &Node) -> bool {
        let has_value = match (&one.value, &two.value) {
            (Value::Scalar(one), Value::Scalar(two)) => {
                one.style == two.style && self.text_of(*one) == other.text_of(*two)
            }
            (Value::Sequence(one), Value::Sequence(two)) => {
                self.items_of(*one) == other.items_of(*two)
            }
            (Value::Mapping(one), Value::Mapping(two)) => {
                self.entries_of(*one) == other.entries_of(*two)
            }
            (Value::Alias(one), Value::Alias(two)) => one == two,
            _ => false,
        };
        has_value && one.place == two.place && one.tagged_text == two.tagged_text
    }

    /// The duplicate keys of all mappings, each with the first one.
    pub fn duplicate_keys(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        self.nodes.iter().flat_map(|node| match &node.value {
            Value::Mapping(entries) => self.duplicates_among(self.entries_of(*entries)),
            _ => Vec::new(),
        })
    }

    fn duplicates_among(&self, entries: &[MappingEntry]) -> Vec<(NodeId, NodeId)> {
        let mut first: HashMap<&str, NodeId> = HashMap::default();
        let keys = || entries.iter().filter_map(|entry| Some((self.text(entry.key)?, entry.key)));
        // Fast path: nearly every mapping has a few keys, all different.
        if entries.len() <= 8 {
            let mut seen: [&str; 8] = [""; 8];
            let unique = keys().enumerate().all(|(i, (key, _))| {
                let new = !seen[..i].contains(&key);
                seen[i] = key;
                new
            });
            if unique {
                return Vec::new();
            }
        }
        let mut duplicates = Vec::new();
        for (text, key) in keys() {
            match first.get(text) {
                Some(earlier) => duplicates.push((key, *earlier)),
                None => {
                    first.insert(text, key);
                }
            }
        }
        duplicates
    }

    /// Does not follow an alias.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        self.nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (NodeId(u32::try_from(at).unwrap_or(u32::MAX)), node))
    }

    /// Follows an alias.
    pub fn resolved(&self, id: NodeId) -> &Node {
        let mut node = self.node(id);
        // This loop ends, because an alias always refers to an earlier node.
        while let Value::Alias(Some(target)) = node.value {
            node = self.node(target);
        }
        node
    }

    /// The text of a scalar of this document, with its escapes and folding resolved. Empty for an
    /// absent value (`key:`).
    pub fn text_of(&self, scalar: Scalar) -> &str {
        self.texts.get(scalar.text.range()).unwrap_or_default()
    }

    /// The items of a list of this document.
    pub fn items_of(&self, items: Items) -> &[NodeId] {
        self.items.get(items.0.range()).unwrap_or_default()
    }

    /// The entries of a mapping of this document.
    pub fn entries_of(&self, entries: Entries) -> &[MappingEntry] {
        self.entries.get(entries.0.range()).unwrap_or_default()
    }

    /// None if it is not a scalar.
    pub fn text(&self, id: NodeId) -> Option<&str> {
        self.scalar(id).map(|scalar| self.text_of(scalar))
    }

    /// None if it is not a scalar.
    pub fn scalar(&self, id: NodeId) -> Option<Scalar> {
        match &self.resolved(id).value {
            Value::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// Like a comparison with [`text`](Self::text), but faster: most texts have another length.
    fn has_text(&self, id: NodeId, text: &str) -> bool {
        match &self.resolved(id).value {
            Value::Scalar(scalar) => {
                self.texts.as_bytes().get(scalar.text.range()) == Some(text.as_bytes())
            }
            _ => false,
        }
    }

    /// Empty if it is not a mapping.
    pub fn entries(&self, id: NodeId) -> &[MappingEntry] {
        match &self.resolved(id).value {
            Value::Mapping(entries) => self.entries_of(*entries),
            _ => &[],
        }
    }

    /// Empty if it is not a list.
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        match &self.resolved(id).value {
            Value::Sequence(items) => self.items_of(*items),
            _ => &[],
        }
    }

    /// The entry of a mapping with this key. If the key is repeated, the last entry, because
    /// readers that allow duplicates use that one.
    pub fn entry(&self, mapping: NodeId, key: &str) -> Option<MappingEntry> {
        self.entries(mapping).iter().rev().find(|entry| self.has_text(entry.key, key)).copied()
    }

    /// The values of several keys of a mapping, as [`get`](Self::get) finds them.
    pub fn values<const N: usize>(&self, mapping: NodeId, keys: [&str; N]) -> [Option<NodeId>; N] {
        let mut values = [None; N];
        for entry in self.entries(mapping) {
            if let Some(at) = keys.iter().position(|key| self.has_text(entry.key, key)) {
                values[at] = Some(entry.value);
            }
        }
        values
    }

    pub fn get(&self, mapping: NodeId, key: &str) -> Option<NodeId> {
        self.entry(mapping, key).map(|entry| entry.value)
    }

    /// The value of a key at the top level.
    pub fn top(&self, key: &str) -> Option<NodeId> {
        self.get(self.root, key)
    }

    pub fn kind(&self, id: NodeId) -> ValueKind {
        let node = self.resolved(id);
        match &node.value {
            Value::Scalar(scalar) => {
                json::scalar_kind(self.text_of(*scalar), scalar.style, node.tagged_text)
            }
            Value::Sequence(_) => ValueKind::List,
            Value::Mapping(_) => ValueKind::Mapping,
            Value::Alias(_) => ValueKind::Null,
        }
    }
}
