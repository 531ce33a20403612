//! Reading the contents of many objects with one git process.

use std::io::{self, BufRead, Read};

use super::command::Paths;
use super::{Git, GitError, process};

/// The contents of objects, in the given order, each up to `most` bytes.
pub(super) fn contents(git: &Git, objects: &[String], most: u64) -> Result<Vec<Vec<u8>>, GitError> {
    batch(git, &["cat-file", "--batch", "--buffer"], objects, |from| next_content(from, most))
}

/// Calls `read` with each object's content, in the given order.
pub(super) fn read_each<T>(
    git: &Git,
    objects: &[String],
    mut read: impl FnMut(&mut dyn Read) -> T,
) -> Result<Vec<T>, GitError> {
    batch(git, &["cat-file", "--batch", "--buffer"], objects, |from| {
        let size = next_size(from)?;
        let mut content = (&mut *from).take(size);
        let answer = read(&mut content);
        io::copy(&mut content, &mut io::sink())?;
        from.read_exact(&mut [0])?;
        Ok(answer)
    })
}

/// The sizes of objects in bytes, in the given order.
pub(super) fn sizes(git: &Git, objects: &[String]) -> Result<Vec<u64>, GitError> {
    batch(git, &["cat-file", "--batch-check", "--buffer"], objects, |from| next_size(from))
}

/// The sizes of objects in bytes, in the given order. None for those that are not there.
pub(super) fn sizes_if_there(git: &Git, objects: &[String]) -> Result<Vec<Option<u64>>, GitError> {
    let arguments = ["cat-file", "--batch-check", "--buffer"];
    batch(git, &arguments, objects, |from| {
        let mut head = String::new();
        from.read_line(&mut head)?;
        Ok(head.trim_end().rsplit(' ').next().and_then(|size| size.parse().ok()))
    })
}

fn batch<T>(
    git: &Git,
    arguments: &[&str],
    objects: &[String],
    mut next: impl FnMut(&mut dyn BufRead) -> io::Result<T>,
) -> Result<Vec<T>, GitError> {
    if objects.is_empty() {
        return Ok(Vec::new());
    }
    let answers = |from: &mut dyn BufRead| objects.iter().map(|_| next(from)).collect();
    process::read(git.command(Paths::Literal, arguments)?, objects, answers)
}

/// Reads `ID TYPE SIZE`.
fn next_size(from: &mut dyn BufRead) -> io::Result<u64> {
    let mut head = String::new();
    from.read_line(&mut head)?;
    let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse().ok());
    size.ok_or_else(|| io::Error::other(format!("object not found: {}", head.trim_end())))
}

/// The next content in the output of `cat-file --batch`, up to a number of bytes.
pub fn next_content(from: &mut dyn BufRead, most: u64) -> io::Result<Vec<u8>> {
    let size = next_size(from)?;
    let mut content = Vec::new();
    from.take(size.min(most)).read_to_end(&mut content)?;
    io::copy(&mut from.take(size.saturating_sub(most)), &mut io::sink())?;
    from.read_exact(&mut [0])?;
    Ok(content)
}
