//! Path patterns: `*` within a folder, `**` across folders, `?` for one character.

use regex::Regex;

/// The pattern as a regular expression for whole paths. None if it is too large.
pub(super) fn glob(pattern: &str) -> Option<Regex> {
    let mut expression = String::from("^");
    let mut rest = pattern.trim_start_matches("./");
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("**/") {
            expression.push_str("(?:.*/)?");
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix("**") {
            expression.push_str(".*");
            rest = after;
            continue;
        }
        match c {
            '*' => expression.push_str("[^/]*"),
            '?' => expression.push_str("[^/]"),
            c => expression.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
        rest = &rest[c.len_utf8()..];
    }
    // The name of a folder matches everything in it.
    expression.push_str(if pattern.ends_with('/') { ".*$" } else { "(?:/.*)?$" });
    Regex::new(&expression).ok()
}

#[cfg(test)]
mod tests {
    use super::glob;

    fn matches(pattern: &str, path: &str) -> bool {
        glob(pattern).is_some_and(|glob| glob.is_match(path))
    }

    #[test]
    fn stars_stay_in_their_folder_unless_there_are_two() {
        assert!(matches("blocked-edges/4.1.*", "blocked-edges/4.1.0.yaml"));
        assert!(!matches("blocked-edges/4.1.*", "blocked-edges/4x1.0.yaml"));
        assert!(!matches("*.yaml", "channels/stable-4.1.yaml"));
        assert!(matches("**/*.yaml", "channels/stable-4.1.yaml"));
        assert!(matches("channels", "channels/stable-4.1.yaml"));
        assert!(matches("channels/", "channels/stable-4.1.yaml"));
        assert!(!matches("channels", "channels2/stable-4.1.yaml"));
    }
}
