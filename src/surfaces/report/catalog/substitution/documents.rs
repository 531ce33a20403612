//! The channels as documents of a catalog, as YAML.

use std::io::{self, Write};

use crate::text::printable_json;

use super::SubstitutionReport;

pub(super) fn write(report: SubstitutionReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    for effects in report.packages {
        for channel in &effects.channels {
            let channel = channel.after.channel;
            writeln!(out, "---\nschema: olm.channel")?;
            writeln!(out, "package: {}", text(&effects.package.before.name))?;
            writeln!(out, "name: {}\nentries:", text(&channel.name))?;
            for entry in &channel.entries {
                writeln!(out, "- name: {}", text(&entry.name))?;
                if !entry.replaces.is_empty() {
                    writeln!(out, "  replaces: {}", text(&entry.replaces))?;
                }
                if !entry.skips.is_empty() {
                    writeln!(out, "  skips:")?;
                }
                for skip in &entry.skips {
                    writeln!(out, "  - {}", text(skip))?;
                }
                if let Some(range) = &entry.skip_range {
                    writeln!(out, "  skipRange: {}", text(range.text()))?;
                }
            }
        }
    }
    Ok(())
}

/// A text that YAML reads as text. YAML understands JSON's escapes.
fn text(text: &str) -> String {
    printable_json(&serde_json::Value::from(text).to_string()).into_owned()
}
