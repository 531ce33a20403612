//! The token that clients must send.

use std::fmt;

use subtle::ConstantTimeEq;

/// The token that clients must send, in the header `Authorization`.
pub(crate) struct Token(String);

// The token must not appear in messages.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").finish_non_exhaustive()
    }
}

impl Token {
    pub(crate) fn new(token: String) -> Self {
        Self(token)
    }

    /// Whether a header contains the token. The time of the comparison reveals nothing about the
    /// token.
    pub(super) fn is_shown_in(&self, authorization: &[u8]) -> bool {
        let scheme = authorization.get(..SCHEME.len());
        let is_bearer = scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME));
        let shown = authorization.get(SCHEME.len()..).unwrap_or_default().trim_ascii();
        is_bearer && shown.ct_eq(self.0.as_bytes()).into()
    }
}

const SCHEME: &[u8] = b"Bearer ";

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn only_the_whole_token_counts() {
        let token = Token::new("secret".into());
        for shown in ["Bearer secret", "bearer  secret "] {
            assert!(token.is_shown_in(shown.as_bytes()), "{shown}");
        }
        for shown in
            ["", "Bearer", "Bearer ", "secret", "Basic secret", "Bearer secre", "Bearer secrets"]
        {
            assert!(!token.is_shown_in(shown.as_bytes()), "{shown}");
        }
        assert!(!format!("{token:?}").contains("secret"));
    }
}
