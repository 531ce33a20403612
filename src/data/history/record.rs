//! The text of a history in the cache. Reads only what this program has written.

use std::fmt::Write;
use std::str::FromStr;
use std::sync::Arc;

use crate::domain::{HashMap, HashSet};
use crate::text::fnv_hash;

use super::{History, Suggestions};

/// The first line. Change it if the format changes, or if the same commits would give another
/// history.
const HEAD: &str = "exitpath history 4";

pub(super) fn write(commit: &str, place: &str, history: &History) -> String {
    let mut body = String::new();
    for time in &history.times {
        let _ = write!(body, "{time} ");
    }
    body.push('\n');
    let mut channels: Vec<_> = history.joined.iter().collect();
    channels.sort_unstable_by_key(|(name, _)| *name);
    for (channel, members) in channels {
        let mut members: Vec<_> = members.iter().collect();
        members.sort_unstable_by_key(|(version, order)| (*order, *version));
        let _ = write!(body, "channel {channel}");
        for (version, order) in members {
            let _ = write!(body, "\t{order} {version}");
        }
        body.push('\n');
    }
    let mut proposed: Vec<_> = history.proposed.iter().collect();
    proposed.sort_unstable();
    let _ = write!(body, "proposed");
    for (version, time) in proposed {
        let _ = write!(body, "\t{time} {version}");
    }
    body.push('\n');
    for one in &history.suggestions {
        let _ = writeln!(body, "suggestions {} {} {}", one.since, one.text.len(), one.minor);
        body.push_str(&one.text);
        body.push('\n');
    }
    sealed(commit, place, &body)
}

/// Puts the lines above a body with which `read` accepts it.
pub(super) fn sealed(commit: &str, place: &str, body: &str) -> String {
    format!("{HEAD}\n{commit} {:016x} {place:?}\n{body}", checksum(body))
}

/// The history in a text. None if the text is damaged, or belongs to another commit or place.
pub(super) fn read(commit: &str, place: &str, text: &str) -> Option<History> {
    let body = text.strip_prefix(HEAD)?.strip_prefix('\n')?;
    let (line, body) = body.split_once('\n')?;
    if line != format!("{commit} {:016x} {place:?}", checksum(body)) {
        return None;
    }
    let (times, mut rest) = body.split_once('\n')?;
    let times = times.split_ascii_whitespace().map(str::parse);
    let times: Vec<i64> = times.collect::<Result<_, _>>().ok()?;
    let mut history = History { times, is_whole: true, ..History::default() };
    let mut versions = Versions::default();
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        if let Some(channel) = line.strip_prefix("channel ") {
            let mut fields = channel.split('\t');
            let name = fields.next()?.to_owned();
            history.joined.insert(name, versions.entries(fields)?);
        } else if let Some(proposed) = line.strip_prefix("proposed") {
            history.proposed = versions.entries(proposed.split('\t').skip(1))?;
        } else {
            let mut fields = line.strip_prefix("suggestions ")?.splitn(3, ' ');
            let since = fields.next()?.parse().ok()?;
            let length: usize = fields.next()?.parse().ok()?;
            let minor = fields.next()?.to_owned();
            let text = rest.get(..length)?.to_owned();
            rest = rest.get(length..)?.strip_prefix('\n')?;
            history.suggestions.push(Suggestions { minor, since, text });
        }
    }
    rest.is_empty().then_some(history)
}

/// The versions of a cached history, each stored once: a release is in many channels.
#[derive(Default)]
struct Versions(HashSet<Arc<str>>);

impl Versions {
    /// Reads versions from fields. Each version follows a number.
    fn entries<'f, N: FromStr>(
        &mut self,
        fields: impl Iterator<Item = &'f str>,
    ) -> Option<HashMap<Arc<str>, N>> {
        let entry = |field: &str| {
            let (number, version) = field.split_once(' ')?;
            Some((self.shared(version), number.parse().ok()?))
        };
        fields.map(entry).collect()
    }

    fn shared(&mut self, version: &str) -> Arc<str> {
        if let Some(known) = self.0.get(version) {
            return Arc::clone(known);
        }
        let new: Arc<str> = version.into();
        self.0.insert(Arc::clone(&new));
        new
    }
}

/// The name of a place in the cache. Each text also contains its place, so a collision of names
/// does no harm.
pub(super) fn key(place: &str) -> String {
    format!("{:016x}", checksum(place))
}

/// A checksum that detects damaged files.
fn checksum(text: &str) -> u64 {
    fnv_hash(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use crate::history::{History, Suggestions};

    fn history() -> History {
        let members = [("4.1.0".into(), 0), ("4.1.1+amd64".into(), 1)];
        History {
            times: vec![5, -3],
            joined: [("channels/fast-4.1".to_owned(), members.into_iter().collect())]
                .into_iter()
                .collect(),
            proposed: [("4.1.1".into(), -4)].into_iter().collect(),
            suggestions: vec![Suggestions {
                minor: "4.1".to_owned(),
                since: 1,
                text: "default:\n  z_min: 4.1.0\n".to_owned(),
            }],
            is_whole: true,
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        assert_eq!(read("c0ffee", "a/", &write("c0ffee", "a/", &history())), Some(history()));
    }

    #[test]
    fn another_commits_and_damaged_texts_are_not_believed() {
        let text = write("c0ffee", "a/", &history());
        assert_eq!(read("decade", "a/", &text), None);
        assert_eq!(read("c0ffee", "b/", &text), None);
        for end in 0..text.len() {
            assert_eq!(read("c0ffee", "a/", &text[..end]), None, "cut at {end}");
        }
        assert_eq!(read("c0ffee", "a/", &text.replace("4.1.1", "4.1.2")), None);
        assert_eq!(read("c0ffee", "a/", ""), None);
    }
}
