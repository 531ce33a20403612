//! Reading the contents of many objects with one git process.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::thread;

use super::GitError;
use super::command::command;

/// The contents of objects, in the given order, each up to a number of bytes.
pub(super) fn contents(
    folder: &Path,
    objects: &[String],
    most: u64,
) -> Result<Vec<Vec<u8>>, GitError> {
    batch(folder, &["cat-file", "--batch", "--buffer"], objects, |from| next_content(from, most))
}

/// What `read` makes of each object's content, in the given order.
pub(super) fn read_each<T>(
    folder: &Path,
    objects: &[String],
    mut read: impl FnMut(&mut dyn Read) -> T,
) -> Result<Vec<T>, GitError> {
    batch(folder, &["cat-file", "--batch", "--buffer"], objects, |from| {
        let size = next_size(from)?;
        let mut content = (&mut *from).take(size);
        let answer = read(&mut content);
        io::copy(&mut content, &mut io::sink())?;
        from.read_exact(&mut [0])?;
        Ok(answer)
    })
}

/// The sizes of objects in bytes, in the given order.
pub(super) fn sizes(folder: &Path, objects: &[String]) -> Result<Vec<u64>, GitError> {
    batch(folder, &["cat-file", "--batch-check", "--buffer"], objects, |from| next_size(from))
}

fn batch<T>(
    folder: &Path,
    arguments: &[&str],
    objects: &[String],
    mut next: impl FnMut(&mut dyn BufRead) -> io::Result<T>,
) -> Result<Vec<T>, GitError> {
    if objects.is_empty() {
        return Ok(Vec::new());
    }
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| GitError::Missing(e.to_string()))?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (stdin, stdout) =
        pipes.ok_or_else(|| GitError::Failed("cannot connect to the git process".into()))?;
    let read = thread::scope(|scope| {
        scope.spawn(move || {
            let mut stdin = BufWriter::new(stdin);
            // If git stops reading, its output shows that.
            let _ = objects.iter().try_for_each(|object| writeln!(stdin, "{object}"));
        });
        let mut stdout = BufReader::new(stdout);
        objects.iter().map(|_| next(&mut stdout)).collect::<io::Result<Vec<T>>>()
    });
    let _ = child.wait();
    read.map_err(|e| GitError::Failed(e.to_string()))
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
