//! The versions of Prometheus.

/// The major versions of Prometheus, which differ in how they read and answer queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Prometheus 2: a window includes both its ends, `.` does not match a line feed, and there is
    /// `holt_winters`.
    Two,
    /// Prometheus 3: a window omits its start, and `.` matches every character.
    Three,
}
