//! The text that `label_replace` makes for a label. `$1` and `${name}` are parts of the match.

use super::super::super::regex::Groups;

/// The longest value. Longer ones are refused, so that a query cannot double a text again and
/// again.
pub(super) const LONGEST: usize = 64 << 10;

/// The replacement with the parts of the match. None if it is too long.
pub(super) fn expanded(replacement: &str, found: &Groups) -> Option<String> {
    let mut out = String::new();
    let mut rest = replacement;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        if let Some(after) = after.strip_prefix('$') {
            out.push('$');
            rest = after;
        } else if let Some((name, after)) = reference(after) {
            out.push_str(part(name, found));
            rest = after;
        } else {
            out.push('$');
            rest = after;
        }
        if out.len() > LONGEST {
            return None;
        }
    }
    out.push_str(rest);
    (out.len() <= LONGEST).then_some(out)
}

/// The name after a `$`, and the rest of the text.
fn reference(text: &str) -> Option<(&str, &str)> {
    let braced = text.strip_prefix('{');
    let inner = braced.unwrap_or(text);
    let end = inner.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(inner.len());
    let (name, after) = inner.split_at(end);
    if name.is_empty() {
        return None;
    }
    match braced {
        Some(_) => Some((name, after.strip_prefix('}')?)),
        None => Some((name, after)),
    }
}

/// A group of the match, by its number or its name. Empty if there is no such group.
fn part<'f>(name: &str, found: &Groups<'f>) -> &'f str {
    let is_number = name.bytes().all(|b| b.is_ascii_digit());
    let is_padded = name.len() > 1 && name.starts_with('0');
    let group = if is_number && !is_padded {
        name.parse().ok().and_then(|number| found.numbered(number))
    } else {
        found.named(name)
    };
    group.unwrap_or_default()
}
