//! Reads how many clusters run each release.

use crate::domain::HashMap;
use crate::text::Failure;

/// How many clusters run each release, by version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClusterCounts(HashMap<String, u64>);

impl ClusterCounts {
    /// Reads lines of `VERSION,CLUSTERS`. Adds up lines with the same version. Skips blank lines,
    /// lines that begin with `#`, and a first line without a number. The error names the line.
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        let mut clusters: HashMap<String, u64> = HashMap::default();
        let lines = (1..).zip(text.lines().map(str::trim));
        let mut lines =
            lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
        let header = lines.peek().map(|(nth, _)| *nth);
        for (nth, line) in lines {
            let parts = line.split_once(',').or_else(|| line.split_once(char::is_whitespace));
            let (version, count) = parts.map_or((line, ""), |(a, b)| (a.trim(), b.trim()));
            match count.parse::<u64>() {
                Ok(count) => {
                    let known = clusters.entry(version.to_owned()).or_default();
                    *known = known.saturating_add(count);
                }
                Err(_) if header == Some(nth) => {}
                Err(_) => {
                    return Err(Failure::new(format!("line {nth} is not `VERSION,CLUSTERS`")));
                }
            }
        }
        Ok(Self(clusters))
    }

    pub(crate) fn on(&self, version: &str) -> u64 {
        self.0.get(version).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::ClusterCounts;

    #[test]
    fn lines_are_added_up() {
        let read = ClusterCounts::read(
            "# a poll\n\nversion,clusters\n# ours\n4.18.1,3\n\n4.18.1 , 4\n4.18.2\t1\n",
        );
        let clusters = read.unwrap_or_default();
        assert_eq!(
            (clusters.on("4.18.1"), clusters.on("4.18.2"), clusters.on("4.18.3")),
            (7, 1, 0)
        );
        let error = ClusterCounts::read("4.18.1,3\n4.18.2,many\n").err();
        assert_eq!(error, Some("line 2 is not `VERSION,CLUSTERS`".into()));
    }
}
