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

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "timing/mod.rs"]
mod timing;

use timing::{median, milliseconds, timed};

const PATCHES: u32 = 60;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let sizes: &[(u32, usize)] = if quick { &[(20, 3)] } else { &[(20, 15), (200, 5)] };
    println!("minors   updates        ms   ns/update  peak MiB");
    for (minors, runs) in sizes {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("graph-{minors}"));
        let updates = generate(&folder, *minors);
        let graph = folder.join("releases.json");
        let run = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_exitpath"));
            timed(command.arg("graph").arg(&folder).arg("--releases").arg(&graph))
        };
        // One run is not counted.
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

/// A repository in which each release lists all older ones of its minor and of the minor
/// before, the latter at a risk; and the raw graph of its releases. How many updates it has.
fn generate(folder: &Path, minors: u32) -> u32 {
    let _ = fs::remove_dir_all(folder);
    for part in ["blocked-edges", "channels", "raw"] {
        fs::create_dir_all(folder.join(part)).unwrap();
    }
    fs::write(folder.join("version"), "1.1.0\n").unwrap();
    fs::write(folder.join("raw/metadata.json"), "{}\n").unwrap();
    let (mut nodes, mut edges, mut updates) = (String::new(), String::new(), 0);
    for minor in 0..minors {
        let mut channel = format!("name: stable-4.{minor}\nversions:\n");
        for patch in 0..PATCHES {
            let version = format!("4.{minor}.{patch}");
            let place = minor * PATCHES + patch;
            let _ = write!(
                nodes,
                "{}{{\"version\":\"{version}+amd64\",\"payload\":\"r@sha256:{place}\",\"metadata\":\
                 {{\"io.openshift.upgrades.graph.release.arch\":\"amd64\"}}}}",
                if place == 0 { "" } else { "," }
            );
            for from in (minor.saturating_sub(1) * PATCHES)..place {
                let _ = write!(edges, "{}[{from},{place}]", if updates == 0 { "" } else { "," });
                updates += 1;
            }
            let _ = writeln!(channel, "- {version}");
            if let Some(before) = minor.checked_sub(1) {
                let _ = writeln!(channel, "- 4.{before}.{patch}");
                let risk = format!(
                    "to: {version}\nfrom: ^4[.]{before}[.].*$\nurl: https://example.com/a\nname: Risk{}\n\
                     message: It may break.\nmatchingRules:\n- type: Always\n",
                    minor % 7
                );
                let name = format!("blocked-edges/{version}-Risk{}.yaml", minor % 7);
                fs::write(folder.join(name), risk).unwrap();
            }
        }
        fs::write(folder.join(format!("channels/stable-4.{minor}.yaml")), channel).unwrap();
    }
    let graph = format!("{{\"nodes\":[{nodes}],\"edges\":[{edges}]}}\n");
    fs::write(folder.join("releases.json"), graph).unwrap();
    updates
}
