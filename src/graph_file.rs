//! One file of Cincinnati JSON: its text, and what it says, whatever it holds.

use crate::graph::cincinnati::GraphFile;
use crate::text::{Source, SourceId};
use crate::tree::{Blob, Unreadable};

/// A file that should hold an update graph, read.
#[derive(Debug)]
pub struct ReadGraph {
    /// Its text.
    pub id: SourceId,
    /// Why there is no text.
    pub unreadable: Option<Unreadable>,
    /// Where the first byte stands that belongs to no character. Clusters read on behind it,
    /// and so do we.
    pub stray_byte: Option<usize>,
    /// What it says; nothing, where there is no text.
    pub graph: GraphFile,
}

impl ReadGraph {
    /// Reads a file.
    #[must_use]
    pub fn read(blob: Blob, id: SourceId) -> (Source, Self) {
        let Blob { path, content } = blob;
        match content {
            Err(why) => {
                let graph = GraphFile::default();
                let read = Self { id, unreadable: Some(why), stray_byte: None, graph };
                (Source::new(path, String::new()), read)
            }
            Ok(bytes) => {
                let (text, stray_byte) = lossy(bytes);
                let graph = GraphFile::read(id, &text);
                let read = Self { id, unreadable: None, stray_byte, graph };
                (Source::new(path, text), read)
            }
        }
    }
}

/// The text of some bytes, and where the first of them stands that is none. Up to there, text
/// and bytes are the same.
fn lossy(bytes: Vec<u8>) -> (String, Option<usize>) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let stray = error.utf8_error().valid_up_to();
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(stray))
        }
    }
}
