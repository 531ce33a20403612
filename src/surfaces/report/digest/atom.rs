//! A digest as an Atom feed: an entry for each sentence.

use std::io::{self, Write};

use crate::domain::time::write_time;
use crate::text::xml;

use super::DigestReport;

pub(super) fn write(report: &DigestReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let updated = write_time(report.until.time.saturating_mul(1000));
    let (since, until) = (xml(&report.since.commit), xml(&report.until.commit));
    writeln!(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>")?;
    writeln!(out, "<feed xmlns=\"http://www.w3.org/2005/Atom\">")?;
    writeln!(out, "  <title>Update graph</title>")?;
    writeln!(out, "  <id>urn:exitpath:digest:{since}:{until}</id>")?;
    writeln!(out, "  <updated>{updated}</updated>")?;
    writeln!(out, "  <author><name>exitpath</name></author>")?;
    for section in report.sections() {
        for (nth, (sentence, details)) in section.items.iter().enumerate() {
            let heading = section.heading;
            writeln!(out, "  <entry>")?;
            writeln!(out, "    <title>{}</title>", xml(&sentence.replace('`', "")))?;
            let id = format!("{heading}:{nth}").to_lowercase().replace([' ', ','], "-");
            writeln!(out, "    <id>urn:exitpath:digest:{since}:{until}:{id}</id>")?;
            writeln!(out, "    <updated>{updated}</updated>")?;
            writeln!(out, "    <category term=\"{}\"/>", xml(heading))?;
            let content = [std::slice::from_ref(sentence), details].concat().join("\n");
            writeln!(out, "    <content type=\"text\">{}</content>", xml(&content))?;
            writeln!(out, "  </entry>")?;
        }
    }
    writeln!(out, "</feed>")
}
