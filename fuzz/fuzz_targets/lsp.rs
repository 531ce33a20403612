//! The language server: what comes from a pipe, and texts that somebody types.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use exitpath::testing::lsp::{Server, read};
use libfuzzer_sys::fuzz_target;

/// A small repository. The server only reads it.
static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
    let root = std::env::temp_dir().join(format!("exitpath-fuzz-lsp-{}", std::process::id()));
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&root)).unwrap_or_default();
        fs::write(path, text).unwrap_or_default();
    };
    write("version", "1.1.0\n");
    write("channels/stable-4.18.yaml", "name: stable-4.18\nversions:\n- 4.18.1\n- 4.18.2\n");
    write("blocked-edges/4.18.1.yaml", "to: 4.18.1\nfrom: .*\n");
    root
});

fn feed(server: &mut Server, mut bytes: &[u8]) {
    let mut batch = Vec::new();
    while let Ok(Some(received)) = read(&mut bytes) {
        batch.push(received);
    }
    server.take(batch);
    server.settle();
    for message in server.take_messages() {
        assert_eq!(message["jsonrpc"], "2.0");
    }
}

fn message(method: &str, id: Option<u32>, params: &str) -> Vec<u8> {
    let id = id.map(|id| format!("\"id\":{id},")).unwrap_or_default();
    let body = format!("{{\"jsonrpc\":\"2.0\",{id}\"method\":\"{method}\",\"params\":{params}}}");
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fuzz_target!(|input: &[u8]| {
    let mut server = Server::new(None);
    feed(&mut server, input);
    let mut server = Server::new(None);
    let root = ROOT.display();
    let folders = format!("[{{\"uri\":\"file://{root}\",\"name\":\"a\"}}]");
    let start = format!("{{\"capabilities\":{{}},\"workspaceFolders\":{folders}}}");
    feed(&mut server, &message("initialize", Some(0), &start));
    let Some((&[kind, line, column], text)) = input.split_first_chunk::<3>() else { return };
    let path = ["blocked-edges/4.18.2-A.yaml", "channels/stable-4.18.yaml", "exitpath.toml"];
    let uri = format!("file://{root}/{}", path[usize::from(kind) % path.len()]);
    let text = serde_json::Value::from(String::from_utf8_lossy(text)).to_string();
    let document =
        format!("{{\"uri\":\"{uri}\",\"languageId\":\"\",\"version\":1,\"text\":{text}}}");
    let open = format!("{{\"textDocument\":{document}}}");
    feed(&mut server, &message("textDocument/didOpen", None, &open));
    let position = format!("{{\"line\":{},\"character\":{column}}}", line % 16);
    let params = format!(
        "{{\"textDocument\":{{\"uri\":\"{uri}\"}},\"position\":{position},\"newName\":\"B\",\
         \"range\":{{\"start\":{position},\"end\":{position}}},\"query\":\"a\",\
         \"context\":{{\"diagnostics\":[],\"includeDeclaration\":true}},\
         \"options\":{{\"tabSize\":2,\"insertSpaces\":true}}}}"
    );
    for method in [
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/definition",
        "textDocument/references",
        "textDocument/documentSymbol",
        "textDocument/semanticTokens/full",
        "textDocument/foldingRange",
        "textDocument/formatting",
        "textDocument/codeAction",
        "textDocument/codeLens",
        "textDocument/prepareRename",
        "textDocument/rename",
        "textDocument/diagnostic",
        "workspace/symbol",
    ] {
        feed(&mut server, &message(method, Some(1), &params));
    }
});
