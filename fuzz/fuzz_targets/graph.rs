//! For any file of Cincinnati JSON, every format prints only safe text, and a cluster that reads it
//! as an answer does not panic.

#![no_main]

use exitpath::testing::cluster::Answer;
use exitpath::testing::domain::{FailOn, Named};
use exitpath::testing::lint::{Request, lint_graphs};
use exitpath::testing::report::{CheckFormat, CheckReport, Listing, Style};
use exitpath::testing::tree::Blob;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let path = "graph.json";
    let blob = Blob::new(path.into(), Ok(input.to_vec()));
    let (sources, outcome) = lint_graphs([blob], &Request::default());
    let report = CheckReport {
        sources: &sources,
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
    let answer = std::str::from_utf8(input).map_err(|error| error.to_string());
    if let Ok(answer) = answer.and_then(Answer::parse) {
        for node in answer.nodes.iter().take(3) {
            let _ = answer.offered_to(&node.version.to_string(), "stable-4.18");
        }
    }
});
