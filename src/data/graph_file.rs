//! Reads a file of Cincinnati JSON, even if it is broken.

use crate::graph::cincinnati::GraphFile;
use crate::text::{Source, SourceId};
use crate::tree::{Blob, Unreadable};

#[derive(Debug)]
pub struct ReadGraph {
    pub id: SourceId,
    /// Why the file has no text. None if it has one.
    pub unreadable: Option<Unreadable>,
    /// The offset of the first invalid UTF-8 byte. Clusters replace such bytes and read on, so
    /// exitpath does, too.
    pub stray_byte: Option<usize>,
    /// The contents. Empty if there is no text.
    pub graph: GraphFile,
}

impl ReadGraph {
    pub fn read(blob: Blob, id: SourceId) -> (Source, Self) {
        let Blob { path, content, .. } = blob;
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

/// The text of some bytes, and the offset of the first invalid byte. Up to there, offsets in the
/// text and in the bytes are the same.
fn lossy(bytes: Vec<u8>) -> (String, Option<usize>) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let stray = error.utf8_error().valid_up_to();
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(stray))
        }
    }
}
