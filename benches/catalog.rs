//! What it costs to read catalogs, beside a scan that only finds their YAML documents and keys.
//!
//! The scan is that of the YAML library: it goes over the same text without the bulk, and keeps
//! nothing but the places of documents and keys. `lines` is a rough lower bound: it finds the same in
//! well-formed catalogs by looking only at the beginnings of lines.
//!
//! `cargo bench --bench catalog`; with `-- --quick` a few runs. `-- --only read N` reads the catalogs
//! N times and prints nothing; `check`, `scan`, and `lines` do theirs. With valgrind in the `PATH`,
//! the bench counts the instructions of one more time around: the count does not depend on the
//! machine's load. It fails if reading takes more than three times those of the scan.
//!
//! The catalogs have the habits of published ones: a package for each of eleven OpenShift versions,
//! 74 entries, bundle objects in base64 that are nearly all of the bytes, related images that differ
//! from bundle to bundle, and the same properties in each.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints, and stops when it cannot"
)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use exitpath::testing::catalog::{load_texts, objections, packages};
use granit_parser::{Event, Parser};

#[path = "callgrind/mod.rs"]
mod callgrind;

const OPENSHIFT: u32 = 11;
const ENTRIES: u32 = 74;
/// How many times the instructions of the scan reading may take.
const MOST: f64 = 3.0;

type Files = BTreeMap<String, String>;

/// The catalogs, and the same without the bulk of their base64.
struct Catalogs {
    whole: Files,
    without_bulk: Files,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let files = Catalogs { whole: generate(usize::MAX), without_bulk: generate(KEPT) };
    if let Some(at) = arguments.iter().position(|argument| argument == "--only") {
        let work = Work::named(&arguments[at + 1]);
        for _ in 0..arguments[at + 2].parse().unwrap() {
            work.run(&files);
        }
        return ExitCode::SUCCESS;
    }
    let bytes: usize = files.whole.values().map(String::len).sum();
    let runs = if arguments.iter().any(|argument| argument == "--quick") { 3 } else { 15 };
    let mib = f64::from(u32::try_from(bytes).unwrap()) / f64::from(1 << 20);
    println!("{} catalogs, {mib:.1} MiB         ms  million instructions", files.whole.len());
    let scanned = measure(Work::Scan, &files, runs);
    let mut is_within = true;
    for work in [Work::Lines, Work::Read, Work::Check] {
        let Some((scanned, counted)) = scanned.zip(measure(work, &files, runs)) else { continue };
        let ratio = counted / scanned;
        println!("{:<22} {ratio:.2} times the instructions of the scan", work.name());
        is_within &= work != Work::Read || ratio <= MOST;
    }
    if scanned.is_none() {
        println!("skipped: counting instructions, because there is no valgrind");
    }
    if is_within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Clone, Copy, PartialEq)]
enum Work {
    Lines,
    Scan,
    Read,
    Check,
}

impl Work {
    const ALL: [Self; 4] = [Self::Lines, Self::Scan, Self::Read, Self::Check];

    fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Scan => "scan",
            Self::Read => "read",
            Self::Check => "check",
        }
    }

    fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|work| work.name() == name).unwrap()
    }

    fn run(self, files: &Catalogs) {
        match self {
            Self::Lines => files.whole.values().for_each(|text| {
                black_box(lines(text));
            }),
            Self::Scan => files.without_bulk.values().for_each(|text| {
                black_box(scan(text));
            }),
            Self::Read => {
                black_box(load_texts(&files.whole));
            }
            Self::Check => {
                let loaded = load_texts(&files.whole);
                for catalog in &loaded.catalogs {
                    black_box(packages(&catalog.declared));
                    black_box(objections(&catalog.declared));
                }
            }
        }
    }
}

