//! A generated repository with the shape of the real one, for several benches.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Writes a repository of `scale` times the real one's size. Returns its files and bytes.
pub(crate) fn generate(folder: &Path, scale: usize) -> (usize, usize) {
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
