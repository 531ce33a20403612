//! How long `exitpath check` takes as a whole process, and how much memory,
//! on generated repositories shaped like the real one (about 1,800 files and
//! 1 MB) and 10 and 100 times that, compared with a single-threaded loop that
//! only reads the same bytes.
//!
//! `cargo bench --bench check`; with `-- --quick` only the smallest, a few runs.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints, and stops when it cannot"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "timing/mod.rs"]
mod timing;
#[path = "usual_repository/mod.rs"]
mod usual_repository;

use timing::{median, milliseconds, timed};
use usual_repository::generate;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, folder] = arguments.as_slice()
        && flag == "--read"
    {
        println!("{}", read_all(Path::new(folder)));
        return;
    }
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let sizes: &[(usize, usize)] = if quick { &[(1, 5)] } else { &[(1, 21), (10, 7), (100, 3)] };
    println!("   ×   files      MB   read ms  check ms  check/read  µs/file  peak MiB");
    for (scale, runs) in sizes {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{scale}"));
        let (files, bytes) = generate(&folder, *scale);
        let (mut read, mut check, mut peak) = (Vec::new(), Vec::new(), 0);
        // The first run of each is not counted. The two alternate, so that load affects both.
        for run in 0..=*runs {
            let me = std::env::current_exe().unwrap();
            let reading = timed(Command::new(me).arg("--read").arg(&folder)).0;
            let (checking, memory) = timed(
                Command::new(env!("CARGO_BIN_EXE_exitpath")).arg("check").arg(&folder).arg("-q"),
            );
            if run > 0 {
                read.push(reading);
                check.push(checking);
                peak = peak.max(memory);
            }
        }
        let (read, check) = (median(read), median(check));
        println!(
            "{scale:>4} {files:>7} {:>7.1} {:>9.1} {:>9.1} {:>11.2} {:>8.1} {:>9.1}",
            millions(bytes),
            milliseconds(read),
            milliseconds(check),
            check.as_secs_f64() / read.as_secs_f64(),
            milliseconds(check) * 1000.0 / f64::from(u32::try_from(files).unwrap()),
            f64::from(u32::try_from(peak).unwrap()) / 1024.0,
        );
    }
}

fn millions(bytes: usize) -> f64 {
    f64::from(u32::try_from(bytes).unwrap()) / 1e6
}

fn read_all(folder: &Path) -> usize {
    let mut bytes = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        bytes += if path.is_dir() { read_all(&path) } else { fs::read(path).unwrap().len() };
    }
    bytes
}
