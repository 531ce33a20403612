//! For any content of one file, every format prints only safe text.

#![no_main]

use exitpath::testing::domain::{FailOn, Named};
use exitpath::testing::graph_data::GraphData;
use exitpath::testing::lint::{Request, lint};
use exitpath::testing::report::{CheckFormat, CheckReport, Listing, Style};
use exitpath::testing::tree::Blob;
use libfuzzer_sys::fuzz_target;

const PATHS: [&str; 6] = [
    "blocked-edges/4.14.3-A.yaml",
    "build-suggestions/4.14.yaml",
    "channels/stable-4.14.yaml",
    "internal-channels/stable.yaml",
    "raw/metadata.json",
    "version",
];

fuzz_target!(|input: (u8, &[u8])| {
    let path = PATHS[usize::from(input.0) % PATHS.len()];
    let data = GraphData::from_blobs(vec![Blob::new(path.into(), Ok(input.1.to_vec()))]);
    let outcome = lint(&data, None, &Request::default());
    let report = CheckReport {
        sources: &data.sources,
        outcome: &outcome,
        change: None,
        files: vec![path],
        prefix: String::new(),
        fail_on: FailOn::Never,
        listing: Listing::Everything,
    };
    let style = Style { color: false, width: Some(80), quiet: false, terminal: false };
    for format in CheckFormat::ALL.iter().copied() {
        let mut out = Vec::new();
        report.write(format, style, &mut out).expect("writing to memory");
        let text = String::from_utf8(out).expect("output is text");
        assert!(text.chars().all(|c| c == '\n' || exitpath::testing::text::is_printable(c)));
    }
});
