//! Files as URIs.

use std::cell::RefCell;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::Uri;

use crate::domain::HashMap;

use super::documents::{Document, Documents};

/// The file that a URI names. None if it names something else.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = decoded(path.split(['?', '#']).next().unwrap_or_default())?;
    let is_usable = path.starts_with('/') && !path.contains('\0');
    // `/a/../b` would name the same file as `/b`, and the server tells files apart by their paths.
    let is_simple = !path.split('/').any(|part| part == ".." || part == ".");
    (is_usable && is_simple).then(|| PathBuf::from(path))
}

/// The URIs of files, by the root of their repository and their path in it. Each is made once,
/// because an edit can need those of hundreds of files.
#[derive(Debug, Default)]
pub(super) struct FileUris(RefCell<HashMap<PathBuf, HashMap<String, Option<Uri>>>>);

impl FileUris {
    /// The URI of a file. If it is open, the one that the client uses.
    pub(super) fn of(&self, root: &Path, path: &str) -> Option<Uri> {
        let mut known = self.0.borrow_mut();
        if let Some(uri) = known.get(root).and_then(|known| known.get(path)) {
            return uri.clone();
        }
        let uri = of(&root.join(path));
        known.entry(root.to_owned()).or_default().insert(path.to_owned(), uri.clone());
        uri
    }

    /// To be called when the client opens a file.
    pub(super) fn opened(&mut self, uri: &str, document: &Document) {
        let known = self.0.get_mut().entry(document.root.clone()).or_default();
        known.insert(document.path.clone(), Uri::from_str(uri).ok());
    }

    /// To be called when the client closes a file. The client can still have the same file open
    /// under another URI.
    pub(super) fn closed(&mut self, document: &Document, still_open: &Documents) {
        if let Some(known) = self.0.get_mut().get_mut(&document.root) {
            known.remove(&document.path);
        }
        let is_same = |other: &Document| other.path == document.path && other.root == document.root;
        if let Some((uri, document)) = still_open.iter().find(|(_, other)| is_same(other)) {
            self.opened(uri, document);
        }
    }
}

/// The URI of a file. Characters that are not in every URI are escaped.
fn of(path: &Path) -> Option<Uri> {
    let mut text = "file://".to_owned();
    for byte in path.to_str()?.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    Uri::from_str(&text).ok()
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::str::FromStr;

    use lsp_types::Uri;

    use super::super::documents::{Document, DocumentKind, Documents};
    use super::FileUris;

    #[test]
    fn a_path_and_its_uri_name_the_same_file() {
        for path in ["/a/b.yaml", "/with space/ñ%/x#1.yaml"] {
            let uri = super::of(Path::new(path));
            assert_eq!(uri.as_ref().and_then(super::path), Some(PathBuf::from(path)));
        }
    }

    #[test]
    fn an_open_file_has_the_uri_that_the_client_uses() {
        let document = Document {
            root: "/a".into(),
            path: "b.yaml".into(),
            kind: DocumentKind::Data,
            version: 1,
            text: String::new(),
        };
        let mut uris = FileUris::default();
        let uri = |uris: &FileUris| uris.of(Path::new("/a"), "b.yaml").map(|uri| uri.to_string());
        let [usual, first, second] = ["file:///a/b.yaml", "file:///a/%62.yaml", "file:/a/b.yaml"];
        assert_eq!(uri(&uris).as_deref(), Some(usual));
        uris.opened(first, &document);
        uris.opened(second, &document);
        assert_eq!(uri(&uris).as_deref(), Some(second));
        uris.closed(&document, &Documents::from([(first.to_owned(), document.clone())]));
        assert_eq!(uri(&uris).as_deref(), Some(first));
        uris.closed(&document, &Documents::new());
        assert_eq!(uri(&uris).as_deref(), Some(usual));
    }

    #[test]
    fn other_uris_name_no_file() {
        for uri in ["untitled:Untitled-1", "https://example.com/a", "file:///a/../b", "file:///%00"]
        {
            let uri = Uri::from_str(uri).ok();
            assert_eq!(uri.as_ref().and_then(super::path), None, "{uri:?}");
        }
    }
}
