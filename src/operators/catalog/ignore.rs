//! Which files of a catalog opm skips: the patterns in its `.indexignore` files.
//!
//! The patterns are those of `.gitignore`, as the Go library go-git matches them. Unlike git, opm
//! walks through ignored folders, so that `!` can bring back a file in one.

use std::sync::Arc;

/// The name of the files with patterns. opm never reads these files as catalogs.
pub(super) const FILE_NAME: &str = ".indexignore";

#[derive(Clone, Debug)]
pub(super) struct Ignored {
    /// The last pattern that matches decides.
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct Pattern {
    /// The folder of the file with the pattern.
    domain: Arc<[String]>,
    brings_back: bool,
    is_for_folders: bool,
    parts: Vec<PathPart>,
}

/// What one part of a path must be.
#[derive(Clone, Debug)]
enum PathPart {
    /// The empty part before a `/` at the start, or between two.
    Nothing,
    /// `**`
    AnyFolders,
    Name(Glob),
}

impl Ignored {
    /// Takes the folder and the text of each `.indexignore`.
    pub(super) fn new(mut files: Vec<(Vec<String>, String)>) -> Self {
        // opm reads them in the order of their paths.
        files.sort_by_cached_key(|(folder, _)| {
            folder.iter().cloned().chain([FILE_NAME.to_owned()]).collect::<Vec<_>>()
        });
        let mut patterns = vec![Pattern::parse(FILE_NAME, &Arc::default())];
        for (folder, text) in files {
            let domain = Arc::from(folder);
            let lines = text.lines().map(str::trim);
            let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
            patterns.extend(lines.map(|line| Pattern::parse(line, &domain)));
        }
        Self { patterns }
    }

    /// Whether opm skips the file. The path begins at the root of the catalog, and has no empty
    /// parts.
    pub(super) fn matches(&self, path: &[&str]) -> bool {
        let decides = self.patterns.iter().rev().find(|pattern| pattern.matches(path));
        decides.is_some_and(|pattern| !pattern.brings_back)
    }
}

impl Pattern {
    fn parse(line: &str, domain: &Arc<[String]>) -> Self {
        let (line, brings_back) = line.strip_prefix('!').map_or((line, false), |line| (line, true));
        let (line, is_for_folders) =
            line.strip_suffix('/').map_or((line, false), |line| (line, true));
        let parts = if line.contains('/') {
            line.split('/').map(PathPart::parse).collect()
        } else {
            vec![PathPart::Name(Glob::parse(line))]
        };
        Self { domain: Arc::clone(domain), brings_back, is_for_folders, parts }
    }

    fn matches(&self, path: &[&str]) -> bool {
        let Some((folder, path)) = path.split_at_checked(self.domain.len()) else { return false };
        if path.is_empty() || folder.iter().zip(self.domain.iter()).any(|(one, other)| one != other)
        {
            return false;
        }
        match self.parts.as_slice() {
            [PathPart::Name(name)] => self.matches_a_name(name, path),
            parts => self.matches_path(parts, path),
        }
    }

    /// A pattern without `/` matches the file or any folder that it is in.
    fn matches_a_name(&self, name: &Glob, path: &[&str]) -> bool {
        let found = path.iter().position(|part| name.matches(part));
        found.is_some_and(|at| !self.is_for_folders || at + 1 < path.len())
    }

