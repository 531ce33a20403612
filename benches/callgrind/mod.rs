//! Counts instructions with valgrind, for several benches.

use std::process::{Command, Stdio};

/// The instructions of a whole process without its children, in one thread. `add` adds the program and
/// its arguments. None: there is no valgrind (`VALGRIND` can name it).
pub(crate) fn instructions(add: impl FnOnce(&mut Command)) -> Option<f64> {
    let valgrind = std::env::var_os("VALGRIND").unwrap_or_else(|| "valgrind".into());
    let mut command = Command::new(valgrind);
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    add(&mut command);
    command.env("RAYON_NUM_THREADS", "1").stdout(Stdio::null()).stderr(Stdio::piped());
    let output = command.output().ok()?;
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = words.lines().find_map(|line| line.split_once("Collected : "))?.1;
    count.trim().parse().ok()
}
