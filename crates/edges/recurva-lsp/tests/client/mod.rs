//! A client for tests: speaks to the real server over channels.

#![allow(dead_code, reason = "each test file uses a part")]

use std::{
    path::{Path, PathBuf},
    thread::JoinHandle,
    time::Duration,
};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::Url;
use recurva_lsp::End;
use serde_json::{Value, json};

/// Nothing in these tests takes as long.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Client {
    connection: Connection,
    server: Option<JoinHandle<std::io::Result<End>>>,
    next: i32,
    /// Notifications and requests of the server that nobody has asked for yet.
    pub(crate) heard: Vec<Message>,
    version: i32,
}

impl Client {
    /// A client of a server that has not been initialized.
    pub(crate) fn raw() -> Self {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || recurva_lsp::serve(&server));
        Client {
            connection,
            server: Some(server),
            next: 0,
            heard: Vec::new(),
            version: 0,
        }
    }

    pub(crate) fn new() -> Self {
        Client::with(json!({ "capabilities": {} }))
    }

    pub(crate) fn with(initialize: Value) -> Self {
        let mut client = Client::raw();
        client.ask("initialize", initialize).unwrap();
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        let notification = Notification::new(method.to_owned(), params);
        self.connection.sender.send(notification.into()).unwrap();
    }

    /// Sends a request; its number.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection.sender.send(request.into()).unwrap();
        id
    }

    fn hear(&self) -> Message {
        self.connection.receiver.recv_timeout(PATIENCE).unwrap()
    }

    /// The response to a request.
    pub(crate) fn response(&mut self, id: &RequestId) -> Response {
        loop {
            match self.hear() {
                Message::Response(response) if response.id == *id => return response,
                other => self.heard.push(other),
            }
        }
    }

    /// The result of a request, or its error's code and text.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.request(method, params);
        let response = self.response(&id);
        match response.error {
            Some(error) => Err((error.code, error.message)),
            None => Ok(response.result.unwrap_or(Value::Null)),
        }
    }

    /// The parameters of the next message with a method.
    pub(crate) fn next(&mut self, method: &str) -> Value {
        loop {
            let found = self.heard.iter().position(|it| match it {
                Message::Notification(it) => it.method == method,
                Message::Request(it) => it.method == method,
                Message::Response(_) => false,
            });
            match found.map(|at| self.heard.remove(at)) {
                Some(Message::Notification(it)) => return it.params,
                Some(Message::Request(it)) => return it.params,
                _ => {
                    let message = self.hear();
                    self.heard.push(message);
                }
            }
        }
    }

    /// The diagnostics of a version of a document; versions that were skipped are none.
    pub(crate) fn diagnostics(&mut self, uri: &Url, version: i32) -> Vec<Value> {
        loop {
            let published = self.next("textDocument/publishDiagnostics");
            if published["uri"] == json!(uri) && published["version"] == json!(version) {
                return published["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    pub(crate) fn open(&mut self, uri: &Url, text: &str) -> i32 {
        self.version += 1;
        let item = json!({ "uri": uri, "languageId": "x", "version": self.version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
        self.version
    }

    /// Replaces a range, given as `[[line, column], [line, column]]`.
    pub(crate) fn edit(&mut self, uri: &Url, [start, end]: [[u32; 2]; 2], text: &str) -> i32 {
        self.version += 1;
        let position =
            |[line, character]: [u32; 2]| json!({ "line": line, "character": character });
        let range = json!({ "start": position(start), "end": position(end) });
        let params = json!({
            "textDocument": { "uri": uri, "version": self.version },
            "contentChanges": [{ "range": range, "text": text }],
        });
        self.notify("textDocument/didChange", params);
        self.version
    }

    pub(crate) fn replace(&mut self, uri: &Url, text: &str) -> i32 {
        self.version += 1;
        let params = json!({
            "textDocument": { "uri": uri, "version": self.version },
            "contentChanges": [{ "text": text }],
        });
        self.notify("textDocument/didChange", params);
        self.version
    }

    /// Asks about a place of a document.
    pub(crate) fn at(&mut self, method: &str, uri: &Url, [line, character]: [u32; 2]) -> Value {
        let params = json!({
            "textDocument": { "uri": uri },
            "position": { "line": line, "character": character },
        });
        self.ask(method, params).unwrap()
    }

    /// Asks about a document.
    pub(crate) fn about(&mut self, method: &str, uri: &Url) -> Value {
        let params = json!({ "textDocument": { "uri": uri } });
        self.ask(method, params).unwrap()
    }

    /// The text of a hover.
    pub(crate) fn hover(&mut self, uri: &Url, place: [u32; 2]) -> String {
        let hover = self.at("textDocument/hover", uri, place);
        hover["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Leaves as a client should.
    pub(crate) fn leave(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.notify("exit", Value::Null);
        assert_eq!(self.end(), End::Asked);
    }

    /// How the server ended.
    pub(crate) fn end(&mut self) -> End {
        self.server.take().unwrap().join().unwrap().unwrap()
    }
}

/// The range of something as `[[line, column], [line, column]]`.
pub(crate) fn range(of: &Value) -> [[u64; 2]; 2] {
    let position = |at: &Value| {
        let number = |key: &str| at[key].as_u64().unwrap();
        [number("line"), number("character")]
    };
    [position(&of["start"]), position(&of["end"])]
}

/// A document that is on no disk.
pub(crate) fn uri(name: &str) -> Url {
    Url::parse(&format!("file:///nowhere/{name}")).unwrap()
}

/// A file of the project's examples.
pub(crate) fn example(name: &str) -> (Url, String) {
    let root: &Path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path: PathBuf = root
        .join("../../../examples")
        .join(name)
        .canonicalize()
        .unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    (Url::from_file_path(path).unwrap(), text)
}
