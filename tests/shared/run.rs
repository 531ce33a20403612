//! Command lines that run in the process of the test, or in one of their own.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use exitpath::{Terminal, run};

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a command line in this process.
pub(crate) fn exitpath<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Run {
    exitpath_in(Terminal::default(), arguments)
}

pub(crate) fn exitpath_in<A: Into<OsString>>(
    terminal: Terminal,
    arguments: impl IntoIterator<Item = A>,
) -> Run {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments =
        [OsString::from("exitpath")].into_iter().chain(arguments.into_iter().map(Into::into));
    let status = run(arguments, terminal, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Run { status, out: text(out), err: text(err) }
}

/// Runs a command line in a folder, in a process of its own.
pub(crate) fn exitpath_at(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exitpath"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

/// What a process wrote.
pub(crate) fn words(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}
