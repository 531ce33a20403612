//! Parses JSON one level at a time and keeps each value as its original text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The most keys of an object. Objects with more are malicious.
const MOST_KEYS: usize = 1_000_000;

/// A value as its original text.
pub(super) type Raw<'a> = &'a RawValue;

/// The entries of an object in file order, including repeated keys, which a derived reader rejects
/// or loses.
#[derive(Debug, Default)]
pub(super) struct Object<'a>(Vec<(Cow<'a, str>, Raw<'a>)>);

impl<'a> Object<'a> {
    /// The value of a key. If the key is repeated, the last one: this is what all readers use.
    pub(super) fn get(&self, key: &str) -> Option<Raw<'a>> {
        self.0.iter().rfind(|(known, _)| known == key).map(|(_, value)| *value)
    }

    /// Like `get`. None for `null`.
    pub(super) fn optional(&self, key: &str) -> Option<Raw<'a>> {
        self.get(key).filter(|value| !is_null(value))
    }

    pub(super) fn entries(&self) -> &[(Cow<'a, str>, Raw<'a>)] {
        &self.0
    }

    /// A value whose key also occurs before it.
    pub(super) fn repeated(&self) -> Option<Raw<'a>> {
        // Sort, because a malicious object can have many keys.
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by_key(|at| &self.0[*at].0);
        let again = order.windows(2).find(|two| self.0[two[0]].0 == self.0[two[1]].0)?;
        Some(self.0[again[1]].1)
    }
}

/// Whether a value is `null`. Go writes it for empty lists and missing texts.
pub(super) fn is_null(raw: Raw<'_>) -> bool {
    raw.get() == "null"
}

/// Calls `take` for each item of a list, without a copy of the list, which can have millions of
/// items.
pub(super) fn for_each<'a>(
    list: Raw<'a>,
    take: &mut dyn FnMut(Raw<'a>),
) -> Result<(), serde_json::Error> {
    serde_json::Deserializer::from_str(list.get()).deserialize_seq(ItemVisitor(take))
}

struct ItemVisitor<'t, 'a>(&'t mut dyn FnMut(Raw<'a>));

impl<'a> Visitor<'a> for ItemVisitor<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut items: A) -> Result<(), A::Error> {
        while let Some(item) = items.next_element()? {
            (self.0)(item);
        }
        Ok(())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntryVisitor;

        impl<'de> Visitor<'de> for EntryVisitor {
            type Value = Vec<(Cow<'de, str>, Raw<'de>)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some((Key(key), value)) = map.next_entry()? {
                    if entries.len() == MOST_KEYS {
                        return Err(A::Error::custom("an object has more than a million keys"));
                    }
                    entries.push((key, value));
                }
                Ok(entries)
            }
        }

        deserializer.deserialize_map(EntryVisitor).map(Object)
    }
}

/// A key, copied only if it has escapes.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);
