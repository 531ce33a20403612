//! Lists the commits of a history, and finds its mainline: the commits that the default branch has
//! pointed at.
//!
//! In most places, the mainline is the chain of first parents. But a merge "Merge branch 'master'
//! into my-branch" has master as its second parent. Along its first parent, everything that master
//! got in the meantime seems to come with the merge, days late.

use crate::domain::HashMap;

use super::{Git, GitError};

/// A commit of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    pub id: String,
    /// The time of the commit, in seconds since 1970.
    pub time: i64,
    /// The parent to which the commit is compared. None for a first commit.
    pub parent: Option<String>,
    /// Whether it is on the mainline. If not, the next commit on the mainline brings it there.
    pub is_on_mainline: bool,
}

/// The start of the subject of merges that GitHub makes on the default branch. Their first parent
/// is the default branch.
const MERGE_ON_GITHUB: &str = "Merge pull request ";

impl Git {
    /// The commits up to a commit: those of the mainline, oldest first, each after the commits that
    /// it brings to the mainline.
    pub(crate) fn commits(&self, until: &str) -> Result<Vec<Commit>, GitError> {
        let order = ["rev-list", "--topo-order", "--reverse", "--parents"];
        let format = ["--encoding=UTF-8", "--format=%ct %s", until, "--"];
        let answer = self.ask_about_commits(&[&order[..], &format[..]].concat())?;
        Ok(commits(&String::from_utf8_lossy(&answer)))
    }
}

/// A commit in the output of `rev-list`. Other commits are given by their index in the list.
struct Listed<'l> {
    id: &'l str,
    time: i64,
    /// The indexes of its parents.
    parents: Vec<usize>,
    /// The index of its parent on the mainline, if it is on the mainline itself.
    before: Option<usize>,
    /// The number of commits on the longest path to it.
    depth: usize,
}

/// The commits in the output of `rev-list`, which has two lines for each commit: `commit`, its id
/// and its parents; and its time and its subject. Parents come first.
pub(super) fn commits(text: &str) -> Vec<Commit> {
    let listed = listed(text);
    let commit = |at: usize, is_on_mainline: bool| {
        let Listed { id, time, before, .. } = listed[at];
        let parent = before.map(|before| listed[before].id.to_owned());
        Commit { id: id.to_owned(), time, parent, is_on_mainline }
    };
    let mut is_known = vec![false; listed.len()];
    let mut commits = Vec::with_capacity(listed.len());
    for at in mainline(&listed) {
        is_known[at] = true;
        let brought = brought_by(at, &listed, &mut is_known);
        commits.extend(brought.into_iter().map(|at| commit(at, false)));
        commits.push(commit(at, true));
    }
    commits
}

fn listed(text: &str) -> Vec<Listed<'_>> {
    let mut listed: Vec<Listed<'_>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::default();
    let mut lines = text.lines();
    while let Some((ids, words)) = lines.next().zip(lines.next()) {
        let mut ids = ids.split(' ').skip(1);
        let (time, subject) = words.split_once(' ').unwrap_or((words, ""));
        let Some((id, time)) = ids.next().zip(time.parse().ok()) else { continue };
        // In a shallow clone, the parents of the first commits are missing.
        let parents: Vec<usize> = ids.filter_map(|parent| places.get(parent).copied()).collect();
        // The default branch gets more commits than other branches.
        let deepest = parents.iter().copied().max_by_key(|parent| listed[*parent].depth);
        let is_on_github = subject.starts_with(MERGE_ON_GITHUB);
        let before = if is_on_github { parents.first().copied() } else { deepest };
        let depth = deepest.map_or(0, |deepest| listed[deepest].depth) + 1;
        places.insert(id, listed.len());
        listed.push(Listed { id, time, parents, before, depth });
    }
    listed
}

/// The mainline up to the last commit, oldest first.
fn mainline(listed: &[Listed<'_>]) -> Vec<usize> {
    let last = listed.len().checked_sub(1);
    let mut mainline: Vec<usize> = std::iter::successors(last, |at| listed[*at].before).collect();
    mainline.reverse();
    mainline
}

/// The ancestors of a commit, including itself, that are not known yet.
fn brought_by(at: usize, listed: &[Listed<'_>], is_known: &mut [bool]) -> Vec<usize> {
    let mut brought = Vec::new();
    let mut next = vec![at];
    while let Some(at) = next.pop() {
        for parent in &listed[at].parents {
            if !is_known[*parent] {
                is_known[*parent] = true;
                brought.push(*parent);
                next.push(*parent);
            }
        }
    }
    brought
}

#[cfg(test)]
mod tests {
    use super::commits;

    /// The commits of a history such as `a: x`, `b a: Merge …`, with their parents. Those beside
    /// the mainline are in parentheses.
    fn read(history: &[&str]) -> String {
        let lines = history.iter().enumerate().map(|(at, commit)| {
            let (ids, subject) = commit.split_once(": ").unwrap_or((commit, ""));
            format!("commit {ids}\n{at} {subject}\n")
        });
        let commits = commits(&lines.collect::<String>());
        let words = commits.iter().map(|commit| {
            let parent = commit.parent.as_ref().map(|parent| format!("<{parent}"));
            let word = format!("{}{}@{}", commit.id, parent.unwrap_or_default(), commit.time);
            if commit.is_on_mainline { word } else { format!("({word})") }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_pull_request_comes_with_its_merge() {
        let merged =
            ["a: x", "b a: x", "c b: x", "d a c: Merge pull request #1 from x/y", "e d: x"];
        assert_eq!(read(&merged), "a@0 (c<b@2) (b<a@1) d<a@3 e<d@4");
    }

    #[test]
    fn master_stays_the_mainline_when_it_is_merged_into_a_branch() {
        let longer = ["a: x", "mine a: x", "b a: x", "c b: x", "d mine c: Merge branch 'master'"];
        assert_eq!(read(&longer), "a@0 b<a@2 c<b@3 (mine<a@1) d<c@4");
        let as_long = ["a: x", "mine a: x", "b a: x", "c mine b: Merge branch 'master' into mine"];
        assert_eq!(read(&as_long), "a@0 b<a@2 (mine<a@1) c<b@3");
    }

    #[test]
    fn what_git_does_not_print_is_skipped() {
        assert_eq!(read(&[]), "");
        assert_eq!(read(&["b missing: x"]), "b@0");
        assert_eq!(read(&["a a b: x", "b a a: x", "b b: x"]), "a@0 b<a@1 b<b@2");
        let cut = "commit\n1 x\ncommit a\nnow x\ncommit b\n2\ncommit c";
        assert_eq!(commits(cut).len(), 1);
    }
}