/// The places of documents and keys, from the events of the YAML library.
fn scan(text: &str) -> (Vec<usize>, Vec<usize>) {
    let (mut documents, mut keys) = (Vec::new(), Vec::new());
    // For each open collection, whether the next event in it is a key. None for a list.
    let mut open: Vec<Option<bool>> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.unwrap();
        let place = span.start.byte_offset().unwrap_or_default();
        match event {
            Event::DocumentStart(..) => documents.push(place),
            Event::MappingEnd | Event::SequenceEnd => {
                open.pop();
            }
            Event::Scalar(..) | Event::MappingStart(..) | Event::SequenceStart(..) => {
                if let Some(Some(is_key)) = open.last_mut() {
                    if *is_key {
                        keys.push(place);
                    }
                    *is_key = !*is_key;
                }
                match event {
                    Event::MappingStart(..) => open.push(Some(true)),
                    Event::SequenceStart(..) => open.push(None),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    (documents, keys)
}

/// The number of documents, and the keys, by the beginnings of lines.
fn lines(text: &str) -> (usize, Vec<&str>) {
    let (mut documents, mut keys) = (1, Vec::new());
    for line in text.split_inclusive('\n') {
        if line.starts_with("---") {
            documents += 1;
            continue;
        }
        let content = line.trim_start_matches([' ', '-']);
        let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let end = content.bytes().position(|byte| !is_key(&byte)).unwrap_or(content.len());
        if content[end..].starts_with(':') {
            keys.push(&content[..end]);
        }
    }
    (documents, keys)
}

/// Prints the shortest time of some work, and its instructions if they can be counted.
fn measure(work: Work, files: &Catalogs, runs: usize) -> Option<f64> {
    // The first run is not counted.
    work.run(files);
    let time = |_| {
        let start = Instant::now();
        work.run(files);
        start.elapsed()
    };
    let fastest: Duration = (0..runs).map(time).min().unwrap();
    let millions = instructions(work).map(|count| count / 1e6);
    let shown = millions.map(|millions| format!("{millions:.1}")).unwrap_or_default();
    println!("{:<22} {:>10.2} {shown:>21}", work.name(), fastest.as_secs_f64() * 1000.0);
    millions
}

/// The instructions of one time around: the difference between three times and two.
fn instructions(work: Work) -> Option<f64> {
    let count = |times: &str| {
        callgrind::instructions(|command| {
            command.arg(std::env::current_exe().unwrap()).args(["--only", work.name(), times]);
        })
    };
    Some(count("3")? - count("2")?)
}

/// What stays of a long run of base64.
const KEPT: usize = 128;

/// One catalog for each OpenShift version. The large bundle objects have at most `longest` bytes.
fn generate(longest: usize) -> Files {
    let file =
        |version: u32| (format!("v4.{}/catalog.yaml", version + 10), catalog(version, longest));
    (0..OPENSHIFT).map(file).collect()
}

fn catalog(version: u32, longest: usize) -> String {
    let mut text = "---\nschema: olm.package\nname: example\ndefaultChannel: stable\n".to_owned();
    text += "---\nschema: olm.channel\npackage: example\nname: stable\nentries:\n";
    for patch in 0..ENTRIES {
        writeln!(text, "- name: example.v1.0.{patch}").unwrap();
        if let Some(before) = patch.checked_sub(1) {
            writeln!(text, "  replaces: example.v1.0.{before}").unwrap();
            writeln!(text, "  skipRange: '>=1.0.0 <1.0.{patch}'").unwrap();
        }
    }
    let mut bytes = Bytes(u64::from(version) + 1);
    for patch in 0..ENTRIES {
        bundle(&mut text, patch, longest, &mut bytes);
    }
    text
}

fn bundle(text: &mut String, patch: u32, longest: usize, bytes: &mut Bytes) {
    writeln!(text, "---\nschema: olm.bundle\npackage: example\nname: example.v1.0.{patch}")
        .unwrap();
    writeln!(text, "image: registry.example.com/example@sha256:{}", bytes.hex()).unwrap();
    text.push_str("properties:\n");
    for kind in ["Cluster", "Backup", "User", "Schedule"] {
        text.push_str("- type: olm.gvk\n  value:\n    group: example.com\n");
        writeln!(text, "    kind: Example{kind}\n    version: v1").unwrap();
    }
    text.push_str("- type: olm.package\n  value:\n    packageName: example\n");
    writeln!(text, "    version: 1.0.{patch}").unwrap();
    for size in [900, 1_500, 12_000.min(longest), 40_000.min(longest)] {
        writeln!(text, "- type: olm.bundle.object\n  value:\n    data: {}", bytes.base64(size))
            .unwrap();
    }
    text.push_str("relatedImages:\n");
    for image in 0..12 {
        let hex = bytes.hex();
        writeln!(text, "- image: registry.example.com/part-{image}@sha256:{hex}").unwrap();
        writeln!(text, "  name: part_{image}").unwrap();
    }
}

/// Bytes without a pattern, and the same in every run.
struct Bytes(u64);

impl Bytes {
    fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 40).unwrap()
    }

    fn hex(&mut self) -> String {
        (0..64).map(|_| char::from(b"0123456789abcdef"[self.next() % 16])).collect()
    }

    fn base64(&mut self, length: usize) -> String {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        (0..length).map(|_| char::from(DIGITS[self.next() % 64])).collect()
    }
}
