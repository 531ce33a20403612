//! Faults of whole files that several families report.

use std::ops::Range;

use memchr::memchr2;

use crate::tree::Unreadable;

/// Why a file cannot be read, and what to do about it. For a file of more than `limit` bytes, that
/// is `if_too_large`.
pub(in crate::checks::rules) fn why_unreadable(
    why: &Unreadable,
    limit: u64,
    if_too_large: &'static str,
) -> (String, &'static str) {
    match why {
        Unreadable::TooLarge(bytes) => (
            format!("this file has {} MiB, but the limit is {} MiB", bytes >> 20, limit >> 20),
            if_too_large,
        ),
        Unreadable::TooManyValues => (
            "this file has more than 100,000 keys and values".to_owned(),
            "the largest real data file has 2,000, so this is not a data file",
        ),
        Unreadable::TooManyFiles => (
            "the files before this one already have 32 MiB, or 500,000 keys and values".to_owned(),
            "the real data has 1 MiB, so most of these files are no data files",
        ),
        Unreadable::Folder => {
            ("this is a folder, but a file is expected here".to_owned(), "rename or remove it")
        }
        Unreadable::SpecialFile => (
            "this is a pipe, a socket, or a device, not a file".to_owned(),
            "replace it with a regular file",
        ),
        Unreadable::Submodule => {
            ("this is a git submodule, not a file".to_owned(), "replace it with a regular file")
        }
        Unreadable::Link(why) => (
            format!("this symbolic link is not followed: {why}"),
            "replace the link with a regular file",
        ),
        Unreadable::Io(why) => {
            (format!("this file cannot be read: {why}"), "check its permissions")
        }
    }
}

/// The lines of `text` that mark a merge conflict. A line of `=======` alone is not a conflict.
pub(in crate::checks::rules) fn conflict_markers(text: &str) -> Vec<Range<usize>> {
    let mut markers = Vec::new();
    // Few files have either character.
    if memchr2(b'<', b'>', text.as_bytes()).is_none()
        || !text.contains("<<<<<<<") && !text.contains(">>>>>>>")
    {
        return markers;
    }
    let mut start = 0;
    let (mut begins, mut ends) = (false, false);
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        let is = |marker: &str| {
            content
                .strip_prefix(marker)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        begins |= is("<<<<<<<");
        ends |= is(">>>>>>>");
        if is("<<<<<<<") || is("=======") || is(">>>>>>>") || is("|||||||") {
            markers.push(start..start + content.len());
        }
        start += line.len();
    }
    if begins || ends { markers } else { Vec::new() }
}
