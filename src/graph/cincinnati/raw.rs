//! JSON taken apart one level at a time, each value still the text that was written.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Objects with more keys mean harm.
const MOST_KEYS: usize = 1_000_000;

/// A value as it is written.
pub(super) type Raw<'a> = &'a RawValue;

/// The entries of an object, in the order written, keys that stand twice included: a
/// derived reader would refuse those, or lose all but one.
#[derive(Debug, Default)]
pub(super) struct Object<'a>(Vec<(Cow<'a, str>, Raw<'a>)>);

impl<'a> Object<'a> {
    /// What stands under a key: the last of it, which is the one that every reader takes.
    pub(super) fn get(&self, key: &str) -> Option<Raw<'a>> {
        self.0.iter().rfind(|(known, _)| known == key).map(|(_, value)| *value)
    }

    /// The same, where `null` says as little as silence.
    pub(super) fn optional(&self, key: &str) -> Option<Raw<'a>> {
        self.get(key).filter(|value| !is_null(value))
    }

    pub(super) fn entries(&self) -> &[(Cow<'a, str>, Raw<'a>)] {
        &self.0
    }

    /// A value whose key stands once more before it.
    pub(super) fn repeated(&self) -> Option<Raw<'a>> {
        // Objects have a handful of keys, but for those that mean harm.
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by_key(|at| &self.0[*at].0);
        let again = order.windows(2).find(|two| self.0[two[0]].0 == self.0[two[1]].0)?;
        Some(self.0[again[1]].1)
    }
}

/// Whether a value is `null`: what Go writes for an empty list and for a text that is not there.
pub(super) fn is_null(raw: Raw<'_>) -> bool {
    raw.get() == "null"
}

/// Hands out the items of a list one by one, so that a list of millions is never copied.
pub(super) fn for_each<'a>(
    list: Raw<'a>,
    take: &mut dyn FnMut(Raw<'a>),
) -> Result<(), serde_json::Error> {
    serde_json::Deserializer::from_str(list.get()).deserialize_seq(Items(take))
}

struct Items<'t, 'a>(&'t mut dyn FnMut(Raw<'a>));

impl<'a> Visitor<'a> for Items<'_, 'a> {
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
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
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

        deserializer.deserialize_map(Entries).map(Object)
    }
}

/// A key, copied only where it has escapes.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);
