//! A cache of patterns. Reading a pattern takes longer than the rest of most queries, and many
//! queries share a few patterns.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The most patterns that are kept.
const MOST: usize = 128;

/// Patterns by their text.
pub(super) struct KnownPatterns<P>(Mutex<Option<HashMap<String, Arc<P>>>>);

impl<P> KnownPatterns<P> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// The pattern of a text. Makes it if it is not known.
    pub(super) fn get<E>(
        &self,
        text: &str,
        make: impl FnOnce() -> Result<P, E>,
    ) -> Result<Arc<P>, E> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().as_ref().and_then(|patterns| patterns.get(text)) {
            return Ok(Arc::clone(known));
        }
        let pattern = Arc::new(make()?);
        let mut known = lock();
        let patterns = known.get_or_insert_default();
        if patterns.len() >= MOST {
            patterns.clear();
        }
        patterns.insert(text.to_owned(), Arc::clone(&pattern));
        Ok(pattern)
    }
}
