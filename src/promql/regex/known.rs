//! Patterns that are ready to match. Compiling one takes longer than most queries, and many queries
//! share a few patterns.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ::regex::Regex;

/// How many are kept.
const MOST: usize = 64;

/// Patterns by their text. `None`: it is too large.
pub(super) struct Known(Mutex<Option<HashMap<String, Option<Arc<Regex>>>>>);

impl Known {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// The pattern of a text, which is compiled if it is not known.
    pub(super) fn get(
        &self,
        text: &str,
        compile: impl FnOnce() -> Option<Regex>,
    ) -> Option<Arc<Regex>> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().as_ref().and_then(|patterns| patterns.get(text)) {
            return known.clone();
        }
        let pattern = compile().map(Arc::new);
        let mut known = lock();
        let patterns = known.get_or_insert_default();
        if patterns.len() >= MOST {
            patterns.clear();
        }
        patterns.insert(text.to_owned(), pattern.clone());
        pattern
    }
}
