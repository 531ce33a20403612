//! A generated repository, for several benches.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Writes a repository and the raw graph of its releases. Each release lists all older ones of its
/// minor and, with a risk, of the minor before. Returns the number of updates.
pub(crate) fn generate(folder: &Path, minors: u32, patches: u32) -> u32 {
    let _ = fs::remove_dir_all(folder);
    for part in ["blocked-edges", "channels", "raw"] {
        fs::create_dir_all(folder.join(part)).unwrap();
    }
    fs::write(folder.join("version"), "1.1.0\n").unwrap();
    fs::write(folder.join("raw/metadata.json"), "{}\n").unwrap();
    let (mut nodes, mut edges, mut updates) = (String::new(), String::new(), 0);
    for minor in 0..minors {
        let mut channel = format!("name: stable-4.{minor}\nversions:\n");
        for patch in 0..patches {
            let version = format!("4.{minor}.{patch}");
            let place = minor * patches + patch;
            let _ = write!(
                nodes,
                "{}{{\"version\":\"{version}+amd64\",\"payload\":\"r@sha256:{place}\",\"metadata\":\
                 {{\"io.openshift.upgrades.graph.release.arch\":\"amd64\"}}}}",
                if place == 0 { "" } else { "," }
            );
            for from in (minor.saturating_sub(1) * patches)..place {
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
