//! Patterns that were used before. Compiling one takes longer than most queries, and many queries
//! share a few patterns.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many are kept.
const MOST: usize = 64;

/// Patterns by their text. `None`: it is too large.
pub(super) struct Known<P>(Mutex<Option<HashMap<String, Option<Arc<P>>>>>);

impl<P> Known<P> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// The pattern of a text, which is made if it is not known.
    pub(super) fn get(&self, text: &str, make: impl FnOnce() -> Option<P>) -> Option<Arc<P>> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().as_ref().and_then(|patterns| patterns.get(text)) {
            return known.clone();
        }
        let pattern = make().map(Arc::new);
        let mut known = lock();
        let patterns = known.get_or_insert_default();
        if patterns.len() >= MOST {
            patterns.clear();
        }
        patterns.insert(text.to_owned(), pattern.clone());
        pattern
    }
}
