//! How long `exitpath graph` takes as a whole process, and how much memory, for the whole
//! graph of a generated repository: about as many updates as the real one has for one
//! architecture, and ten times that.
//!
//! `cargo bench --bench graph`; with `-- --quick` only the smaller, a few runs.

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

const PATCHES: u32 = 60;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let sizes: &[(u32, usize)] = if quick { &[(20, 3)] } else { &[(20, 15), (200, 5)] };
    println!("minors   updates        ms   ns/update  peak MiB");
    for (minors, runs) in sizes {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("graph-{minors}"));
        let updates = generate(&folder, *minors, PATCHES);
        let graph = folder.join("releases.json");
        let run = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_exitpath"));
            timed(command.arg("graph").arg(&folder).arg("--releases").arg(&graph))
        };
        // The first run is not counted.
        let _ = run();
        let (times, peaks): (Vec<_>, Vec<_>) = (0..*runs).map(|_| run()).unzip();
        let time = median(times);
        println!(
            "{minors:>6} {updates:>9} {:>9.1} {:>11.1} {:>9.1}",
            milliseconds(time),
            time.as_secs_f64() * 1e9 / f64::from(updates),
            f64::from(u32::try_from(peaks.into_iter().max().unwrap()).unwrap()) / 1024.0,
        );
    }
}
