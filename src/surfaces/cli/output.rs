//! Standard output, and files that the user names for it. clap prints the doc comments of the flags
//! as help.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use crate::edit;
use crate::report::Style;
use crate::text::Failure;

use super::Stop;

/// Where a command prints.
#[derive(Debug, Default, ClapArgs)]
pub(super) struct OutputArgs {
    /// Write the output to FILE.
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

impl OutputArgs {
    /// Prints to the file (without colors), or to standard output.
    pub(super) fn print<T, E>(
        &self,
        style: Style,
        out: &mut dyn Write,
        write: impl FnOnce(Style, &mut dyn Write) -> Result<T, E>,
    ) -> Result<T, Stop>
    where
        Stop: From<E>,
    {
        print(self.output.as_deref(), style, out, write)
    }
}

/// Prints to a file (without colors), or to standard output. If nothing can be printed, the file
/// stays as it is.
pub(super) fn print<T, E>(
    file: Option<&Path>,
    style: Style,
    out: &mut dyn Write,
    write: impl FnOnce(Style, &mut dyn Write) -> Result<T, E>,
) -> Result<T, Stop>
where
    Stop: From<E>,
{
    let Some(path) = file else { return Ok(write(style, out)?) };
    let mut text = Vec::new();
    let written = write(Style { color: false, terminal: false, ..style }, &mut text)?;
    write_file(path, &text)?;
    Ok(written)
}

/// Creates or replaces a file that the user names.
pub(super) fn write_file(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Stop> {
    let written = edit::write(path, text.as_ref());
    Ok(written.map_err(|error| cannot_write(path, &error))?)
}

/// Like [`print()`], for output that is too large for memory.
pub(super) fn large(
    file: Option<&Path>,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Stop> {
    let Some(path) = file else { return Ok(write(out)?) };
    let failed = |error: io::Error| cannot_write(path, &error);
    let mut file = BufWriter::new(edit::create(path).map_err(failed)?);
    write(&mut file).and_then(|()| file.flush()).map_err(failed)?;
    Ok(())
}

pub(super) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("cannot write {}: {error}", path.display()))
}
