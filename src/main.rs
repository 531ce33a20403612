//! The binary: hands the process's arguments and streams to [`exitpath::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    exitpath::cli::main()
}
