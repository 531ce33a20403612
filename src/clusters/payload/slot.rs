//! The place of a manifest in the order, which the name of its file determines.

/// The run level and the component of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot<'n> {
    /// The digits, which are compared as text: `9` and `09` are two levels.
    pub level: &'n str,
    pub component: &'n str,
}

impl<'n> Slot<'n> {
    /// The slot in a name such as `0000_50_cluster-autoscaler-operator_07_deployment.yaml`. None if
    /// the operator cannot find one.
    pub(crate) fn of(file: &'n str) -> Option<Self> {
        let (level, rest) = file.strip_prefix("0000_")?.split_once('_')?;
        let (component, _) = rest.split_once('_')?;
        let is_level = !level.is_empty() && level.bytes().all(|byte| byte.is_ascii_digit());
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_level && component.split('-').all(is_word)).then_some(Self { level, component })
    }
}
