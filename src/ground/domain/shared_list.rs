//! A list whose items several states of the same data share.

use std::ops::Index;
use std::slice;
use std::sync::Arc;

/// A list whose items several states of the same data share.
#[derive(Clone, Debug)]
pub struct SharedList<T>(Vec<Arc<T>>);

/// The items of a [`SharedList`].
pub type SharedItems<'l, T> = std::iter::Map<slice::Iter<'l, Arc<T>>, fn(&Arc<T>) -> &T>;

impl<T> SharedList<T> {
    /// The items, in order.
    pub fn iter(&self) -> SharedItems<'_, T> {
        self.0.iter().map(|item| &**item)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The item with a key, in a list that is sorted by this key.
    pub(crate) fn find<K: Ord>(&self, key: &K, key_of: impl Fn(&T) -> K) -> Option<&Arc<T>> {
        let place = self.0.binary_search_by_key(key, |item| key_of(item));
        place.ok().map(|place| &self.0[place])
    }

    /// Whether another list has the same items, not only equal ones.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        self.0.len() == other.0.len() && pairs.all(|(own, other)| Arc::ptr_eq(own, other))
    }

    /// The list with only some of its items.
    pub(crate) fn only(&self, is_kept: impl Fn(&T) -> bool) -> Self {
        self.0.iter().filter(|item| is_kept(item)).cloned().collect()
    }
}

impl<T> FromIterator<Arc<T>> for SharedList<T> {
    fn from_iter<I: IntoIterator<Item = Arc<T>>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<'l, T> IntoIterator for &'l SharedList<T> {
    type Item = &'l T;
    type IntoIter = SharedItems<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> Index<usize> for SharedList<T> {
    type Output = T;

    fn index(&self, place: usize) -> &T {
        &self.0[place]
    }
}
