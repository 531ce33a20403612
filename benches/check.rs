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

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "timing/mod.rs"]
mod timing;

use timing::{median, milliseconds, timed};

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

/// Writes a repository of `scale` times the real one's size. Returns its files and bytes.
fn generate(folder: &Path, scale: usize) -> (usize, usize) {
    let _ = fs::remove_dir_all(folder);
    let mut written = (0, 0);
    let mut write = |path: String, text: String| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        written = (written.0 + 1, written.1 + text.len());
        fs::write(path, text).unwrap();
    };
    write("version".into(), "1.1.0\n".into());
    write("raw/metadata.json".into(), "{}\n".into());
    for n in 0..scale {
        // Larger sizes repeat the same repository with other majors.
        let major = n + 4;
        for i in 0..1717 {
            let (minor, patch) = (2 + i % 20, i / 20);
            let version = format!("{major}.{minor}.{patch}");
            let from = format!("^{major}[.]{}[.].*$", minor - 1);
            if i % 15 == 0 {
                write(
                    format!("blocked-edges/{version}.yaml"),
                    format!("to: {version}\nfrom: {from}\n"),
                );
            } else {
                let name = format!("ExampleRisk{}", i % 124);
                write(
                    format!("blocked-edges/{version}-{name}.yaml"),
                    risk(&version, &from, &name, i % 124)
                        + &format!("fixedIn: {major}.{minor}.{}\n", patch + 1),
                );
            }
        }
        for minor in 1..=25 {
            for (kind, feeder) in
                [("candidate", None), ("fast", Some("candidate")), ("stable", Some("fast"))]
            {
                let name = format!("{kind}-{major}.{minor}");
                let feeder = feeder.map(|kind| format!("{kind}-{major}.{minor}"));
                let text = channel(&name, feeder.as_deref(), major, minor);
                write(format!("channels/{name}.yaml"), text);
            }
        }
        for minor in 2..=22 {
            write(format!("build-suggestions/{major}.{minor}.yaml"), suggestions(major, minor));
        }
    }
    written
}

fn risk(version: &str, from: &str, name: &str, i: usize) -> String {
    let head = format!(
        "to: {version}\nfrom: {from}\nurl: https://issues.example.com/browse/BUG-{i}\nname: {name}\nmessage: |-\n  \
         Nodes with more than {i} disks may not come back after their first reboot.\nmatchingRules:\n"
    );
    if i.is_multiple_of(3) {
        return head + "- type: Always\n";
    }
    let metric = format!("metric_{}", i % 64);
    head + &format!(
        "- type: PromQL\n  promql:\n    promql: |\n      (\n        group by (type) ({metric}{{_id=\"\",type=~\"A|B\"}})\n        \
         or on (_id)\n        0 * group by (type) ({metric}{{_id=\"\"}})\n      )\n      * on () group_left (name)\n      \
         topk(1, max_over_time({metric}{{_id=\"\",name=\"example\"}}[1h]) or 0 * {metric}{{_id=\"\"}})\n"
    )
}

fn channel(name: &str, feeder: Option<&str>, major: usize, minor: usize) -> String {
    let mut text = String::new();
    if let Some(feeder) = feeder {
        let _ = writeln!(text, "feeder:\n  delay: PT0H\n  filter: {major}[.].*\n  name: {feeder}");
    }
    let _ = writeln!(text, "name: {name}\nversions:");
    for minor in [minor - 1, minor] {
        for patch in 0..55 + 35 * (minor % 2) {
            let _ = writeln!(text, "- {major}.{minor}.{patch}");
        }
    }
    text
}

fn suggestions(major: usize, minor: usize) -> String {
    let earlier = minor - 1;
    format!(
        "default:\n  minor_min: {major}.{earlier}.5\n  minor_max: {major}.{earlier}.9999\n  minor_block_list: []\n  \
         z_min: {major}.{minor}.0\n  z_max: {major}.{minor}.9999\n  z_block_list: []\n"
    )
}
