//! The stuck installs of a channel in words, and what unblocks them.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::catalog::simulation::{ChannelEdit, ChannelMoves, Edits, Stuck};
use crate::text::printable;
use crate::text::words::listed;

use super::why_in_words;

/// Writes the stuck installs. Those with the same cause and the same remedy are one paragraph.
pub(super) fn write_stuck(
    moves: &ChannelMoves<'_>,
    stuck: &[Stuck<'_>],
    edits: &Edits,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut groups: BTreeMap<(String, Option<String>), Vec<&str>> = BTreeMap::new();
    for (stuck, edit) in stuck.iter().zip(&edits.single) {
        let edit = edit.as_ref().filter(|_| edits.whole.is_none()).map(ChannelEdit::in_words);
        groups.entry((why_in_words(&stuck.why), edit)).or_default().push(moves.name(stuck.install));
    }
    for ((why, edit), names) in &groups {
        let line = format!("stuck: {}: {why}", listed(names, "and"));
        writeln!(out, "  {}", printable(&line))?;
        if let Some(edit) = edit {
            writeln!(out, "    {}", printable(&format!("to unblock it: {edit}")))?;
        }
    }
    if let Some(edit) = &edits.whole {
        let line = format!("to unblock all of them: {}", edit.in_words());
        writeln!(out, "  {}", printable(&line))?;
    }
    Ok(())
}
