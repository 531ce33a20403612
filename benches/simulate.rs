//! How long `exitpath simulate` takes as a whole process, and how much memory, for every
//! channel of a generated repository: about as many updates as the real one has for one
//! architecture, and two million between 10,000 releases. The time per update shows
//! whether it grows faster than their number.
//!
//! `cargo bench --bench simulate`; with `-- --quick` only the smaller, a few runs.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints, and stops when it cannot"
)]

use std::path::PathBuf;
use std::process::Command;

#[path = "repository/mod.rs"]
mod repository;
#[path = "timing/mod.rs"]
mod timing;

use repository::generate;
use timing::{median, milliseconds, timed};

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let sizes: &[(u32, u32, usize)] =
        if quick { &[(20, 60, 3)] } else { &[(20, 60, 15), (75, 133, 5)] };
    println!("releases   updates        ms   ns/update  peak MiB");
    for (minors, patches, runs) in sizes {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("simulate-{minors}"));
        let updates = generate(&folder, *minors, *patches);
        let run = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_exitpath"));
            command.arg("simulate").arg(&folder).args(["--arch", "amd64", "--releases"]);
            timed(command.arg(folder.join("releases.json")).arg("-q"))
        };
        // The first run is not counted.
        let _ = run();
        let (times, peaks): (Vec<_>, Vec<_>) = (0..*runs).map(|_| run()).unzip();
        let time = median(times);
        println!(
            "{:>8} {updates:>9} {:>9.1} {:>11.1} {:>9.1}",
            minors * patches,
            milliseconds(time),
            time.as_secs_f64() * 1e9 / f64::from(updates),
            f64::from(u32::try_from(peaks.into_iter().max().unwrap()).unwrap()) / 1024.0,
        );
    }
}
