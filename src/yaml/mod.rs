//! YAML with positions: every key and value knows the bytes it was written in.
//!
//! The only room that knows the YAML parser. A document is a flat list of
//! nodes; an alias points at the node it names and is never expanded, so a
//! document costs no more memory than its file deserves.

mod json;
mod parse;
mod place;
mod syntax;

pub use json::ExpansionLimit;
pub use parse::parse;
pub use place::segments;
pub use syntax::{Cause, SyntaxError};

use std::collections::HashMap;
use std::ops::Range;

/// Names a node of one [`Document`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// One parsed document.
#[derive(Clone, Debug)]
pub struct Document {
    nodes: Vec<Node>,
    root: NodeId,
    comments: Vec<Comment>,
    second: Option<usize>,
    is_ordinary: bool,
}

/// A value and where it was written.
#[derive(Clone, Debug)]
pub struct Node {
    /// The bytes of the value; of a block scalar, from its first character to its last.
    pub range: Range<usize>,
    /// What it is.
    pub value: Value,
    /// Whether a tag (`!!str`) makes text of what would be a number or the like.
    tagged_text: bool,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum Value {
    /// Text in one of the five notations.
    Scalar(Scalar),
    /// A list.
    Sequence(Vec<NodeId>),
    /// Keys and values, in the order written, duplicates included.
    Mapping(Vec<Entry>),
    /// Another name for a node that stands elsewhere; `None` inside that very node.
    Alias(Option<NodeId>),
}

/// One key and its value.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The key.
    pub key: NodeId,
    /// The value.
    pub value: NodeId,
}

/// The text of a scalar, escapes and folding undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text. An absent value (`key:`) has none.
    pub text: String,
    /// The notation it was written in.
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
    /// Its bytes, the `#` included.
    pub range: Range<usize>,
    /// Whether something other than white space stands before it on its line.
    pub trailing: bool,
}

/// How a plain scalar is typed by YAML 1.2 readers that have no schema to go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing at all, `~` or `null`.
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

impl Kind {
    /// The kind with its article, for messages.
    #[must_use]
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
    /// The outermost node. A file of white space and comments has one too, an absent value.
    #[must_use]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Where a second document begins, if there is one.
    #[must_use]
    pub fn second_document(&self) -> Option<usize> {
        self.second
    }

    /// The comments in the order written.
    #[must_use]
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// Whether the document keeps to block collections without anchors, tags and directives.
    #[must_use]
    pub fn is_ordinary(&self) -> bool {
        self.is_ordinary
    }

    /// The keys that stand in one mapping twice: each with the earlier one.
    pub fn duplicate_keys(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        self.nodes.iter().flat_map(|node| match &node.value {
            Value::Mapping(entries) => self.duplicates_among(entries),
            _ => Vec::new(),
        })
    }

    fn duplicates_among(&self, entries: &[Entry]) -> Vec<(NodeId, NodeId)> {
        let mut first: HashMap<&str, NodeId> = HashMap::new();
        let keys = || entries.iter().filter_map(|entry| Some((self.text(entry.key)?, entry.key)));
        // Nearly every mapping has a handful of keys, all different.
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

    /// A node, as written: an alias is itself.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Every node, in the order written.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (0..).map(NodeId).zip(&self.nodes)
    }

    /// The node that `id` stands for, aliases followed.
    #[must_use]
    pub fn resolved(&self, id: NodeId) -> &Node {
        let mut node = self.node(id);
        // A chain of aliases always leads to earlier nodes, so this ends.
        while let Value::Alias(Some(target)) = node.value {
            node = self.node(target);
        }
        node
    }

    /// The text of a scalar.
    #[must_use]
    pub fn text(&self, id: NodeId) -> Option<&str> {
        match &self.resolved(id).value {
            Value::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// The entries of a mapping; none for anything else.
    #[must_use]
    pub fn entries(&self, id: NodeId) -> &[Entry] {
        match &self.resolved(id).value {
            Value::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list; none for anything else.
    #[must_use]
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        match &self.resolved(id).value {
            Value::Sequence(items) => items,
            _ => &[],
        }
    }

    /// The entry of a mapping under `key`: the last, as readers that allow duplicates have it.
    #[must_use]
    pub fn entry(&self, mapping: NodeId, key: &str) -> Option<Entry> {
        self.entries(mapping).iter().rev().find(|e| self.text(e.key) == Some(key)).copied()
    }

    /// The value of a mapping under `key`.
    #[must_use]
    pub fn get(&self, mapping: NodeId, key: &str) -> Option<NodeId> {
        self.entry(mapping, key).map(|entry| entry.value)
    }

    /// The value under `key` at the top of the document.
    #[must_use]
    pub fn top(&self, key: &str) -> Option<NodeId> {
        self.get(self.root, key)
    }

    /// How a reader without a schema types this node.
    #[must_use]
    pub fn kind(&self, id: NodeId) -> Kind {
        let node = self.resolved(id);
        match &node.value {
            Value::Scalar(scalar) => json::scalar_kind(scalar, node.tagged_text),
            Value::Sequence(_) => Kind::List,
            Value::Mapping(_) => Kind::Mapping,
            Value::Alias(_) => Kind::Null,
        }
    }
}
