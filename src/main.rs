//! The binary: passes the arguments and streams of the process to [`exitpath::main`].

use std::process::ExitCode;

/// Faster than the allocators of libc, and much faster than that of musl with several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    exitpath::main()
}
