//! The minor versions on the path of a cluster.

use crate::catalog::Package;
use crate::domain::Minor;

/// A minor version, and the catalog of clusters with that version.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'c> {
    pub minor: Minor,
    /// None if the catalog is not given.
    pub packages: Option<&'c [Package]>,
}

impl<'c> Stage<'c> {
    pub(super) fn package(&self, name: &str) -> Option<&'c Package> {
        self.packages?.iter().find(|package| package.name == name)
    }
}

/// The most minor versions on a path. OpenShift has fewer.
const MOST: usize = 100;
/// The first minor version that can be updated to 5.0. The next one, 4.23, can too: OLM treats it
/// as equal to 5.0.
const LAST_OF_4: u64 = 22;

/// The minor versions from one to another, including both. None if no updates lead there.
pub fn minors_between(from: Minor, to: Minor) -> Option<Vec<Minor>> {
    let mut minors = vec![from];
    let mut at = from;
    while at != to {
        let is_same_major = at.major == to.major && at < to;
        let is_from_4_to_5 = at.major == 4 && to.major == 5;
        at = if is_same_major || is_from_4_to_5 && at.minor < LAST_OF_4 {
            Minor { minor: at.minor + 1, ..at }
        } else if is_from_4_to_5 && at.minor <= LAST_OF_4 + 1 {
            Minor { major: 5, minor: 0 }
        } else {
            return None;
        };
        minors.push(at);
        if minors.len() > MOST {
            return None;
        }
    }
    Some(minors)
}

#[cfg(test)]
mod tests {
    use super::minors_between;
    use crate::domain::Minor;

    #[test]
    fn minor_versions_follow_each_other() {
        let minors = |from: &str, to: &str| -> Option<Vec<String>> {
            let (from, to) = (Minor::parse(from)?, Minor::parse(to)?);
            Some(minors_between(from, to)?.iter().map(ToString::to_string).collect())
        };
        let some = |minors: &[&str]| Some(minors.iter().map(|m| (*m).to_owned()).collect());
        assert_eq!(minors("4.16", "4.18"), some(&["4.16", "4.17", "4.18"]));
        assert_eq!(minors("4.21", "5.1"), some(&["4.21", "4.22", "5.0", "5.1"]));
        assert_eq!(minors("4.22", "4.23"), some(&["4.22", "4.23"]));
        assert_eq!(minors("4.23", "5.0"), some(&["4.23", "5.0"]));
        assert_eq!(minors("4.18", "4.18"), some(&["4.18"]));
        assert_eq!(minors("4.18", "4.16"), None);
        assert_eq!(minors("4.24", "5.0"), None);
        assert_eq!(minors("4.1", "4.18446744073709551615"), None);
    }
}
