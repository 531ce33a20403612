//! What the files of a risk say.

use crate::domain::Version;
use crate::domain::version::text_of;
use crate::graph_data::GraphData;
use crate::text::printable_lines;
use crate::text::words::{counted, list_all};

use super::super::risks::files_of;
use super::block;

pub(super) fn about(data: &GraphData, name: &str) -> Option<String> {
    let files = files_of(data, name);
    let first = files.first()?;
    let mut targets: Vec<&Version> = files.iter().filter_map(|edge| edge.target.as_ref()).collect();
    targets.sort_by(|a, b| a.cmp_precedence(b));
    let targets: Vec<String> = targets.into_iter().map(text_of).collect();
    let texts = [&first.message, &first.url].into_iter().flatten();
    let texts: Vec<&str> = texts.map(|text| text.value.trim_end()).collect();
    let said = printable_lines(&[&[name], texts.as_slice()].concat().join("\n\n")).into_owned();
    let count = counted(files.len(), "file");
    Some(format!("{}\n\n{count}: {}", block(&said), list_all(&targets, "and")))
}
