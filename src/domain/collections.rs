//! Maps and sets with a hash that is fast for short keys. Its seed is random, so that nobody can choose
//! keys with the same hash.

/// A map in no order.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;

/// A set in no order.
pub(crate) type HashSet<T> = std::collections::HashSet<T, foldhash::fast::RandomState>;
