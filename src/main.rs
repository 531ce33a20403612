//! The binary: hands the process's arguments and streams to [`exitpath::main`].

use std::process::ExitCode;

fn main() -> ExitCode {
    exitpath::main()
}
