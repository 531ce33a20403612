//! Why a config cannot be used.

/// Says what is wrong, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct ConfigError(pub String);

impl std::error::Error for ConfigError {}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
