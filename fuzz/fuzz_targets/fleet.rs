//! Any bytes as a table of clusters, and as a configuration of oc-mirror. No panic; each row has a
//! version, and each fault a line.

#![no_main]

use exitpath::testing::domain::Arch;
use exitpath::testing::fleet::{Defaults, read_rows};
use exitpath::testing::mirror::ImageSet;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n' || **byte == b'\r').count() as u64;
    let defaults = Defaults { channel: Some("stable-4.18".into()), arch: Arch::Amd64 };
    let _ = read_rows(bytes, "clusters", &defaults, &mut |row| {
        match row {
            Ok(row) => assert!(!row.class.version.is_empty()),
            Err(fault) => assert!((1..=lines).contains(&fault.line), "{fault:?}"),
        }
        Ok(())
    });
    let _ = ImageSet::read(&String::from_utf8_lossy(bytes));
});
