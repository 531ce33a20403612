//! Typed ids for list indexes: each list has its own type of id.

use std::marker::PhantomData;
use std::ops::{Deref, Index, IndexMut, Range};

/// An index into a list of one kind of item.
pub trait Id: Copy {
    /// No list exceeds `u32`, because the limits for input are much lower.
    fn at(index: usize) -> Self;

    fn index(self) -> usize;
}

/// The ids of a range.
pub(crate) fn each_id<I: Id>(
    ids: Range<I>,
) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator {
    (ids.start.index()..ids.end.index()).map(I::at)
}

/// Declares id types.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[allow(unreachable_pub, reason = "the macro does not know who uses the id")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        #[allow(dead_code, unreachable_pub, reason = "the macro does not know who uses the id")]
        impl $name {
            /// The id of a list index.
            pub fn at(index: usize) -> Self {
                $crate::domain::Id::at(index)
            }

            /// The list index.
            pub fn index(self) -> usize {
                $crate::domain::Id::index(self)
            }
        }

        impl $crate::domain::Id for $name {
            fn at(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
pub(crate) use ids;

/// A list that only its own type of id can index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn() -> I>,
}

impl<I: Id, T> Arena<I, T> {
    /// Returns the id of the new item.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::at(self.items.len() - 1)
    }

    /// A list of equal items.
    pub fn filled(len: usize, item: T) -> Self
    where
        T: Clone,
    {
        Self { items: vec![item; len], ids: PhantomData }
    }

    pub fn range(&self, ids: Range<I>) -> &[T] {
        &self.items[ids.start.index()..ids.end.index()]
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::at)
    }

    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator + Clone {
        self.items.iter().enumerate().map(|(index, item)| (I::at(index), item))
    }
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self { items: Vec::new(), ids: PhantomData }
    }
}

impl<I, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<L: IntoIterator<Item = T>>(items: L) -> Self {
        Self { items: items.into_iter().collect(), ids: PhantomData }
    }
}

impl<I, T> IntoIterator for Arena<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, I, T> IntoIterator for &'a Arena<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I, T> Deref for Arena<I, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}
