//! Values that many parts of a graph share, each with a number.

use std::hash::Hash;

use crate::domain::HashMap;

#[derive(Debug)]
pub(super) struct Pool<T> {
    numbers: HashMap<T, usize>,
    list: Vec<T>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { numbers: HashMap::default(), list: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Pool<T> {
    /// The number of a value. Equal values have the same number.
    pub(super) fn number(&mut self, thing: T) -> usize {
        *self.numbers.entry(thing).or_insert_with_key(|thing| {
            self.list.push(thing.clone());
            self.list.len() - 1
        })
    }

    pub(super) fn into_list(self) -> Vec<T> {
        self.list
    }
}
