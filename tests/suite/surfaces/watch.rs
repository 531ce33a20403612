//! `exitpath check --watch`, on a terminal that the program `script` makes.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::shared::skipped;
use crate::{Scratch, exitpath};

/// A program on a terminal, and what it prints.
struct Screen {
    child: Child,
    output: Receiver<Vec<u8>>,
    seen: String,
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Screen {
    /// None if there is no `script`.
    fn of(command: &str) -> Option<Self> {
        let mut script = Command::new("script");
        script.args(["--quiet", "--flush", "--command", command, "/dev/null"]);
        let pipes = script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = pipes.spawn().ok()?;
        let mut printed = child.stdout.take().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = printed.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Some(Self { child, output, seen: String::new() })
    }

    /// What is printed until the program waits.
    fn until_it_waits(&mut self) -> String {
        let started = Instant::now();
        while !self.seen.contains("Ctrl-C ends the check") {
            let left = Duration::from_mins(1).saturating_sub(started.elapsed());
            let bytes = self.output.recv_timeout(left).expect(&self.seen);
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
        std::mem::take(&mut self.seen).replace('\r', "")
    }
}

#[test]
fn only_what_is_new_is_shown_after_a_save() {
    let repository = Scratch::copy_of("watch", Path::new("fixtures/graph-data"));
    let root = repository.path().to_str().unwrap();
    let program = env!("CARGO_BIN_EXE_exitpath");
    let command = format!("'{program}' --color never check --repo '{root}' --watch");
    let Some(mut screen) = Screen::of(&command) else { return skipped("there is no `script`") };
    let first = screen.until_it_waits();
    assert!(!first.contains("missing-key"), "{first}");
    let path = "blocked-edges/4.14.0.yaml";
    let text = std::fs::read_to_string(repository.path().join(path)).unwrap();
    repository.write(path, text.replacen("to:", "too:", 1));
    let broken = screen.until_it_waits();
    assert!(broken.contains("missing-key"), "{broken}");
    repository.write(path, &text);
    let corrected = screen.until_it_waits();
    assert!(corrected.contains("gone: blocked-edges/4.14.0.yaml: error: "), "{corrected}");
    assert!(corrected.contains("nothing new; "), "{corrected}");
    // A report only counts infos.
    let path = "channels/candidate-4.14.yaml";
    let text = std::fs::read_to_string(repository.path().join(path)).unwrap();
    repository.write(path, format!("{}\n- 4.14.1\n", text.trim_end()));
    let listed_twice = screen.until_it_waits();
    assert!(listed_twice.contains(&format!("new: {path}: info: ")), "{listed_twice}");
    repository.write(path, &text);
    screen.until_it_waits();
    repository.write("exitpath.toml", "fail-on = 7\n");
    let refused = screen.until_it_waits();
    assert!(refused.contains("exitpath.toml"), "{refused}");
}

#[test]
fn without_a_terminal_nobody_would_see_it() {
    let run = exitpath(["check", "fixtures/graph-data", "--watch"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("`--watch` shows the report on a terminal"), "{}", run.err);
}
