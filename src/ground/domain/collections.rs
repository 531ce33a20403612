//! Maps and sets with a hash that is fast for short keys. Its seed is random, so that nobody can
//! choose keys with the same hash.

/// Makes the hash.
pub(crate) type FastHash = foldhash::fast::RandomState;

/// A map in no order.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, FastHash>;

/// A set in no order.
pub(crate) type HashSet<T> = std::collections::HashSet<T, FastHash>;
