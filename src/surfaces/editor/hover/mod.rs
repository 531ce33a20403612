//! What is known about the thing at a place, as Markdown.

mod pattern;
mod query;
mod release;
mod risk;

use crate::report::Style;
use crate::text::Span;
use crate::workspace::Workspace;

use super::cursor::{Cursor, Subject};
use super::schemas::schema_of;

/// Reports for a popup, which wraps lines itself.
const PLAIN: Style = Style { color: false, width: Some(80), quiet: false, terminal: false };

/// A text about a place.
#[derive(Debug)]
pub(crate) struct Hover {
    pub markdown: String,
    pub span: Span,
}

pub(crate) fn hover(workspace: &Workspace<'_>, path: &str, offset: usize) -> Option<Hover> {
    let data = workspace.data();
    let cursor = Cursor::at(data, path, offset)?;
    let mut span = cursor.span();
    let markdown = match cursor.subject() {
        Subject::Key => about_key(&cursor)?,
        Subject::Pattern(edge) => pattern::about(data, &edge.from.as_ref()?.value)?,
        Subject::Query(reading, at) => {
            let (markdown, part) = query::about(data, reading, at)?;
            span = data.span_within(cursor.file.id, cursor.node, part);
            markdown
        }
        Subject::RiskName(name) => risk::about(data, name)?,
        Subject::Release(version) => release::about(workspace, &version),
        Subject::Other => return None,
    };
    Some(Hover { markdown, span })
}

fn about_key(cursor: &Cursor<'_>) -> Option<String> {
    let (own, around) = cursor.keys.split_last()?;
    let keys = schema_of(cursor.file.kind)?.keys(around);
    let key = keys.into_iter().find(|key| key.name == *own)?;
    Some(format!("**{}**: {}", key.name, key.about))
}

/// A text of a report or of a file. In a block, nothing in it is a link, an image, or a heading.
fn block(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_end().replace("```", "` ` `"))
}
