//! Any texts as the manifests of a payload and the objects of a cluster: all reports are printable.
//!
//! A line `=== NAME` begins a manifest. What comes before the first one is the objects.

#![no_main]

use exitpath::testing::payload::{Files, Payload, Scope};
use exitpath::testing::rollout::reports;
use exitpath::testing::text::is_printable;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let mut parts = text.split("\n=== ");
    let objects = parts.next().unwrap_or_default();
    let mut files = Files::default();
    for part in parts {
        let (name, text) = part.split_once('\n').unwrap_or((part, ""));
        files.manifests.push((name.to_owned(), Ok(text.to_owned())));
    }
    let payload = Payload::read(files, &Scope::default()).unwrap_or_default();
    if let Ok(out) = reports(objects, &payload) {
        let out = String::from_utf8(out).unwrap();
        assert!(out.chars().all(|c| c == '\n' || is_printable(c)), "{out:?}");
    }
});
