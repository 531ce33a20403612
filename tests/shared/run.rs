//! Command lines that run in the process of the test.

use std::ffi::OsString;

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