    fn matches_path(&self, parts: &[PathPart], path: &[&str]) -> bool {
        let mut rest = path;
        let mut matches = false;
        let mut skips_folders = false;
        for (at, part) in parts.iter().enumerate() {
            let is_last = at + 1 == parts.len();
            match part {
                PathPart::Nothing => skips_folders = false,
                PathPart::AnyFolders => skips_folders = !is_last,
                PathPart::Name(_) if rest.is_empty() => return false,
                PathPart::Name(name) => {
                    let skipped = if skips_folders {
                        rest.iter().take_while(|part| !name.matches(part)).count()
                    } else {
                        0
                    };
                    let (found, after) = first_after(rest, skipped);
                    if !skips_folders && !found.is_some_and(|part| name.matches(part)) {
                        return false;
                    }
                    // The file itself does not match a part of the pattern that stands for a
                    // folder.
                    matches = found.is_some() && (skips_folders || is_last || !after.is_empty());
                    rest = after;
                    skips_folders = false;
                }
            }
        }
        matches && !(self.is_for_folders && rest.is_empty())
    }
}

fn first_after<'a, 'b>(path: &'b [&'a str], skipped: usize) -> (Option<&'a str>, &'b [&'a str]) {
    match path.get(skipped..) {
        Some([first, rest @ ..]) => (Some(first), rest),
        _ => (None, &[]),
    }
}

impl PathPart {
    fn parse(text: &str) -> Self {
        match text {
            "" => Self::Nothing,
            "**" => Self::AnyFolders,
            // go-git never matches `a**b` in paths.
            text if text.contains("**") => Self::Name(Glob::none()),
            text => Self::Name(Glob::parse(text)),
        }
    }
}

/// A pattern for one name.
#[derive(Clone, Debug)]
struct Glob {
    /// `None` if it is malformed: then it matches nothing.
    tokens: Option<Vec<Token>>,
}

#[derive(Clone, Debug)]
enum Token {
    Character(char),
    /// `?`
    Any,
    /// `*`
    Many,
    /// `[a-z]`
    Class {
        is_negated: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Glob {
    fn none() -> Self {
        Self { tokens: None }
    }

    fn parse(text: &str) -> Self {
        let mut characters = text.chars();
        let mut tokens = Vec::new();
        while let Some(c) = characters.next() {
            let token = match c {
                '*' => Some(Token::Many),
                '?' => Some(Token::Any),
                '[' => parse_class(&mut characters),
                '\\' => characters.next().map(Token::Character),
                c => Some(Token::Character(c)),
            };
            let Some(token) = token else { return Self::none() };
            tokens.push(token);
        }
        Self { tokens: Some(tokens) }
    }

    /// Matches with backtracking to the last `*` only: an earlier `*` never needs to take more,
    /// because the last one can.
    fn matches(&self, name: &str) -> bool {
        let Some(tokens) = &self.tokens else { return false };
        let (mut tokens, mut rest) = (tokens.as_slice(), name.chars());
        let mut retry = None;
        loop {
            if let [Token::Many, after @ ..] = tokens {
                retry = Some((after, rest.clone()));
                tokens = after;
                continue;
            }
            let mut tried = rest.clone();
            match (tokens, tried.next()) {
                ([], None) => return true,
                ([token, after @ ..], Some(c)) if token.matches(c) => {
                    (tokens, rest) = (after, tried);
                }
                _ => {
                    let Some((after, taken)) = &mut retry else { return false };
                    if taken.next().is_none() {
                        return false;
                    }
                    (tokens, rest) = (after, taken.clone());
                }
            }
        }
    }
}

impl Token {
    fn matches(&self, c: char) -> bool {
        match self {
            Self::Character(own) => *own == c,
            Self::Any | Self::Many => true,
            Self::Class { is_negated, ranges } => {
                ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *is_negated
            }
        }
    }
}

/// Reads a class after its `[`. Like Go, and unlike git, it is negated by `^` only.
fn parse_class(characters: &mut std::str::Chars<'_>) -> Option<Token> {
    let is_negated = characters.as_str().starts_with('^');
    if is_negated {
        characters.next();
    }
    let mut ranges = Vec::new();
    while ranges.is_empty() || !characters.as_str().starts_with(']') {
        let low = parse_end_of_range(characters)?;
        let high = if characters.as_str().starts_with('-') {
            characters.next();
            parse_end_of_range(characters)?
        } else {
            low
        };
        ranges.push((low, high));
    }
    characters.next();
    Some(Token::Class { is_negated, ranges })
}

fn parse_end_of_range(characters: &mut std::str::Chars<'_>) -> Option<char> {
    match characters.next()? {
        '-' | ']' => None,
        '\\' => characters.next(),
        c => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::{Glob, Ignored};

    fn ignored(files: &[(&[&str], &str)], path: &str) -> bool {
        let owned = |folder: &[&str]| folder.iter().map(|&part| part.to_owned()).collect();
        let files = files.iter().map(|(folder, text)| (owned(folder), (*text).to_owned()));
        Ignored::new(files.collect()).matches(&path.split('/').collect::<Vec<_>>())
    }

    fn at_root(text: &str, path: &str) -> bool {
        ignored(&[(&[], text)], path)
    }

    #[test]
    fn names_match_at_any_depth() {
        assert!(at_root("# notes\n\n  *.md\r\n", "logging/README.md"));
        assert!(at_root("drafts", "drafts/logging/catalog.yaml"));
        assert!(!at_root("drafts", "drafts.yaml"));
        assert!(at_root("", "logging/.indexignore"));
    }

    #[test]
    fn folders_match_what_is_in_them() {
        assert!(at_root("drafts/", "logging/drafts/catalog.yaml"));
        assert!(!at_root("drafts/", "logging/drafts"));
        assert!(at_root("logging/drafts/", "logging/drafts/catalog.yaml"));
        assert!(!at_root("logging/drafts/", "logging/drafts"));
    }

    #[test]
    fn a_slash_binds_to_the_folder_of_the_file() {
        assert!(at_root("/catalog.md", "catalog.md"));
        assert!(!at_root("/catalog.md", "logging/catalog.md"));
        let nested: &[(&[&str], &str)] = &[(&["logging"], "/docs")];
        assert!(ignored(nested, "logging/docs/index.md"));
        assert!(!ignored(nested, "docs/index.md"));
        assert!(!ignored(nested, "logging"));
    }

    #[test]
    fn the_last_match_decides() {
        assert!(!at_root("docs/*\n!docs/catalog.yaml", "docs/catalog.yaml"));
        assert!(at_root("!docs/catalog.yaml\ndocs/*", "docs/catalog.yaml"));
        let files: &[(&[&str], &str)] = &[(&["logging"], "!a.md"), (&[], "*.md")];
        assert!(!ignored(files, "logging/a.md"));
        assert!(ignored(files, "a.md"));
    }

    #[test]
    fn two_stars_skip_folders() {
        for path in ["docs/a.md", "docs/4.16/a.md", "docs/4.16/next/a.md"] {
            assert!(at_root("docs/**/a.md", path), "{path}");
        }
        assert!(!at_root("docs/**/a.md", "docs/4.16/b.md"));
        assert!(at_root("docs/**", "docs/4.16/b.md"));
        assert!(!at_root("docs/**", "docs"));
        assert!(at_root("**/next/**", "docs/next/b.md"));
        assert!(!at_root("**/next/**", "docs/4.16/b.md"));
        assert!(!at_root("docs/a**/b.md", "docs/a/b.md"));
    }

    #[test]
    fn globs() {
        let matches = |pattern, name| Glob::parse(pattern).matches(name);
        assert!(matches("a*b*c", "axxbxbxc") && !matches("a*b*c", "axxbxbx"));
        assert!(matches("[^a-c]?", "dé") && !matches("[^a-c]?", "bé"));
        assert!(matches(r"\#[\]x]", "#]") && matches("*", ""));
        for malformed in ["[", "[]a]", "[a-]", "[a", "\\"] {
            assert!(!matches(malformed, malformed), "{malformed}");
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        let glob = Glob::parse(&"*a".repeat(2000));
        assert!(!glob.matches(&"a".repeat(1999)));
    }
}
