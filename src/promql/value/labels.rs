//! The labels of a series.

use std::sync::Arc;

use super::numbers::quoted;

/// The label that holds a metric's name.
pub(super) const METRIC_NAME: &str = "__name__";

/// The labels of a series, sorted by name. A label with an empty value is the same as no label, so
/// there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Labels(Vec<(Arc<str>, Arc<str>)>);

impl Labels {
    /// The labels of these names and values. Of several values for one name, the last one stays.
    pub fn new<N: AsRef<str>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (N, V)>) -> Self {
        let mut labels = Self::default();
        for (name, value) in pairs {
            labels.set(name.as_ref(), value.as_ref());
        }
        labels
    }

    /// The names and the values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The value of a label; empty if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.place(name).map_or("", |at| &self.0[at].1)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (**known).cmp(name))
    }

    pub(super) fn set(&mut self, name: &str, value: &str) {
        match (self.place(name), value.is_empty()) {
            (Ok(at), true) => {
                self.0.remove(at);
            }
            (Ok(at), false) => self.0[at].1 = value.into(),
            (Err(_), true) => {}
            (Err(at), false) => self.0.insert(at, (name.into(), value.into())),
        }
    }

    pub(super) fn with(&self, name: &str, value: &str) -> Self {
        let mut labels = self.clone();
        labels.set(name, value);
        labels
    }

    /// Only the labels of these names.
    pub(super) fn only(&self, names: &[&str]) -> Self {
        self.filtered(|name| names.contains(&name))
    }

    /// All labels but those of these names.
    pub(super) fn without(&self, names: &[&str]) -> Self {
        self.filtered(|name| !names.contains(&name))
    }

    pub(super) fn without_name(&self) -> Self {
        self.without(&[METRIC_NAME])
    }

    fn filtered(&self, keeps: impl Fn(&str) -> bool) -> Self {
        Self(self.0.iter().filter(|(name, _)| keeps(name)).cloned().collect())
    }

    /// The bytes of its texts.
    pub(super) fn size(&self) -> usize {
        self.0.iter().map(|(name, value)| name.len() + value.len()).sum()
    }
}

/// `{__name__="up", job="a"}`, as Prometheus writes it in its errors.
impl std::fmt::Display for Labels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("{")?;
        for (i, (name, value)) in self.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            let name = if is_plain { name.to_owned() } else { quoted(name) };
            write!(f, "{comma}{name}={}", quoted(value))?;
        }
        f.write_str("}")
    }
}
