//! Follows symbolic links, but only to other listed files.

use super::Unreadable;

/// A longer chain of links counts as a circle.
const MAX_HOPS: usize = 16;

/// The path, relative to the repository, where the link at `path` ends.
///
/// `target_of` returns the target of a listed link, and None for any other path.
pub(super) fn resolve(
    path: &str,
    target_of: impl Fn(&str) -> Option<String>,
) -> Result<String, Unreadable> {
    let mut at = path.to_owned();
    for _ in 0..MAX_HOPS {
        let Some(target) = target_of(&at) else { return Ok(at) };
        at = joined(&at, &target)
            .ok_or_else(|| format!("it points out of the repository, to `{target}`"))
            .map_err(Unreadable::Link)?;
    }
    Err(Unreadable::Link("it is part of a circle of links".to_owned()))
}

/// `target`, relative to the folder of `link`. None if it is outside the repository.
fn joined(link: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = link.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{Unreadable, resolve};

    fn target_of(path: &str) -> Option<String> {
        let target = match path {
            "channels/a.yaml" => "../blocked-edges/b.yaml",
            "channels/loop.yaml" => "loop.yaml",
            "channels/out.yaml" => "../../etc/passwd",
            "channels/absolute.yaml" => "/etc/passwd",
            _ => return None,
        };
        Some(target.to_owned())
    }

    #[test]
    fn links_stay_in_the_repository() {
        assert_eq!(resolve("channels/a.yaml", target_of), Ok("blocked-edges/b.yaml".to_owned()));
        for (link, why) in [("loop", "circle"), ("out", "out of"), ("absolute", "out of")] {
            let end = resolve(&format!("channels/{link}.yaml"), target_of);
            assert!(matches!(end, Err(Unreadable::Link(words)) if words.contains(why)), "{link}");
        }
    }
}
